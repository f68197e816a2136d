import { interestOf, shareBase, totals } from '../market/books.ts'
import type { LendingState } from '../market/state.ts'
import { sum } from '../rules/arithmetic.ts'
import type { StepName } from './steps.ts'

/** Steps that can neither lose nor write off anything. */
const harmless: ReadonlySet<StepName> = new Set<StepName>([
  'addLiquidity',
  'removeLiquidity',
  'openLoan',
  'borrowMore',
  'repay',
  'closeLoan',
  'addCollateral',
  'withdrawCollateral',
  'updatePrice',
  'sweepInfrastructureFees',
  'sweepOperatorFees',
  'sweepProtocolFees',
  'sweepDistributorFees',
  'setConfig',
  'setRateMode',
  'syncRate',
  'topUpFund',
])

/** Rules that have to hold between two states at the same second, whoever computed them. */
export function brokenRules(name: StepName, before: LendingState, after: LendingState, now: bigint): string[] {
  const broken: string[] = []
  if (harmless.has(name) && before.pool.epoch === after.pool.epoch && before.pool.totalShares > 0n) {
    const [left, right] = [base(before, now), base(after, now)]
    const isLower = right.assets * left.shares < left.assets * right.shares
    if (isLower) broken.push(`${name}: the share price fell from ${show(left)} to ${show(right)}`)
  }
  const { pool } = after
  const books = sum([
    pool.cash,
    totals(after).held,
    pool.infrastructureFees,
    pool.operatorFees,
    pool.distributorFees,
    pool.protocolFees,
  ])
  const held = after.assets.get('market') ?? 0n
  if (held !== books) broken.push(`${name}: the market holds ${held} and owes ${books}`)
  return broken
}

function base(state: LendingState, now: bigint): { assets: bigint; shares: bigint } {
  const { totalAssets, totalShares, virtualShares } = shareBase(state, interestOf(state, now))
  return { assets: totalAssets + 1n, shares: totalShares + virtualShares }
}

function show({ assets, shares }: { assets: bigint; shares: bigint }): string {
  return `${assets}/${shares}`
}
