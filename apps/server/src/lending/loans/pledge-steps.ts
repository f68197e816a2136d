import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../market/market.store.ts'
import { approveStep, type PlannedStep } from '../steps.ts'

/** What the holder signs to pledge: custody has to be allowed to take the collateral first, a freeze needs no leave. */
export function pledgeSteps(market: Market, amount: bigint, pledging: PlannedStep): PlannedStep[] {
  if (market.mode === 'FREEZE') return [pledging]
  const shown = `${formatUnits(amount, market.collateralDecimals)} ${market.collateralSymbol}`
  const approval = `Lets the adapter of the market take ${shown}.`
  return [approveStep(market.collateralToken, market.adapter, amount, approval), pledging]
}
