import { formatUnits } from '../../platform/amounts.rules.ts'
import { approveStep, type PlannedStep } from '../../platform/chain/unsigned-call.ts'
import type { Market } from '../core/index.rules.ts'

/** What the holder signs before a pledge: custody has to be allowed to take the collateral, a freeze needs no leave. */
export function stepsBeforePledge(market: Market, amount: bigint): PlannedStep[] {
  if (market.mode === 'FREEZE') return []
  const shown = `${formatUnits(amount, market.collateralDecimals)} ${market.collateralSymbol}`
  const approval = `Lets the adapter of the market take ${shown}.`
  return [approveStep(market.collateralToken, market.adapter, amount, approval)]
}
