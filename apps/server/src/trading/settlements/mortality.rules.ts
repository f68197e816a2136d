import { type Hex, isAddressEqual } from 'viem'
import { fitsPrefix, isFillTooSmall, isUnreadable, type SaltPrefix } from '../signed/index.rules.ts'
import { fillOf, type Market, type SignedSide, type StagedTrade } from './staged-trade.rules.ts'

/** What the custody contract says about an order at one block. */
export interface OrderOnChain {
  readonly isCancelled: boolean
  /** Smallest units of the token. */
  readonly filled: bigint
  readonly nonceFloor: bigint
  readonly saltPrefix: SaltPrefix
}

/** Why a trade can never settle. Whatever may still change (money, pauses, rules, wallets that change their mind) is none of these. */
export type NeverReason =
  | 'ORDER_CANCELLED'
  | 'ORDER_EXPIRED'
  | 'NONCE_BELOW_FLOOR'
  | 'ORDER_BEFORE_SPLIT'
  | 'ORDER_OVERFILLED'
  | 'SELF_TRADE'
  | 'SIDE_MISMATCH'
  | 'MARKET_MISMATCH'
  | 'PRICE_OUTSIDE_LIMIT'
  | 'FILL_TOO_SMALL'
  | 'SETTLED_DIFFERENTLY'

export interface Never {
  readonly reason: NeverReason
  /** The order that is dead, when it is one of the two and not the pair. */
  readonly deadOrder: SignedSide | null
}

export const neverMessages: Readonly<Record<NeverReason, string>> = {
  ORDER_CANCELLED: 'One of the two orders was cancelled on chain.',
  ORDER_EXPIRED: 'The signature of one of the two orders has expired.',
  NONCE_BELOW_FLOOR: 'One of the traders has raised the nonce floor above the order.',
  ORDER_BEFORE_SPLIT: 'One of the two orders was signed before the token, or what it is paid with, was split.',
  ORDER_OVERFILLED: 'One of the two orders has less left on chain than the trade.',
  SELF_TRADE: 'Both orders are of one wallet.',
  SIDE_MISMATCH: 'Both orders are on one side.',
  MARKET_MISMATCH: 'The two orders name different tokens.',
  PRICE_OUTSIDE_LIMIT: 'The price is outside the limit of one of the two orders.',
  FILL_TOO_SMALL: 'The trade is worth too little for the contract.',
  SETTLED_DIFFERENTLY: 'The contract has settled something else under the name of this trade.',
}

/** What the two signatures alone make impossible, whatever the chain says. */
function neverByTerms(trade: StagedTrade, market: Market): Never | null {
  const { maker, taker, quantity, price } = fillOf(trade, market)
  const pair = (reason: NeverReason): Never => ({ reason, deadOrder: null })
  if (!isAddressEqual(maker.token, taker.token) || !isAddressEqual(maker.quote, taker.quote))
    return pair('MARKET_MISMATCH')
  if (maker.isBuy === taker.isBuy) return pair('SIDE_MISMATCH')
  if (isAddressEqual(maker.trader, taker.trader)) return pair('SELF_TRADE')
  if ([maker, taker].some((order) => (order.isBuy ? price > order.price : price < order.price)))
    return pair('PRICE_OUTSIDE_LIMIT')
  return isFillTooSmall(quantity, price, market.baseDecimals) ? pair('FILL_TOO_SMALL') : null
}

/** A contract that cannot read the splits of a token may be able to later. */
const isBeforeSplit = (salt: Hex, prefix: SaltPrefix): boolean => !isUnreadable(prefix) && !fitsPrefix(salt, prefix)

/** Why an order can never give this much again, once the chain has said this at a block that stays. */
function neverByOrder(
  { order }: SignedSide,
  onChain: OrderOnChain,
  quantity: bigint,
  blockTime: number,
): NeverReason | null {
  if (onChain.isCancelled) return 'ORDER_CANCELLED'
  if (BigInt(blockTime) > order.expiry) return 'ORDER_EXPIRED'
  if (order.nonce < onChain.nonceFloor) return 'NONCE_BELOW_FLOOR'
  if (isBeforeSplit(order.salt, onChain.saltPrefix)) return 'ORDER_BEFORE_SPLIT'
  return order.quantity - onChain.filled < quantity ? 'ORDER_OVERFILLED' : null
}

/** Whether a trade that is not settled at a block can settle in any block after it. Null: it can. */
export function neverAfter(
  trade: StagedTrade,
  market: Market,
  onChain: { readonly maker: OrderOnChain; readonly taker: OrderOnChain },
  blockTime: number,
): Never | null {
  const byTerms = neverByTerms(trade, market)
  if (byTerms) return byTerms
  const { quantity } = fillOf(trade, market)
  for (const side of ['maker', 'taker'] as const) {
    const reason = neverByOrder(trade[side], onChain[side], quantity, blockTime)
    if (reason) return { reason, deadOrder: reason === 'ORDER_OVERFILLED' ? null : trade[side] }
  }
  return null
}
