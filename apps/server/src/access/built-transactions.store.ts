import type { Sql } from '../platform/db/database.ts'

export interface BuiltCall {
  readonly to: string
  readonly data: string
  readonly value: string
  readonly chainId: number
}

export interface NewBuilt {
  readonly transactionId: string
  readonly makerName: string
  readonly makerUserId: string | null
  readonly operation: string
  readonly summary: string
  readonly path: string
  readonly body: unknown
  readonly calls: readonly BuiltCall[]
  readonly builtAt: Date
}

type Status = 'BUILT' | 'SENT' | 'MINED' | 'FINAL' | 'UNDONE'

export interface BuiltRow extends Omit<NewBuilt, 'body' | 'calls'> {
  readonly chainId: number
  readonly txHash: string | null
  readonly sentAt: Date | null
  readonly status: Status
  readonly blockNumber: string | null
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
}

export async function insertBuilt(sql: Sql, instanceId: string, built: NewBuilt): Promise<void> {
  const { body, calls } = built
  await sql`
    insert into built_transactions (instance_id, transaction_id, maker_name, maker_user_id, operation, summary, path, body, chain_id, calls,
                                    built_at)
    values (${instanceId}, ${built.transactionId}, ${built.makerName}, ${built.makerUserId}, ${built.operation}, ${built.summary},
            ${built.path}, ${body === undefined ? null : JSON.stringify(body)}::text::jsonb, ${calls[0]?.chainId ?? 0},
            ${JSON.stringify(calls)}::text::jsonb, ${built.builtAt})`
}

/** What became of it is read from the events that its instance can see. */
const withStatus = (sql: Sql, instanceId: string) => sql`
  select t.transaction_id, t.maker_name, t.maker_user_id, t.operation, t.summary, t.path, t.body, t.chain_id, t.calls, t.tx_hash, t.built_at,
         t.sent_at, l.block_number, coalesce(l.state, case when t.tx_hash is null then 'BUILT' else 'SENT' end) as status
  from built_transactions t left join lateral (
    select case when bool_and(finality = 'ORPHANED') then 'UNDONE' when bool_and(finality = 'FINALIZED') then 'FINAL' else 'MINED' end as state,
           max(block_number)::text as block_number
    from chain_logs where chain_id = t.chain_id and tx_hash = t.tx_hash having count(*) > 0) l on true
  where t.instance_id = ${instanceId}`

const columns = (sql: Sql) => sql`
  transaction_id as "transactionId", maker_name as "makerName", maker_user_id as "makerUserId", operation, summary, path,
  chain_id::int as "chainId", tx_hash as "txHash", built_at as "builtAt", sent_at as "sentAt", status, block_number as "blockNumber"`

export const listBuilt = (sql: Sql, instanceId: string, { status, cursor, limit }: BuiltWanted) => sql<BuiltRow[]>`
  select ${columns(sql)} from (${withStatus(sql, instanceId)}) t
  where (${status}::text is null or status = ${status})
    and (${cursor}::uuid is null
      or (built_at, transaction_id) < (select c.built_at, c.transaction_id from built_transactions c where c.transaction_id = ${cursor}))
  order by built_at desc, transaction_id desc limit ${limit}`

export const findBuilt = (sql: Sql, instanceId: string, transactionId: string) => sql<WholeBuiltRow[]>`
  select ${columns(sql)}, body, calls from (${withStatus(sql, instanceId)}) t where transaction_id = ${transactionId}`

export async function reportBuilt(
  sql: Sql,
  instanceId: string,
  { transactionId, txHash, sentAt }: { transactionId: string; txHash: string; sentAt: Date },
): Promise<void> {
  await sql`
    update built_transactions set tx_hash = ${txHash}, sent_at = ${sentAt}
    where instance_id = ${instanceId} and transaction_id = ${transactionId}`
}
