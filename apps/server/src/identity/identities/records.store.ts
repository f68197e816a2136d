import type { InvestorType } from '@tallystick/wire'
import type { Sql } from '../../platform/db/database.ts'

export interface RecordKey {
  readonly chainId: number
  readonly registry: string
  readonly wallet: string
}

export interface NewRecord extends RecordKey {
  readonly txHash: string
  readonly logIndex: number
  readonly status: 'verified' | 'revoked'
  readonly country: string | null
  readonly investorType: InvestorType | null
}

/** The same event twice is one row. */
export async function insertRecord(sql: Sql, instanceId: string, row: NewRecord, now: Date): Promise<void> {
  await sql`
    insert into identity_records (instance_id, chain_id, registry, wallet, tx_hash, log_index, status, country, investor_type, recorded_at)
    values (${instanceId}, ${row.chainId}, ${row.registry}, ${row.wallet}, ${row.txHash}, ${row.logIndex}, ${row.status}, ${row.country},
            ${row.investorType}, ${now})
    on conflict do nothing`
}

export interface IdentityRecord {
  readonly status: 'verified' | 'revoked'
  readonly country: string | null
  readonly investorType: InvestorType | null
  readonly verifiedAt: Date | null
  readonly txHash: string
}

/** What was recorded last, in the order of the chain; a record counts as long as its event stands there. */
export const readRecord = (sql: Sql, instanceId: string, { chainId, registry, wallet }: RecordKey) => sql<
  IdentityRecord[]
>`
  with standing as (
    select r.status, r.country, r.investor_type, r.tx_hash, f.block_time, f.block_number, f.block_log_index
    from identity_records r
    join lateral (select block_time, block_number, block_log_index from chain_live_facts f
      where f.chain_id = r.chain_id and f.tx_hash = r.tx_hash and f.log_index = r.log_index limit 1) f on true
    where r.instance_id = ${instanceId} and r.chain_id = ${chainId} and r.registry = ${registry} and r.wallet = ${wallet}),
  verified as (
    select * from standing where status = 'verified' order by block_number desc, block_log_index desc limit 1)
  select s.status, v.country, v.investor_type as "investorType", to_timestamp(v.block_time) as "verifiedAt", s.tx_hash as "txHash"
  from standing s left join verified v on true
  order by s.block_number desc, s.block_log_index desc limit 1`
