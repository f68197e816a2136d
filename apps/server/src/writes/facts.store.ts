import type { Effect } from '../platform/chain/call-pair.ts'
import type { Sql } from '../platform/db/database.ts'
import { eventId } from '../platform/ids.ts'

/** An effect of one event. */
export interface FactKey {
  readonly chainId: number
  readonly txHash: string
  readonly logIndex: number
  readonly subject: string
  readonly operation: string
}

export interface FactRow extends FactKey {
  readonly effect: Effect
}

/** What a stored event means. A second time changes nothing and answers false. */
export async function storeFact(sql: Sql, fact: FactRow): Promise<boolean> {
  const rows = await sql`
    insert into chain_facts (fact_id, chain_id, tx_hash, log_index, subject, operation, effect)
    values (${eventId(fact.chainId, fact.txHash, fact.logIndex, fact.operation)}, ${fact.chainId}, ${fact.txHash}, ${fact.logIndex},
            ${fact.subject}, ${fact.operation}, ${sql.json(fact.effect)})
    on conflict do nothing returning 1`
  return rows.length === 1
}

/** Everything known of one event. */
export async function listFactsOf(
  sql: Sql,
  { chainId, txHash, logIndex }: Pick<FactKey, 'chainId' | 'txHash' | 'logIndex'>,
): Promise<FactRow[]> {
  const rows = await sql<Pick<FactRow, 'subject' | 'operation' | 'effect'>[]>`
    select subject, operation, effect from chain_facts where chain_id = ${chainId} and tx_hash = ${txHash} and log_index = ${logIndex}`
  return rows.map((row) => ({ chainId, txHash, logIndex, ...row }))
}

/** Did a reorg take the same effect of the same transaction away, at another place among its events? */
export async function hasOrphanedTwin(sql: Sql, fact: FactRow): Promise<boolean> {
  const [row] = await sql<{ known: boolean }[]>`
    select exists (select from chain_facts f join chain_logs l using (chain_id, tx_hash, log_index)
      where f.chain_id = ${fact.chainId} and f.tx_hash = ${fact.txHash} and f.operation = ${fact.operation} and f.subject = ${fact.subject}
        and f.effect = ${sql.json(fact.effect)} and l.finality = 'ORPHANED') as known`
  return row?.known ?? false
}

/** Instances that recorded an effect which was taken away have recorded its twin, too. */
export async function carryRecordingsOver(sql: Sql, fact: FactRow): Promise<void> {
  await sql`
    insert into recordings (instance_id, operation, chain_id, tx_hash, log_index, verified_by, recorded_at)
    select distinct on (r.instance_id) r.instance_id, r.operation, r.chain_id, r.tx_hash, ${fact.logIndex}::integer, r.verified_by, r.recorded_at
    from recordings r join chain_facts f using (chain_id, tx_hash, log_index, operation) join chain_logs l using (chain_id, tx_hash, log_index)
    where r.chain_id = ${fact.chainId} and r.tx_hash = ${fact.txHash} and r.operation = ${fact.operation} and f.subject = ${fact.subject}
      and f.effect = ${sql.json(fact.effect)} and l.finality = 'ORPHANED'
    order by r.instance_id, r.recorded_at
    on conflict do nothing`
}

export async function moveRecordings(
  sql: Sql,
  { chainId, txHash, logIndex }: Pick<FactKey, 'chainId' | 'txHash' | 'logIndex'>,
  toIndex: number,
): Promise<void> {
  await sql`
    update recordings set log_index = ${toIndex} where chain_id = ${chainId} and tx_hash = ${txHash} and log_index = ${logIndex}`
}

export async function insertNotice(
  sql: Sql,
  notice: FactKey & { noticeId: string; kind: 'FACT_ORPHANED' | 'FACT_RESTORED'; noticedAt: Date },
): Promise<void> {
  await sql`
    insert into chain_notices (notice_id, chain_id, subject, kind, tx_hash, log_index, operation, noticed_at)
    values (${notice.noticeId}, ${notice.chainId}, ${notice.subject}, ${notice.kind}, ${notice.txHash}, ${notice.logIndex}, ${notice.operation}, ${notice.noticedAt})`
}
