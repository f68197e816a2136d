import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** The pool at one moment, in smallest units; integers as text, as the events have them. */
export interface Snapshot {
  readonly totalLiquidity: string
  readonly totalBorrowed: string
  readonly availableLiquidity: string
  readonly poolValue: string
  readonly carriedClaims: string
  readonly totalShares: string
  readonly totalCollateral: string
  readonly collateralPrice: string
  readonly borrowRateWad: string
}

/** All snapshots of one bucket: the first and the last, and how far the figures went in between. */
export interface SnapshotBucket {
  readonly bucket: bigint
  readonly first: Snapshot
  readonly last: Snapshot
  readonly highLiquidity: bigint
  readonly lowLiquidity: bigint
  readonly highBorrowed: bigint
  readonly lowBorrowed: bigint
}

export interface FlowBucket {
  readonly bucket: bigint
  readonly deposited: bigint
  readonly withdrawn: bigint
  readonly borrowed: bigint
  readonly repaid: bigint
  readonly liquidated: bigint
}

interface Span {
  readonly chainId: number
  readonly market: Address
  /** Seconds of one bucket. */
  readonly size: number
  /** Unix seconds where the first bucket begins. */
  readonly from: number
}

export interface SnapshotSummary {
  readonly count: number
  readonly firstTime: bigint | null
  readonly lastTime: bigint | null
  readonly lastBlock: bigint | null
}

export const summarizeSnapshots = (sql: Sql, chainId: number, market: Address) => sql<SnapshotSummary[]>`
  select count(*)::integer as count, min(block_time) as "firstTime", max(block_time) as "lastTime", max(block_number) as "lastBlock"
  from chain_live_facts where chain_id = ${chainId} and subject = ${market} and operation = 'market.Snapshot'`

export const listSnapshots = (sql: Sql, { chainId, market, size, from }: Span) => sql<SnapshotBucket[]>`
  select block_time / ${size}::bigint as bucket,
    (array_agg(effect order by block_number, block_log_index))[1] as first,
    (array_agg(effect order by block_number desc, block_log_index desc))[1] as last,
    max((effect ->> 'totalLiquidity')::numeric) as "highLiquidity", min((effect ->> 'totalLiquidity')::numeric) as "lowLiquidity",
    max((effect ->> 'totalBorrowed')::numeric) as "highBorrowed", min((effect ->> 'totalBorrowed')::numeric) as "lowBorrowed"
  from chain_live_facts where chain_id = ${chainId} and subject = ${market} and operation = 'market.Snapshot' and block_time >= ${from}
  group by 1 order by 1`

/** What stood before the span began. */
export const findSnapshotBefore = (sql: Sql, { chainId, market, from }: Span) => sql<{ effect: Snapshot }[]>`
  select effect from chain_live_facts
  where chain_id = ${chainId} and subject = ${market} and operation = 'market.Snapshot' and block_time < ${from}
  order by block_number desc, block_log_index desc limit 1`

/** Begins with the events of the span: the facts of a market are not in the order of time. */
export const listFlows = (sql: Sql, { chainId, market, size, from }: Span) => sql<FlowBucket[]>`
  with recent as materialized (
    select tx_hash, log_index, block_time from chain_logs
    where chain_id = ${chainId} and address = ${market} and block_time >= ${from} and finality <> 'ORPHANED'),
  flows as (
    select block_time / ${size}::bigint as bucket, operation, coalesce((effect ->> 'amount')::numeric, (effect ->> 'claim')::numeric,
      (effect ->> 'principal')::numeric + coalesce((effect ->> 'interest')::numeric, 0)) as moved
    from recent l cross join lateral (
      select operation, effect from chain_facts
      where chain_id = ${chainId} and tx_hash = l.tx_hash and log_index = l.log_index and subject = ${market} and array_position(
        '{market.LiquidityAdded,market.VaultDrawn,market.LiquidityRemoved,market.LoanOpened,market.LoanIncreased,market.LoanRepaid,market.LoanLiquidated}'::text[],
        operation) is not null offset 0) f)
  select bucket,
    coalesce(sum(moved) filter (where operation in ('market.LiquidityAdded', 'market.VaultDrawn')), 0) as deposited,
    coalesce(sum(moved) filter (where operation = 'market.LiquidityRemoved'), 0) as withdrawn,
    coalesce(sum(moved) filter (where operation in ('market.LoanOpened', 'market.LoanIncreased')), 0) as borrowed,
    coalesce(sum(moved) filter (where operation = 'market.LoanRepaid'), 0) as repaid,
    coalesce(sum(moved) filter (where operation = 'market.LoanLiquidated'), 0) as liquidated
  from flows group by 1`
