import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** What the events tell of a distributor. Integers in the smallest unit. */
export interface DistributorRow {
  readonly distributor: Address
  readonly shares: string
  readonly holders: number
  readonly paid: string
  readonly blockNumber: string
  readonly blockLogIndex: number
}

export interface EarningsRequest {
  readonly chainId: number
  readonly vault: Address
  /** Up to this block the events are complete: a confirmation may know a later one, but then others could be missing. */
  readonly syncedBlock: string
  /** Always answered, whether or not they are on the page. */
  readonly wallets: readonly Address[]
  readonly limit: number
  readonly offset: number
  /** The last line that was shown: goes on behind it. */
  readonly after: { readonly blockNumber: string; readonly blockLogIndex: string }
}

export interface EarningsRow {
  readonly attributedShares: string
  readonly operatorPaid: string
  /** To distributors and the owner. */
  readonly paid: string
  readonly total: number
  readonly page: readonly DistributorRow[]
  readonly own: readonly DistributorRow[]
  readonly collections: readonly { readonly market: Address; readonly amount: string; readonly lastAt: number }[]
  readonly payouts: readonly {
    readonly kind: 'DISTRIBUTOR' | 'OPERATOR'
    readonly recipient: Address
    readonly amount: string
    readonly txHash: string
    readonly blockTime: number
  }[]
}

const NOBODY = '0x0000000000000000000000000000000000000000'

const asJson = (sql: Sql) => sql`
  coalesce(json_agg(json_build_object('distributor', d.distributor, 'shares', d.shares::text, 'holders', d.holders, 'paid', d.paid::text,
    'blockNumber', d.block_number::text, 'blockLogIndex', d.block_log_index) order by d.block_number desc, d.block_log_index desc), '[]')`

/** Who is bound to whom, with how many shares, and what was paid: a vault's books, from its events. */
export const readEarnings = (sql: Sql, request: EarningsRequest) => sql<EarningsRow[]>`
  with told as (
    select f.operation, f.effect, f.tx_hash, f.block_number, f.block_log_index, f.block_time from chain_live_facts f
    where f.chain_id = ${request.chainId} and f.subject = ${request.vault} and f.block_number <= ${request.syncedBlock}::numeric and f.operation in
      ('vault.Transfer', 'vault.DistributorBound', 'vault.DistributorFeesCollected', 'vault.DistributorFeePaid', 'vault.OperatorFeePaid')),
  balances as (
    select holder, sum(value) as shares from (
      select effect ->> 'to' as holder, (effect ->> 'value')::numeric as value from told where operation = 'vault.Transfer'
      union all select effect ->> 'from', -(effect ->> 'value')::numeric from told where operation = 'vault.Transfer') moved
    where holder <> ${NOBODY} group by holder),
  paid as (
    select effect ->> 'distributor' as distributor, sum((effect ->> 'amount')::numeric) as amount from told
    where operation = 'vault.DistributorFeePaid' group by 1),
  bound as (
    select b.effect ->> 'distributor' as distributor, count(*)::integer as holders, coalesce(sum(h.shares), 0) as shares,
      min(array[b.block_number, b.block_log_index]) as place
    from told b left join balances h on h.holder = b.effect ->> 'holder' where b.operation = 'vault.DistributorBound' group by 1),
  distributors as (
    select b.distributor, b.holders, b.shares, coalesce(p.amount, 0) as paid, b.place[1] as block_number, b.place[2]::integer as block_log_index
    from bound b left join paid p using (distributor)),
  behind as (
    select * from distributors
    where (block_number, block_log_index) < (${request.after.blockNumber}::numeric, ${request.after.blockLogIndex}::integer)),
  page as (
    select * from behind order by block_number desc, block_log_index desc limit ${request.limit} offset ${request.offset}),
  collections as (
    select effect ->> 'market' as market, sum((effect ->> 'amount')::numeric)::text as amount, max(block_time) as "lastAt"
    from told where operation = 'vault.DistributorFeesCollected' group by 1),
  payouts as (
    select case operation when 'vault.OperatorFeePaid' then 'OPERATOR' else 'DISTRIBUTOR' end as kind,
      coalesce(effect ->> 'distributor', effect ->> 'operator') as recipient, effect ->> 'amount' as amount, tx_hash as "txHash",
      block_time as "blockTime"
    from told where operation in ('vault.DistributorFeePaid', 'vault.OperatorFeePaid')
    order by block_number desc, block_log_index desc limit 50)
  select (select coalesce(sum(shares), 0)::text from distributors) as "attributedShares",
    (select coalesce(sum((effect ->> 'amount')::numeric), 0)::text from told where operation = 'vault.OperatorFeePaid') as "operatorPaid",
    (select coalesce(sum((effect ->> 'amount')::numeric), 0)::text from told
     where operation in ('vault.DistributorFeePaid', 'vault.OperatorFeePaid')) as paid,
    (select count(*)::integer from behind) as total, (select ${asJson(sql)} from page d) as page,
    (select ${asJson(sql)} from distributors d where d.distributor = any(${[...request.wallets]}::text[])) as own,
    (select coalesce(json_agg(c), '[]') from collections c) as collections,
    (select coalesce(json_agg(p), '[]') from payouts p) as payouts`
