import { formatUnits } from '../../platform/amounts.rules.ts'
import type { ConfirmedEffect } from '../../writes/index.ts'
import { assetOf, type Market } from '../core/index.rules.ts'

interface Movement {
  readonly provider: string
  readonly amount: bigint
  readonly shares: bigint
}

/** What a confirmed movement of the pool says: from the event, never from the request. */
export const movedAnswer = (market: Market, { effect, transaction }: ConfirmedEffect<Movement>) => ({
  signedBy: transaction.from,
  provider: effect.provider,
  amount: formatUnits(effect.amount, market.borrowDecimals),
  amountRaw: effect.amount.toString(),
  asset: assetOf(market),
  at: new Date(transaction.block.time * 1000).toISOString(),
})
