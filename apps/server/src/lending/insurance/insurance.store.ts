import type { Sql } from '../../platform/db/database.ts'

export interface TopUpRow {
  readonly source: string
  readonly amount: string
  readonly txHash: string
  readonly blockTime: bigint
  readonly finality: 'MINED' | 'SAFE' | 'FINALIZED'
  readonly recorded: boolean
}

/** What others than the market itself added to a fund, newest first. */
export const listTopUps = (sql: Sql, instanceId: string, chainId: number, fund: string, market: string) => sql<
  TopUpRow[]
>`
  select f.effect ->> 'source' as source, f.effect ->> 'amount' as amount, f.tx_hash as "txHash", f.block_time as "blockTime", f.finality,
    exists (select from recordings r where r.instance_id = ${instanceId} and r.operation = f.operation and r.chain_id = f.chain_id
      and r.tx_hash = f.tx_hash and r.log_index = f.log_index) as recorded
  from chain_live_facts f
  where f.chain_id = ${chainId} and f.subject = ${fund} and f.operation = 'fund.FundsAdded' and f.effect ->> 'source' <> ${market}
  order by f.block_number desc, f.block_log_index desc limit 20`

export interface LossSums {
  readonly draws: number
  readonly requested: string
  readonly covered: string
  readonly shortfalls: string
  readonly writtenOff: string
  readonly recoveredLate: string
}

/** What realizations of a market lost, and what its fund paid for them. */
export const sumLosses = (sql: Sql, chainId: number, market: string) => sql<LossSums[]>`
  with told as (
    select operation, effect from chain_live_facts where chain_id = ${chainId} and subject = ${market} and operation in
      ('market.ReserveDrawn', 'market.RealizationSettled', 'market.RealizationWrittenOff', 'market.WrittenOffAtSeizure', 'market.LateProceeds'))
  select count(*) filter (where operation = 'market.ReserveDrawn')::int as draws,
    coalesce(sum((effect ->> 'requested')::numeric) filter (where operation = 'market.ReserveDrawn'), 0)::text as requested,
    coalesce(sum((effect ->> 'covered')::numeric) filter (where operation = 'market.ReserveDrawn'), 0)::text as covered,
    coalesce(sum((effect ->> 'shortfall')::numeric) filter (where operation = 'market.RealizationSettled'), 0)::text as shortfalls,
    (coalesce(sum((effect ->> 'claim')::numeric - (effect ->> 'covered')::numeric) filter (where operation = 'market.RealizationWrittenOff'), 0)
     + coalesce(sum((effect ->> 'amount')::numeric - (effect ->> 'covered')::numeric) filter (where operation = 'market.WrittenOffAtSeizure'), 0)
    )::text as "writtenOff",
    coalesce(sum((effect ->> 'toPool')::numeric) filter (where operation = 'market.LateProceeds'), 0)::text as "recoveredLate"
  from told`

/** Did the instance record a top-up of this transaction before? */
export const findRecordedTopUp = (sql: Sql, instanceId: string, chainId: number, txHash: string) => sql<
  { known: boolean }[]
>`
  select exists (select from recordings where instance_id = ${instanceId} and operation = 'fund.FundsAdded' and chain_id = ${chainId}
    and tx_hash = ${txHash}) as known`
