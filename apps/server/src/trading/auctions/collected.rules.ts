import type { EndReason } from '@tallystick/engine'
import type { Hindrance } from '../signed/index.rules.ts'

/** One order that an auction has collected. Amounts in order book units. */
export interface CollectedOrder {
  readonly orderId: string
  readonly holder: string
  readonly side: 'BUY' | 'SELL'
  readonly price: bigint
  readonly stpMode: string
  readonly remaining: bigint
  /** What it spends at its limit, fees left out: base for a sell, quote for a buy. */
  readonly reserved: bigint
}

/** What stands against an order: it ends, or, when the token is at fault, nobody's order can be settled now. */
export type Verdict = EndReason | 'WAIT' | null

/** A token that rests refuses everybody, for a while. */
const OF_THE_TOKEN = /(PAUSED|SPLIT_UNDER_WAY)$/

export const verdictOf = (hindrance: Hindrance | null): Verdict =>
  hindrance && (hindrance.fault === 'TOKEN' || OF_THE_TOKEN.test(hindrance.rule) ? 'WAIT' : 'DELIVERY_NOT_ALLOWED')

/**
 * Orders that cross an older one of the same trader and may not trade with it: because one of them says so, or, on chain, because no two of
 * a wallet can settle. What they pretend to trade would move the price at which everybody else does.
 */
export function crossingOwn(oldestFirst: readonly CollectedOrder[], isOnChain: boolean): Set<string> {
  const kept = new Map<string, CollectedOrder[]>()
  const crossing = new Set<string>()
  for (const order of oldestFirst) {
    const own = kept.get(order.holder) ?? []
    const crosses = ({ side, price, stpMode }: CollectedOrder) =>
      side !== order.side &&
      (order.side === 'BUY' ? order.price >= price : order.price <= price) &&
      (isOnChain || order.stpMode !== 'NONE' || stpMode !== 'NONE')
    if (own.some(crosses)) crossing.add(order.orderId)
    else kept.set(order.holder, [...own, order])
  }
  return crossing
}
