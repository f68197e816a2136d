import type { Effect } from '../platform/chain/call-pair.ts'
import type { Sql } from '../platform/db/database.ts'
import { eventId } from '../platform/ids.ts'

export interface LogRow {
  readonly chainId: number
  readonly txHash: string
  readonly logIndex: number
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: bigint
  readonly blockHash: string
  readonly blockTime: number
  readonly txFrom: string
}

export interface FactRow {
  readonly chainId: number
  readonly txHash: string
  readonly logIndex: number
  readonly subject: string
  readonly operation: string
  readonly effect: Effect
}

/**
 * Stores a verified event once for everybody. Seen again in another block after a reorg, it comes back to life there.
 * Answers whether anything changed. Needs the role tally_chain.
 */
export async function storeLog(sql: Sql, row: LogRow): Promise<boolean> {
  const rows = await sql`
    insert into chain_logs as l (chain_id, tx_hash, log_index, address, topics, data, block_number, block_hash, block_time, tx_from, finality)
    values (${row.chainId}, ${row.txHash}, ${row.logIndex}, ${row.address}, ${[...row.topics]}, ${row.data},
            ${row.blockNumber.toString()}::numeric, ${row.blockHash}, ${row.blockTime}, ${row.txFrom}, 'MINED')
    on conflict (chain_id, tx_hash, log_index) do update
      set block_number = excluded.block_number, block_hash = excluded.block_hash, block_time = excluded.block_time, finality = 'MINED'
      where l.finality = 'ORPHANED' or (l.finality <> 'FINALIZED' and l.block_hash <> excluded.block_hash)
    returning 1`
  return rows.length === 1
}

/** What a stored event means. The same event means the same for ever, so a second time changes nothing and answers false. */
export async function storeFact(sql: Sql, fact: FactRow): Promise<boolean> {
  const rows = await sql`
    insert into chain_facts (fact_id, chain_id, tx_hash, log_index, subject, operation, effect)
    values (${eventId(fact.chainId, fact.txHash, fact.logIndex, fact.operation)}, ${fact.chainId}, ${fact.txHash}, ${fact.logIndex},
            ${fact.subject}, ${fact.operation}, ${sql.json(fact.effect)})
    on conflict do nothing returning 1`
  return rows.length === 1
}

/** From now on the follower reads this contract's events, starting at `fromBlock`. */
export async function watchContract(
  sql: Sql,
  chainId: number,
  address: string,
  kind: string,
  fromBlock: bigint,
): Promise<void> {
  await sql`
    insert into watched_contracts (chain_id, address, kind, scanned_to)
    values (${chainId}, ${address}, ${kind}, ${(fromBlock - 1n).toString()}::numeric)
    on conflict (chain_id, address) do nothing`
}

export async function grantAccess(
  sql: Sql,
  instanceId: string,
  chainId: number,
  address: string,
  now: Date,
): Promise<void> {
  await sql`
    insert into contract_access (instance_id, chain_id, address, granted_at) values (${instanceId}, ${chainId}, ${address}, ${now})
    on conflict do nothing`
}

export async function insertRecording(
  sql: Sql,
  instanceId: string,
  fact: Pick<FactRow, 'operation' | 'chainId' | 'txHash' | 'logIndex'>,
  verifiedBy: 'call' | 'receipt-log',
  now: Date,
): Promise<void> {
  await sql`
    insert into recordings (instance_id, operation, chain_id, tx_hash, log_index, verified_by, recorded_at)
    values (${instanceId}, ${fact.operation}, ${fact.chainId}, ${fact.txHash}, ${fact.logIndex}, ${verifiedBy}, ${now})
    on conflict do nothing`
}

/**
 * A transaction mined again may have another log index in its new block: instances that recorded the old event have recorded
 * the new one too, when both say the same.
 */
export async function carryRecordingsOver(sql: Sql, chainId: number, txHash: string): Promise<void> {
  await sql`
    insert into recordings (instance_id, operation, chain_id, tx_hash, log_index, verified_by, recorded_at)
    select r.instance_id, r.operation, r.chain_id, r.tx_hash, now_fact.log_index, r.verified_by, r.recorded_at
    from recordings r
    join chain_facts old_fact using (chain_id, tx_hash, log_index, operation)
    join chain_logs old_log using (chain_id, tx_hash, log_index)
    join chain_facts now_fact on now_fact.chain_id = r.chain_id and now_fact.tx_hash = r.tx_hash and now_fact.operation = r.operation
      and now_fact.effect = old_fact.effect and now_fact.log_index <> r.log_index
    join chain_logs now_log on now_log.chain_id = r.chain_id and now_log.tx_hash = r.tx_hash and now_log.log_index = now_fact.log_index
    where r.chain_id = ${chainId} and r.tx_hash = ${txHash} and old_log.finality = 'ORPHANED' and now_log.finality <> 'ORPHANED'
    on conflict do nothing`
}

export interface RecordedFact {
  readonly factId: string
  readonly txHash: string
  readonly logIndex: number
  readonly subject: string
  readonly effect: Effect
  readonly finality: 'MINED' | 'SAFE' | 'FINALIZED'
  readonly blockTime: bigint
  readonly verifiedBy: 'call' | 'receipt-log'
  readonly recordedAt: Date
}

/** What an instance recorded of one operation and still stands on chain, newest first. */
export const listRecorded = (sql: Sql, instanceId: string, operation: string) => sql<RecordedFact[]>`
  select f.fact_id as "factId", f.tx_hash as "txHash", f.log_index as "logIndex", f.subject, f.effect, f.finality,
         f.block_time as "blockTime", r.verified_by as "verifiedBy", r.recorded_at as "recordedAt"
  from recordings r join chain_live_facts f using (chain_id, tx_hash, log_index, operation)
  where r.instance_id = ${instanceId} and r.operation = ${operation}
  order by f.block_number desc, f.log_index desc`
