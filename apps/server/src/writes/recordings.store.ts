import type { Effect } from '../platform/chain/call-pair.ts'
import type { Sql } from '../platform/db/database.ts'

/** From now on the instance reads what is shared about a contract and its parts: their events, and the bytes built for it. */
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
  await sql`
    insert into contract_access (instance_id, chain_id, address, granted_at)
    select ${instanceId}, chain_id, part, ${now} from contract_parts where chain_id = ${chainId} and whole = ${address}
    on conflict do nothing`
}

export async function insertRecording(
  sql: Sql,
  instanceId: string,
  fact: { operation: string; chainId: number; txHash: string; logIndex: number },
  verifiedBy: 'call' | 'receipt-log',
  now: Date,
): Promise<void> {
  await sql`
    insert into recordings (instance_id, operation, chain_id, tx_hash, log_index, verified_by, recorded_at)
    values (${instanceId}, ${fact.operation}, ${fact.chainId}, ${fact.txHash}, ${fact.logIndex}, ${verifiedBy}, ${now})
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
  order by f.block_number desc, f.block_log_index desc`
