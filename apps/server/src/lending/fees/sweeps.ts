import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { ConfirmedEffect } from '../../writes/index.ts'
import { assetOf, type Market } from '../core/index.rules.ts'
import { feeState, feeStateReads } from './fee-state.reads.ts'

export const NOTE =
  'Any wallet may sign; the signer gets nothing. The market pays what is booked when the transaction is mined, which can be more than quoted here.'

export function amounts(market: Market, raw: bigint) {
  return { amount: formatUnits(raw, market.borrowDecimals), amountRaw: raw.toString() }
}

/** What is booked and whom it goes to; `pool` is null where the market did not answer. */
export async function readBooked(chain: Chain, market: Market) {
  const { block, results } = await chain.read(feeStateReads(market.address))
  return { block, ...feeState(results) }
}

/** What every build says of fees that anybody may send to where they belong. */
export const sweepAnswer = (market: Market, raw: bigint, what: string) => ({
  description: `Pays the booked ${what} of ${amounts(market, raw).amount} ${market.borrowSymbol}.`,
  permissionless: true,
  requiredRole: null,
  requiredSigner: null,
  note: NOTE,
  ...amounts(market, raw),
  asset: assetOf(market),
})

/** What every confirmed sweep says: from the event, never from the request. */
export const sweptAnswer = (market: Market, { effect, transaction }: ConfirmedEffect<{ readonly amount: bigint }>) => ({
  signedBy: transaction.from,
  ...amounts(market, effect.amount),
  at: new Date(transaction.block.time * 1000).toISOString(),
})
