import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

type Text = Readonly<Record<string, string>>

/** A seizure as the events tell it; integers as text, as events have them. */
export interface Seizure {
  readonly id: string
  readonly realizationId: string
  readonly loanId: string
  readonly status: 'PENDING' | 'SETTLED' | 'WRITTEN_OFF'
  readonly destination: Address
  readonly collateral: string
  readonly claim: string
  readonly totalDebt: string
  readonly isTerm: boolean
  readonly txHash: string
  readonly seizedAt: bigint
  readonly updatedAt: bigint
  readonly borrower: Address | null
  /** The router's number, once it holds the collateral. */
  readonly liquidationId: string | null
  readonly auctionId: string | null
  readonly auctionCash: string
  readonly settled: Text | null
  readonly writtenOff: Text | null
  readonly atSeizure: Text | null
  readonly closedTx: string | null
  readonly closedAt: bigint | null
  readonly atomicSale: Text | null
  readonly recorded: boolean
  readonly blockNumber: string
  readonly blockLogIndex: number
}

export interface Page {
  readonly limit: number
  readonly offset: number
  /** Only what stands before this place. */
  readonly before?: { readonly blockNumber: string; readonly blockLogIndex: string } | null
}

export interface Place {
  readonly chainId: number
  readonly market: Address
  readonly router: Address
}

/**
 * Every seizure of a market, with all that was said about it by the market, by its router, and by venues it has had. The record of the
 * market decides; one that was settled with auction cash alone is pending again once its collateral is put up again.
 */
const seizures = (sql: Sql, { chainId, market, router }: Place) => sql`
  with told as (
    select realization_id,
      (array_agg(effect) filter (where operation = 'market.RealizationSettled'))[1] as settled,
      (array_agg(effect) filter (where operation = 'market.RealizationWrittenOff'))[1] as written_off,
      (array_agg(effect) filter (where operation = 'market.WrittenOffAtSeizure'))[1] as at_seizure,
      max(tx_hash) filter (where operation in ('market.RealizationSettled', 'market.RealizationWrittenOff')) as closed_tx,
      max(block_time) filter (where operation in ('market.RealizationSettled', 'market.RealizationWrittenOff')) as closed_at,
      coalesce(sum((effect ->> 'amount')::numeric) filter (where operation = 'market.AuctionProceedsHeld'), 0) as auction_cash,
      max(block_time) as last_time
    from chain_live_facts where chain_id = ${chainId} and subject = ${market} and operation in ('market.RealizationSettled',
      'market.RealizationWrittenOff', 'market.WrittenOffAtSeizure', 'market.AuctionProceedsHeld', 'market.LateProceeds')
    group by 1),
  received as (
    select realization_id, effect ->> 'liquidationId' as liquidation_id, block_time as last_time
    from chain_live_facts where chain_id = ${chainId} and subject = ${router} and operation = 'router.CollateralReceived'),
  sold as (
    select effect ->> 'liquidationId' as liquidation_id,
      (array_agg(effect) filter (where operation = 'router.AtomicSaleExecuted'))[1] as atomic_sale,
      (array_agg(operation order by block_number desc, block_log_index desc) filter (where operation <> 'router.AtomicSaleExecuted'))[1]
        = 'router.LiquidationReopened' as is_reopened,
      max(block_time) as last_time
    from chain_live_facts where chain_id = ${chainId} and subject = ${router} and operation in ('router.AtomicSaleExecuted',
      'router.LiquidationSettled', 'router.LiquidationClosed', 'router.LiquidationReopened', 'router.CollateralWithdrawnForSale',
      'router.PartialSaleReported')
    group by 1),
  auctioned as (
    select realization_id, effect ->> 'auctionId' as auction_id from chain_live_facts
    where chain_id = ${chainId} and operation = 'venue.AuctionStarted'
      and subject in (select part from contract_parts where chain_id = ${chainId} and whole = ${market})),
  seized as (
    select f.fact_id, f.tx_hash, f.log_index, f.realization_id, f.loan_id, f.effect, f.block_time, f.block_number, f.block_log_index,
      t.settled, t.written_off, t.at_seizure, t.closed_tx, t.closed_at, coalesce(t.auction_cash, 0) as auction_cash,
      r.liquidation_id, s.atomic_sale, a.auction_id, greatest(f.block_time, t.last_time, r.last_time, s.last_time) as last_time,
      case when t.written_off is not null then 'WRITTEN_OFF'
           when f.effect ->> 'collateral' = '0' then 'SETTLED'
           when t.settled is null or s.is_reopened then 'PENDING' else 'SETTLED' end as status
    from chain_live_facts f left join told t using (realization_id) left join received r using (realization_id)
      left join sold s using (liquidation_id) left join auctioned a using (realization_id)
    where f.chain_id = ${chainId} and f.subject = ${market} and f.operation = 'market.LoanLiquidated')`

