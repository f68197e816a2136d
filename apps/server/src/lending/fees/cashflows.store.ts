import type { Sql } from '../../platform/db/database.ts'

/** Everything that books, pays or explains interest and fees, and everything that mints or burns shares. */
const operations = [
  'LiquidityAdded',
  'LiquidityRemoved',
  'VaultDrawn',
  'ShareEpochStarted',
  'VaultRegistered',
  'LoanOpened',
  'OpenFeeCharged',
  'RepayFeeCharged',
  'InterestSplit',
  'LoanRepaid',
  'LoanLiquidated',
  'WrittenOffAtSeizure',
  'LiquidationDebtApplied',
  'RealizationSettled',
  'LateProceeds',
  'RealizationWrittenOff',
  'InfrastructureFeePaid',
  'OperatorFeePaid',
  'DistributorFeePaid',
  'ProtocolFeePaid',
].map((event) => `market.${event}`)

/**
 * The events of a market in order, up to the block that the follower has read it to: a confirmation may know a later one, but then
 * others could be missing in between. `shares` is how many there were: while there are none, the distributors' part is the operator's.
 */
const told = (sql: Sql, chainId: number, market: string) => sql`
  reach as (select scanned_to from watched_contracts where chain_id = ${chainId} and address = ${market}),
  events as (
    select f.operation, f.effect, f.tx_hash, f.block_number, f.block_log_index, f.finality,
      count(*) filter (where f.operation = 'market.ShareEpochStarted') over line as epoch,
      lead(f.operation) over line as next, lead(f.tx_hash) over line as next_tx
    from chain_live_facts f, reach
    where f.chain_id = ${chainId} and f.subject = ${market} and f.operation = any(${operations}) and f.block_number <= reach.scanned_to
    window line as (order by f.block_number, f.block_log_index)),
  told as (
    select *, coalesce(sum(case
        when operation in ('market.LiquidityAdded', 'market.VaultDrawn') then (effect ->> 'shares')::numeric
        when operation = 'market.LiquidityRemoved' then -(effect ->> 'shares')::numeric end)
      over (partition by epoch order by block_number, block_log_index), 0) as shares
    from events)`

/** All figures are integers in the smallest unit. */
export interface MarketSums {
  readonly syncedBlock: string | null
  readonly events: number
  readonly pendingFinality: number
  readonly infrastructureInterest: string
  readonly operatorInterest: string
  readonly distributorInterest: string
  readonly unallocatedInterest: string
  readonly insuranceInterest: string
  readonly providersInterest: string
  readonly infrastructureFees: string
  readonly operatorFees: string
  readonly distributorFees: string
  readonly unallocatedFees: string
  readonly repaidAdvances: string
  readonly interestRepaid: string
  readonly interestRecovered: string
  readonly openFees: string
  readonly repayFees: string
  readonly realizationSplits: number
  readonly unitemisedSplits: number
  readonly infrastructurePaid: string
  readonly operatorPaid: string
  readonly distributorPaid: string
  readonly distributorPaidToVaults: string
  readonly insurancePaid: string
}

