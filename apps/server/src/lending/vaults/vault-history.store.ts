import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** A deposit or a redemption, and what it says about the vault. Integers in the smallest unit; the price with 18 digits. */
export interface HistoryRow {
  readonly kind: 'DEPOSIT' | 'REDEMPTION'
  readonly holder: Address
  readonly amount: string
  readonly shares: string
  readonly sharesAfter: string
  readonly priceWad: string
  /** What all shares together gained since the first deposit. */
  readonly earned: string
  readonly txHash: string
  readonly blockNumber: string
  readonly blockLogIndex: number
  readonly blockTime: number
}

export interface HistoryRequest {
  readonly chainId: number
  readonly vault: Address
  /** Up to this block the events are complete. */
  readonly syncedBlock: string
  readonly limit: number
  /** The last line that was shown: goes on behind it. */
  readonly after: { readonly blockNumber: string; readonly blockLogIndex: string }
}

/**
 * What a share was worth when somebody came or went, newest first. Amounts are rounded to whole units by the contract: what moves fewer than a
 * million of them tells no price, and the one before stands. Between two prices the shares that were there gained their difference.
 */
export const readVaultHistory = (sql: Sql, { chainId, vault, syncedBlock, limit, after }: HistoryRequest) => sql<
  HistoryRow[]
>`
  with moved as (
    select operation, effect ->> 'holder' as holder, (effect ->> 'amount')::numeric as amount, (effect ->> 'shares')::numeric as shares,
      tx_hash, block_number, block_log_index, block_time
    from chain_live_facts
    where chain_id = ${chainId} and subject = ${vault} and block_number <= ${syncedBlock}::numeric
      and operation in ('vault.Deposited', 'vault.Redeemed')),
  counted as (
    select *, sum(case operation when 'vault.Deposited' then shares else -shares end) over places as shares_after,
      case when shares >= 1000000 then div(amount * 1000000000000000000, shares) end as told,
      count(*) filter (where shares >= 1000000) over places as telling
    from moved window places as (order by block_number, block_log_index)),
  priced as (
    select *, coalesce(max(told) over (partition by telling), 1000000000000000000) as price from counted),
  gained as (
    select *, lag(shares_after, 1, 0) over places * (price - lag(price, 1, price) over places) as gain
    from priced window places as (order by block_number, block_log_index)),
  summed as (
    select *, div(sum(gain) over (order by block_number, block_log_index), 1000000000000000000) as earned from gained)
  select case operation when 'vault.Deposited' then 'DEPOSIT' else 'REDEMPTION' end as kind, holder, amount::text, shares::text,
    shares_after::text as "sharesAfter", price::text as "priceWad", earned::text, tx_hash as "txHash", block_number::text as "blockNumber",
    block_log_index as "blockLogIndex", block_time::integer as "blockTime"
  from summed where (block_number, block_log_index) < (${after.blockNumber}::numeric, ${after.blockLogIndex}::integer)
  order by block_number desc, block_log_index desc limit ${limit}`
