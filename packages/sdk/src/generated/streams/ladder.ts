// Copied by npm run sdk from packages/wire/src/streams. Do not edit.
import type { StreamLevel } from './book-messages.ts'
import { crc32 } from './crc32.ts'

/** How many levels of each side the checksum covers. */
const CHECKED_LEVELS = 25

/** Whole numbers without leading zeros compare by length first: no conversion, whatever their size. */
const isLess = (a: string, b: string): boolean => (a.length === b.length ? a < b : a.length < b.length)

interface Side {
  set(level: StreamLevel): void
  /** Best first. */
  best(limit?: number): StreamLevel[]
}

/** Levels by price, the best one last, so that what changes most costs least to move. */
function createSide(isWorse: (price: string, than: string) => boolean): Side {
  const levels: StreamLevel[] = []

  /** How many levels are worse than the price. */
  function placeOf(price: string): number {
    let [low, high] = [0, levels.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const level = levels[middle]
      if (level && isWorse(level.price, price)) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    set(level) {
      const place = placeOf(level.price)
      const known = levels[place]?.price === level.price ? 1 : 0
      if (level.quantity === '0') levels.splice(place, known)
      else levels.splice(place, known, level)
    },
    best: (limit = levels.length) => levels.slice(Math.max(0, levels.length - limit)).reverse(),
  }
}

const textOf = (levels: readonly StreamLevel[]): string =>
  levels.map(({ price, quantity, orderCount }) => `${price}:${quantity}:${orderCount}`).join(',')

export interface Ladder {
  setBid(level: StreamLevel): void
  setAsk(level: StreamLevel): void
  bids(limit?: number): StreamLevel[]
  asks(limit?: number): StreamLevel[]
  /**
   * CRC-32 of the text `<bids>|<asks>`: of each side the 25 best levels, best first, each as `price:quantity:orderCount`, with commas
   * in between. An empty book is the text `|`.
   */
  checksum(): string
}

/** The levels of a book, kept by price. Both sides of a stream keep one: the server and whoever listens. */
export function createLadder(): Ladder {
  const bids = createSide(isLess)
  const asks = createSide((price, than) => isLess(than, price))
  return {
    setBid: bids.set,
    setAsk: asks.set,
    bids: bids.best,
    asks: asks.best,
    checksum: () => crc32(`${textOf(bids.best(CHECKED_LEVELS))}|${textOf(asks.best(CHECKED_LEVELS))}`),
  }
}