/** The books of a market, summed from its events in one statement. */
export const sumMarket = (sql: Sql, chainId: number, market: string) => sql<MarketSums[]>`
  with ${told(sql, chainId, market)},
  splits as (
    select (effect ->> 'infrastructure')::numeric as infrastructure, (effect ->> 'operator')::numeric as operator,
      (effect ->> 'distributor')::numeric as distributor, (effect ->> 'insurance')::numeric as insurance,
      (effect ->> 'providers')::numeric as providers, shares = 0 as unallocated,
      next is null or next_tx <> tx_hash as unitemised, next = 'market.LoanRepaid' as repaid
    from told where operation = 'market.InterestSplit'),
  by_split as (
    select coalesce(sum(infrastructure), 0) as infrastructure, coalesce(sum(operator), 0) as operator,
      coalesce(sum(distributor) filter (where not unallocated), 0) as distributor,
      coalesce(sum(distributor) filter (where unallocated), 0) as unallocated,
      coalesce(sum(insurance), 0) as insurance, coalesce(sum(providers), 0) as providers,
      coalesce(sum(infrastructure + operator + distributor + insurance + providers) filter (where not unitemised and not repaid), 0) as recovered,
      count(*) filter (where not unitemised and not repaid) as realizations, count(*) filter (where unitemised) as unitemised
    from splits),
  fees as (
    select operation, fee, div(fee * 800, 10000) as operator, div(fee * 500, 10000) as distributor, shares = 0 as unallocated
    from (select operation, (effect ->> 'fee')::numeric as fee, shares from told
          where operation in ('market.OpenFeeCharged', 'market.RepayFeeCharged')) charged),
  by_fee as (
    select coalesce(sum(fee - operator - distributor), 0) as infrastructure, coalesce(sum(operator), 0) as operator,
      coalesce(sum(distributor) filter (where not unallocated), 0) as distributor,
      coalesce(sum(distributor) filter (where unallocated), 0) as unallocated,
      coalesce(sum(fee) filter (where operation = 'market.OpenFeeCharged'), 0) as open,
      coalesce(sum(fee) filter (where operation = 'market.RepayFeeCharged'), 0) as repay
    from fees),
  -- What a first settlement gives back to the fund has no event of its own: it is what exceeds the claim, up to what the fund paid
  -- at the seizure.
  advances as (
    select coalesce(sum(least(greatest((s.effect ->> 'proceeds')::numeric - (l.effect ->> 'claim')::numeric, 0),
                              (w.effect ->> 'covered')::numeric)), 0) as repaid
    from told s join told l on l.operation = 'market.LoanLiquidated' and l.effect ->> 'realizationId' = s.effect ->> 'realizationId'
      join told w on w.operation = 'market.WrittenOffAtSeizure' and w.effect ->> 'realizationId' = s.effect ->> 'realizationId'
        and (w.block_number, w.block_log_index) < (s.block_number, s.block_log_index)
    where s.operation = 'market.RealizationSettled'),
  paid as (
    select coalesce(sum((effect ->> 'amount')::numeric) filter (where operation = 'market.InfrastructureFeePaid'), 0) as infrastructure,
      coalesce(sum((effect ->> 'amount')::numeric) filter (where operation = 'market.OperatorFeePaid'), 0) as operator,
      coalesce(sum((effect ->> 'amount')::numeric) filter (where operation = 'market.DistributorFeePaid'), 0) as distributor,
      coalesce(sum((effect ->> 'amount')::numeric) filter (where operation = 'market.DistributorFeePaid' and effect ->> 'provider' in
        (select effect ->> 'vault' from told where operation = 'market.VaultRegistered')), 0) as to_vaults,
      coalesce(sum((effect ->> 'amount')::numeric) filter (where operation = 'market.ProtocolFeePaid'), 0) as insurance,
      coalesce(sum((effect ->> 'interest')::numeric) filter (where operation = 'market.LoanRepaid'), 0) as interest_repaid,
      coalesce(sum((effect ->> 'toFund')::numeric) filter (where operation = 'market.LateProceeds'), 0) as late_to_fund,
      count(*) as events, count(*) filter (where finality <> 'FINALIZED') as pending
    from told)
  select (select scanned_to::text from reach) as "syncedBlock", paid.events::int, paid.pending::int as "pendingFinality",
    by_split.infrastructure::text as "infrastructureInterest", by_split.operator::text as "operatorInterest",
    by_split.distributor::text as "distributorInterest", by_split.unallocated::text as "unallocatedInterest",
    by_split.insurance::text as "insuranceInterest", by_split.providers::text as "providersInterest",
    by_fee.infrastructure::text as "infrastructureFees", by_fee.operator::text as "operatorFees",
    by_fee.distributor::text as "distributorFees", by_fee.unallocated::text as "unallocatedFees",
    (advances.repaid + paid.late_to_fund)::text as "repaidAdvances", paid.interest_repaid::text as "interestRepaid",
    by_split.recovered::text as "interestRecovered", by_fee.open::text as "openFees", by_fee.repay::text as "repayFees",
    by_split.realizations::int as "realizationSplits", by_split.unitemised::int as "unitemisedSplits",
    paid.infrastructure::text as "infrastructurePaid", paid.operator::text as "operatorPaid", paid.distributor::text as "distributorPaid",
    paid.to_vaults::text as "distributorPaidToVaults", paid.insurance::text as "insurancePaid"
  from by_split, by_fee, advances, paid`

export interface ToldEvent {
  readonly operation: string
  readonly effect: Readonly<Record<string, string>>
  /** Nobody held shares: the distributors' part went to the operator. */
  readonly unallocated: boolean
  readonly syncedBlock: string
  readonly isFinal: boolean
}

/** Every event of the transactions that touched one loan: a split stands before the event that says what it was for. */
export const listOfLoan = (sql: Sql, chainId: number, market: string, loanId: string) => sql<ToldEvent[]>`
  with ${told(sql, chainId, market)},
  seizures as (
    select effect ->> 'realizationId' as id from told where operation = 'market.LoanLiquidated' and effect ->> 'loanId' = ${loanId}),
  touching as (
    select tx_hash from told where effect ->> 'loanId' = ${loanId} or effect ->> 'realizationId' in (select id from seizures))
  select operation, effect, shares = 0 as unallocated, (select scanned_to::text from reach) as "syncedBlock",
    finality = 'FINALIZED' as "isFinal"
  from told where tx_hash in (select tx_hash from touching) order by block_number, block_log_index`

/** Up to which block the events of a market are known; none: nobody follows it. */
export const findReach = (sql: Sql, chainId: number, market: string) => sql<{ syncedBlock: string }[]>`
  select scanned_to::text as "syncedBlock" from watched_contracts where chain_id = ${chainId} and address = ${market}`
