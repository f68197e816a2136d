import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { Market } from '../core/index.rules.ts'
import { buyerProblem, buyerReason } from './atomic.rules.ts'
import { deliveryRestriction } from './delivery.reads.ts'

interface Sale {
  readonly buyer: Address
  readonly collateral: bigint
  readonly offer: Parameters<typeof buyerProblem>[0]
}

/** A sale recipient that bids, can pay, and may receive the collateral. */
export async function requireBuyer(
  chain: Chain,
  market: Market,
  { buyer, collateral, offer }: Sale,
  refuse: Refuse<'ATOMIC_BUYER_UNAVAILABLE'>,
): Promise<void> {
  const { collateralToken: token, router, borrowDecimals } = market
  const isRefused = async () =>
    (await deliveryRestriction(chain, { token, from: router, to: buyer, amount: collateral })).code !== 0
  const reasonCode = buyerProblem(offer) ?? ((await isRefused()) ? 'DELIVERY_REFUSED' : null)
  if (!reasonCode) return
  const { bid, payment } = offer
  const expectedPayment =
    bid.priceFactorBps === 0n ? null : { amount: formatUnits(payment, borrowDecimals), raw: payment.toString() }
  throw refuse('ATOMIC_BUYER_UNAVAILABLE', {
    detail: buyerReason(reasonCode),
    extra: { details: { reasonCode, saleRecipient: buyer, routerAddress: router, expectedPayment } },
  })
}