export const listSeizures = (
  sql: Sql,
  instanceId: string,
  place: Place,
  statuses: readonly Seizure['status'][],
  { limit, offset, before }: Page,
) => sql<Seizure[]>`
  ${seizures(sql, place)}
  select fact_id as id, realization_id::text as "realizationId", loan_id::text as "loanId", status, effect ->> 'destination' as destination,
    effect ->> 'collateral' as collateral, effect ->> 'claim' as claim, effect ->> 'totalDebt' as "totalDebt",
    (effect ->> 'isTerm')::boolean as "isTerm", tx_hash as "txHash", block_time as "seizedAt", last_time as "updatedAt",
    liquidation_id as "liquidationId", auction_id as "auctionId", auction_cash::text as "auctionCash", settled,
    written_off as "writtenOff", at_seizure as "atSeizure", closed_tx as "closedTx", closed_at as "closedAt", atomic_sale as "atomicSale",
    (select w.loan_wallet from chain_live_facts w where w.chain_id = ${place.chainId} and w.subject = ${place.market}
       and w.operation in ('market.LoanOpened', 'market.LoanRebound') and w.loan_id = seized.loan_id
     order by w.block_number desc, w.block_log_index desc limit 1) as borrower,
    exists (select from recordings where instance_id = ${instanceId} and operation = 'market.LoanLiquidated'
      and chain_id = ${place.chainId} and tx_hash = seized.tx_hash and log_index = seized.log_index) as recorded,
    block_number::text as "blockNumber", block_log_index as "blockLogIndex"
  from seized where status = any(${[...statuses]}::text[])
    and (${before === undefined || before === null} or
         (block_number, block_log_index) < (${before?.blockNumber ?? '0'}::numeric, ${before?.blockLogIndex ?? '0'}::integer))
  order by block_number desc, block_log_index desc limit ${limit} offset ${offset}`

export interface SeizureTotals {
  readonly total: number
  readonly pending: number
  readonly settled: number
  readonly writtenOff: number
  readonly auctions: number
  /** Claims of records that the market has not closed. */
  readonly pendingDebt: string
  /** Those records, and when each was seized. */
  readonly open: readonly { readonly realizationId: string; readonly seizedAt: number }[]
}

export const countSeizures = (sql: Sql, place: Place) => sql<SeizureTotals[]>`
  ${seizures(sql, place)},
  counted as (
    select *, status = 'PENDING' and settled is null as is_open,
      effect ->> 'destination' <> ${place.router} and effect ->> 'collateral' <> '0' as is_auction
    from seized)
  select count(*)::integer as total, (count(*) filter (where status = 'PENDING'))::integer as pending,
    (count(*) filter (where status = 'SETTLED'))::integer as settled,
    (count(*) filter (where status = 'WRITTEN_OFF'))::integer as "writtenOff", (count(*) filter (where is_auction))::integer as auctions,
    coalesce(sum((effect ->> 'claim')::numeric) filter (where is_open), 0)::text as "pendingDebt",
    coalesce(json_agg(json_build_object('realizationId', realization_id::text, 'seizedAt', block_time)) filter (where is_open), '[]')
      as open
  from counted`
