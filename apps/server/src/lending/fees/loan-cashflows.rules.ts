import type { MarketSums, ToldEvent } from './cashflows.store.ts'
import { splitFlatFee } from './fee-split.rules.ts'

const figure = (event: ToldEvent, name: string): bigint => BigInt(event.effect[name] ?? '0')

/** Events that say what the splits before them were for. */
const closers = new Set([
  'market.LoanRepaid',
  'market.LiquidationDebtApplied',
  'market.RealizationSettled',
  'market.LateProceeds',
  'market.RealizationWrittenOff',
])

type Figures = Record<
  Exclude<
    keyof MarketSums,
    | 'syncedBlock'
    | 'events'
    | 'pendingFinality'
    | 'realizationSplits'
    | 'unitemisedSplits'
    | 'infrastructurePaid'
    | 'operatorPaid'
    | 'distributorPaid'
    | 'distributorPaidToVaults'
    | 'insurancePaid'
  >,
  bigint
>

const nothing = (): Figures => ({
  infrastructureInterest: 0n,
  operatorInterest: 0n,
  distributorInterest: 0n,
  unallocatedInterest: 0n,
  insuranceInterest: 0n,
  providersInterest: 0n,
  infrastructureFees: 0n,
  operatorFees: 0n,
  distributorFees: 0n,
  unallocatedFees: 0n,
  repaidAdvances: 0n,
  interestRepaid: 0n,
  interestRecovered: 0n,
  openFees: 0n,
  repayFees: 0n,
})

const legs = ['infrastructure', 'operator', 'distributor', 'insurance', 'providers'] as const
const wholeOf = (split: ToldEvent) => legs.reduce((sum, leg) => sum + figure(split, leg), 0n)

export interface LoanSums {
  readonly figures: Figures
  readonly events: number
  readonly pendingFinality: number
  readonly realizationSplits: number
  /** Interest in the splits of repayments, to be held against what the repayments say themselves. */
  readonly splitOnRepayment: bigint
  readonly realizationIds: readonly bigint[]
  /** Cash of a liquidation paid down what the loan still owed. */
  readonly hasAppliedDebt: boolean
}

/** What one loan brought, from the events of the transactions that touched it, in order. */
export function sumLoan(events: readonly ToldEvent[], loanId: string): LoanSums {
  const figures = nothing()
  const claims = new Map<string, bigint>()
  const advanced = new Map<string, bigint>()
  let waiting: ToldEvent[] = []
  let realizationSplits = 0
  let splitOnRepayment = 0n
  let hasAppliedDebt = false
  let own = 0
  let pendingFinality = 0

  const isOwn = ({ effect }: ToldEvent) =>
    effect.loanId === loanId || (effect.realizationId !== undefined && claims.has(effect.realizationId))
  const count = (event: ToldEvent) => {
    own += 1
    if (!event.isFinal) pendingFinality += 1
  }

  function bookSplit(split: ToldEvent) {
    count(split)
    figures.infrastructureInterest += figure(split, 'infrastructure')
    figures.operatorInterest += figure(split, 'operator')
    figures[split.unallocated ? 'unallocatedInterest' : 'distributorInterest'] += figure(split, 'distributor')
    figures.insuranceInterest += figure(split, 'insurance')
    figures.providersInterest += figure(split, 'providers')
  }

  function bookFee(event: ToldEvent) {
    const fee = figure(event, 'fee')
    const parts = splitFlatFee(fee)
    figures[event.operation === 'market.OpenFeeCharged' ? 'openFees' : 'repayFees'] += fee
    figures.infrastructureFees += parts.infrastructure
    figures.operatorFees += parts.operator
    figures[event.unallocated ? 'unallocatedFees' : 'distributorFees'] += parts.distributor
  }

  function close(event: ToldEvent) {
    for (const split of waiting) bookSplit(split)
    const whole = waiting.reduce((sum, split) => sum + wholeOf(split), 0n)
    if (event.operation === 'market.LoanRepaid') {
      figures.interestRepaid += figure(event, 'interest')
      splitOnRepayment += whole
    } else {
      figures.interestRecovered += whole
      realizationSplits += waiting.length
    }
    const id = event.effect.realizationId ?? ''
    if (event.operation === 'market.LiquidationDebtApplied') hasAppliedDebt = true
    if (event.operation === 'market.LateProceeds') figures.repaidAdvances += figure(event, 'toFund')
    if (event.operation === 'market.RealizationSettled') {
      const beyond = figure(event, 'proceeds') - (claims.get(id) ?? 0n)
      const owed = advanced.get(id) ?? 0n
      if (beyond > 0n) figures.repaidAdvances += beyond < owed ? beyond : owed
    }
  }

  for (const event of events) {
    const { operation, effect } = event
    if (operation === 'market.InterestSplit') {
      waiting.push(event)
      continue
    }
    if (operation === 'market.LoanLiquidated' && effect.loanId === loanId)
      claims.set(effect.realizationId ?? '', figure(event, 'claim'))
    if (isOwn(event)) {
      count(event)
      if (operation === 'market.WrittenOffAtSeizure') advanced.set(effect.realizationId ?? '', figure(event, 'covered'))
      if (operation === 'market.OpenFeeCharged' || operation === 'market.RepayFeeCharged') bookFee(event)
      if (closers.has(operation)) close(event)
    }
    if (closers.has(operation)) waiting = []
  }
  return {
    figures,
    events: own,
    pendingFinality,
    realizationSplits,
    splitOnRepayment,
    realizationIds: [...claims.keys()].map(BigInt),
    hasAppliedDebt,
  }
}
