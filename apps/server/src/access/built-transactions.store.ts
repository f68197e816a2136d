import type { Sql } from '../platform/db/database.ts'

export interface BuiltCall {
  /** Null: it creates a contract. */
  readonly to: string | null
  readonly data: string
  readonly value: string
  readonly chainId: number
}

export interface NewBuilt {
  readonly transactionId: string
  readonly makerName: string
  readonly makerUserId: string | null
  readonly makerKeyId: string | null
  readonly operation: string
  readonly summary: string
  readonly path: string
  readonly body: unknown
  readonly calls: readonly BuiltCall[]
  readonly builtAt: Date
  /** Null: nobody has to approve it. */
  readonly approvalUntil: Date | null
}

type Status = 'PENDING' | 'REJECTED' | 'EXPIRED' | 'BUILT' | 'SENT' | 'MINED' | 'FINAL' | 'UNDONE'

export interface BuiltRow extends Omit<NewBuilt, 'body' | 'calls'> {
  readonly chainId: number
  readonly txHash: string | null
  readonly sentAt: Date | null
  readonly status: Status
  readonly blockNumber: string | null
  readonly decision: 'APPROVED' | 'REJECTED' | null
  readonly decidedBy: string | null
  readonly decidedByName: string | null
  readonly decidedAt: Date | null
  readonly decisionReason: string | null
}

export interface WholeBuiltRow extends BuiltRow {
  readonly body: unknown
  readonly calls: BuiltCall[]
}

export interface BuiltWanted {
  readonly status: Status | null
  /** The one after which, going back in time, the page begins. */
  readonly cursor: string | null
  readonly limit: number
  readonly now: Date
}

export async function insertBuilt(sql: Sql, instanceId: string, built: NewBuilt): Promise<void> {
  const { body, calls } = built
  await sql`
    insert into built_transactions (instance_id, transaction_id, maker_name, maker_user_id, maker_key_id, operation, summary, path, body,
                                    chain_id, calls, built_at, approval_until)
    values (${instanceId}, ${built.transactionId}, ${built.makerName}, ${built.makerUserId}, ${built.makerKeyId}, ${built.operation},
            ${built.summary}, ${built.path}, ${body === undefined ? null : JSON.stringify(body)}::text::jsonb, ${calls[0]?.chainId ?? 0},
            ${JSON.stringify(calls)}::text::jsonb, ${built.builtAt}, ${built.approvalUntil})`
}

/** What became of it is read from the events that its instance can see. */
const withStatus = (sql: Sql, instanceId: string, now: Date) => sql`
  select t.*, l.block_number, coalesce(l.state, case
           when t.tx_hash is not null then 'SENT' when t.approval_until is null then 'BUILT' when t.decision = 'REJECTED' then 'REJECTED'
           when t.approval_until <= ${now} then 'EXPIRED' when t.decision is null then 'PENDING' else 'BUILT' end) as status
  from built_transactions t left join lateral (
    select case when bool_and(finality = 'ORPHANED') then 'UNDONE' when bool_and(finality = 'FINALIZED') then 'FINAL' else 'MINED' end as state,
           max(block_number)::text as block_number
    from chain_logs where chain_id = t.chain_id and tx_hash = t.tx_hash having count(*) > 0) l on true
  where t.instance_id = ${instanceId}`

const columns = (sql: Sql) => sql`
  transaction_id as "transactionId", maker_name as "makerName", maker_user_id as "makerUserId", maker_key_id as "makerKeyId", operation, summary, path,
  chain_id::int as "chainId", tx_hash as "txHash", built_at as "builtAt", sent_at as "sentAt", status, block_number as "blockNumber",
  approval_until as "approvalUntil", decision, decided_by as "decidedBy", decided_by_name as "decidedByName", decided_at as "decidedAt",
  decision_reason as "decisionReason"`

export const listBuilt = (sql: Sql, instanceId: string, { status, cursor, limit, now }: BuiltWanted) => sql<BuiltRow[]>`
  select ${columns(sql)} from (${withStatus(sql, instanceId, now)}) t
  where (${status}::text is null or status = ${status})
    and (${cursor}::uuid is null
      or (built_at, transaction_id) < (select c.built_at, c.transaction_id from built_transactions c where c.transaction_id = ${cursor}))
  order by built_at desc, transaction_id desc limit ${limit}`

/** What somebody still has to look at, newest first. */
export const listUnfinished = (sql: Sql, instanceId: string, now: Date, limit: number) => sql<BuiltRow[]>`
  select ${columns(sql)} from (${withStatus(sql, instanceId, now)}) t where status in ('PENDING', 'BUILT', 'SENT', 'UNDONE')
  order by built_at desc, transaction_id desc limit ${limit}`

export const findBuilt = (sql: Sql, instanceId: string, transactionId: string, now: Date) => sql<WholeBuiltRow[]>`
  select ${columns(sql)}, body, calls from (${withStatus(sql, instanceId, now)}) t where transaction_id = ${transactionId}`

export async function reportBuilt(
  sql: Sql,
  instanceId: string,
  { transactionId, txHash, sentAt }: { transactionId: string; txHash: string; sentAt: Date },
): Promise<void> {
  await sql`
    update built_transactions set tx_hash = ${txHash}, sent_at = ${sentAt}
    where instance_id = ${instanceId} and transaction_id = ${transactionId}`
}

export interface Decision {
  readonly transactionId: string
  readonly decision: 'APPROVED' | 'REJECTED'
  readonly userId: string
  readonly userName: string
  readonly reason: string | null
  readonly decidedAt: Date
  readonly approvalUntil: Date
}

/** False: somebody was faster. */
export async function decideBuilt(sql: Sql, instanceId: string, decided: Decision): Promise<boolean> {
  const rows = await sql`
    update built_transactions set decision = ${decided.decision}, decided_by = ${decided.userId}, decided_by_name = ${decided.userName},
      decided_at = ${decided.decidedAt}, decision_reason = ${decided.reason}, approval_until = ${decided.approvalUntil}
    where instance_id = ${instanceId} and transaction_id = ${decided.transactionId} and decision is null
      and approval_until > ${decided.decidedAt}
    returning 1`
  return rows.length > 0
}

/** Of one maker, approved and not sent, and nothing but this call. */
export const findApproved = (
  sql: Sql,
  instanceId: string,
  { userId, keyId }: { userId: string | null; keyId: string | null },
  call: BuiltCall,
  now: Date,
) => sql<{ transactionId: string }[]>`
  select transaction_id as "transactionId" from built_transactions
  where instance_id = ${instanceId} and decision = 'APPROVED' and tx_hash is null and approval_until > ${now}
    and maker_user_id is not distinct from ${userId} and (${userId}::uuid is not null or maker_key_id = ${keyId})
    and calls = ${JSON.stringify([call])}::text::jsonb
  order by decided_at, transaction_id limit 1 for update skip locked`
