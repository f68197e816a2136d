import type { Side } from '../../src/terms.ts'

interface Entry {
  readonly side: Side
  readonly price: bigint
  readonly quantity: bigint
}

const size = (value: bigint): bigint => (value < 0n ? -value : value)

/** Tries every price that somebody named, and ranks the outcomes. */
export function clear(entries: readonly Entry[], reference: bigint | null): bigint | null {
  const outcomes = entries.map(({ price }) => {
    const demand = total(entries.filter((entry) => entry.side === 'BUY' && entry.price >= price))
    const supply = total(entries.filter((entry) => entry.side === 'SELL' && entry.price <= price))
    const volume = demand < supply ? demand : supply
    return {
      price,
      volume,
      imbalance: size(demand - supply),
      distance: reference === null ? 0n : size(price - reference),
    }
  })
  const ranked = outcomes.sort(
    (a, b) =>
      order(b.volume, a.volume) ||
      order(a.imbalance, b.imbalance) ||
      order(a.distance, b.distance) ||
      order(a.price, b.price),
  )
  const [best] = ranked
  return best === undefined || best.volume === 0n ? null : best.price
}

const order = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)
const total = (entries: readonly Entry[]): bigint => entries.reduce((all, { quantity }) => all + quantity, 0n)
