import { formatUnits } from '../../platform/amounts.rules.ts'
import { approveStep, type PlannedStep } from '../../platform/chain/unsigned-call.ts'
import { requireUnits } from '../../platform/values/amounts.ts'
import type { Market } from '../core/index.rules.ts'

/** What the router shall be allowed to take; null: it stays as it is. */
export const requireAllowance = (text: string | undefined, { borrowDecimals }: Market): bigint | null =>
  text === undefined ? null : requireUnits('allowance', text, borrowDecimals)

/** What is signed before a bid to get from one allowance to another. */
export function approvalsOf(market: Market, standing: bigint, wanted: bigint | null): PlannedStep[] {
  const { borrowAsset, router, borrowSymbol, borrowDecimals } = market
  if (wanted === null || wanted === standing) return []
  const approve = (raw: bigint, text: string) => approveStep(borrowAsset, router, raw, text)
  return [
    // Some assets change an allowance only from or to nothing.
    ...(wanted !== 0n && standing !== 0n ? [approve(0n, 'Takes the standing allowance back.')] : []),
    approve(wanted, `Lets the router take ${formatUnits(wanted, borrowDecimals)} ${borrowSymbol} in all.`),
  ]
}
