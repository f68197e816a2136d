import { type Amount, absolute, minus, plus, smaller } from '../amounts.ts'
import type { Side } from '../terms.ts'

/** An order as an auction sees it. */
export interface Bid {
  readonly side: Side
  readonly price: Amount
  readonly remaining: Amount
}

export interface Clearing {
  readonly price: Amount
  readonly volume: Amount
}

interface Candidate extends Clearing {
  readonly imbalance: Amount
  readonly distance: Amount
}

/**
 * The price among those asked and offered at which most is traded; then the one that leaves less over; then the one
 * nearest to the reference; then the lower one. Null where nothing crosses.
 */
export function clearingPrice(bids: readonly Bid[], reference: Amount | null): Clearing | null {
  const prices = [...new Set(bids.map(({ price }) => price))].sort((a, b) => (a < b ? -1 : 1))
  const supplied = sums(bids, 'SELL')
  const demanded = sums(bids, 'BUY')
  let supply: Amount = 0
  let demand = [...demanded.values()].reduce(plus, 0)
  let best: Candidate | null = null
  for (const price of prices) {
    supply = plus(supply, supplied.get(price) ?? 0)
    const candidate = {
      price,
      volume: smaller(supply, demand),
      imbalance: absolute(minus(supply, demand)),
      distance: reference === null ? 0 : absolute(minus(price, reference)),
    }
    if (best === null || isBetter(candidate, best)) best = candidate
    demand = minus(demand, demanded.get(price) ?? 0)
  }
  return best === null || best.volume === 0 ? null : { price: best.price, volume: best.volume }
}

function sums(bids: readonly Bid[], side: Side): Map<Amount, Amount> {
  const total = new Map<Amount, Amount>()
  for (const bid of bids) if (bid.side === side) total.set(bid.price, plus(total.get(bid.price) ?? 0, bid.remaining))
  return total
}

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.volume !== b.volume) return a.volume > b.volume
  if (a.imbalance !== b.imbalance) return a.imbalance < b.imbalance
  return a.distance < b.distance
}
