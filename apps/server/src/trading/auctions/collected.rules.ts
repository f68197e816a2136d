import type { EndReason, OrderView } from '@tallystick/engine'
import { bandOf } from '../books/index.rules.ts'
import type { Hindrance } from '../signed/index.rules.ts'
import { partyOf } from '../unit/index.rules.ts'

export type CollectedOrder = Pick<OrderView, 'id' | 'account' | 'side' | 'price' | 'selfTradePrevention' | 'bandExempt'>

/** What stands against an order: it ends, or, when the token is at fault, nobody's order can be settled now. */
export type Verdict = EndReason | 'WAIT' | null

/** A token that rests refuses everybody, for a while. */
const OF_THE_TOKEN = /(PAUSED|SPLIT_UNDER_WAY)$/

export const verdictOf = (hindrance: Hindrance | null): Verdict =>
  hindrance && (hindrance.fault === 'TOKEN' || OF_THE_TOKEN.test(hindrance.rule) ? 'WAIT' : 'DELIVERY_NOT_ALLOWED')

interface Permission {
  readonly status: string
  readonly permittedBooks: readonly string[] | null
}

/** An account that was suspended, or may not trade on this book any more. */
export const isBarred = (account: Permission | undefined, bookId: string): boolean =>
  account !== undefined && (account.status !== 'ACTIVE' || account.permittedBooks?.includes(bookId) === false)

interface Reference {
  readonly priceRefEnabled: boolean
  readonly priceRefLastPrice: bigint | null
  readonly priceRefSpreadBps: number | null
}

/** The first reference price ends nothing that rests; at the one price of an auction it binds all the same. */
export function isOutsideBand(book: Reference, { price, bandExempt }: Pick<CollectedOrder, 'price' | 'bandExempt'>) {
  const band = book.priceRefEnabled ? bandOf(book.priceRefLastPrice, book.priceRefSpreadBps) : null
  return band !== null && !bandExempt && (price < band.lower || price > band.upper)
}

/**
 * Orders that cross an older one of the same trader and may not trade with it: because one of them says so, or, on chain, because no two of
 * a wallet can settle. What they pretend to trade would move the price at which everybody else does.
 */
export function crossingOwn(oldestFirst: readonly CollectedOrder[], isOnChain: boolean): Set<string> {
  const kept = new Map<string, CollectedOrder[]>()
  const crossing = new Set<string>()
  for (const order of oldestFirst) {
    const { holder } = partyOf(order.account)
    const own = kept.get(holder) ?? []
    const crosses = ({ side, price, selfTradePrevention }: CollectedOrder) =>
      side !== order.side &&
      (order.side === 'BUY' ? order.price >= price : order.price <= price) &&
      (isOnChain || order.selfTradePrevention !== 'NONE' || selfTradePrevention !== 'NONE')
    if (own.some(crosses)) crossing.add(order.id)
    else kept.set(holder, [...own, order])
  }
  return crossing
}
