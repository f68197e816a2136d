import type { ConfirmedEffect } from '../../intents/index.ts'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Effect } from '../../platform/chain/call-pair.ts'
import type { Market } from '../market/market.store.ts'
import { shownShares } from '../pool.rules.ts'
import { assetOf } from './liquidity-request.ts'

/** What a confirmed movement of the pool says: from the event, never from the request. */
export function movedFacts(market: Market, { effect, transaction, verifiedBy }: ConfirmedEffect<Effect>) {
  const amount = BigInt(String(effect.amount))
  return {
    txHash: transaction.hash,
    ...(verifiedBy ? { verifiedBy } : {}),
    signedBy: transaction.from,
    provider: String(effect.provider),
    amount: formatUnits(amount, market.borrowDecimals),
    amountRaw: amount.toString(),
    asset: assetOf(market),
    at: new Date(transaction.block.time * 1000).toISOString(),
    shares: shownShares(BigInt(String(effect.shares))),
  }
}
