import { formatUnits, parseUnits } from '../../platform/amounts.rules.ts'
import type { Refuse } from '../../platform/app-error.ts'
import { LARGEST_BOOKED, type Market } from '../core/index.rules.ts'

/** What a settlement brings itself; nothing is an amount too. */
export function requireProceeds(text: string, { borrowDecimals }: Market, refuse: Refuse<'INVALID_AMOUNT'>): bigint {
  const raw = parseUnits(text, borrowDecimals)
  if (raw === null || raw > LARGEST_BOOKED) throw refuse('INVALID_AMOUNT')
  return raw
}

interface Sold {
  readonly proceedsCollected: bigint
  readonly collateralRemaining: bigint
}

/** A settlement needs cash of its own and everything sold; or, with none, cash that an auction left with the market. */
export function requireSettleable(
  { proceedsCollected, collateralRemaining }: Sold,
  final: bigint,
  held: bigint,
  { collateralDecimals }: Market,
  refuse: Refuse<'SALE_NOT_REPORTED' | 'NO_PROCEEDS_COLLECTED' | 'COLLATERAL_UNSOLD'>,
): void {
  if (proceedsCollected + final === 0n) {
    if (held !== 0n) return
    throw refuse(collateralRemaining === 0n ? 'SALE_NOT_REPORTED' : 'NO_PROCEEDS_COLLECTED')
  }
  if (collateralRemaining !== 0n)
    throw refuse('COLLATERAL_UNSOLD', {
      extra: { collateralRemaining: formatUnits(collateralRemaining, collateralDecimals) },
    })
}
