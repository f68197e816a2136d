import type { BookRules, OpenBook } from '../../src/commands.ts'
import type { Dice } from './dice.ts'

/** How large amounts are in one run: each scale reaches other corners of the arithmetic. */
export interface World {
  readonly scale: 'dust' | 'usual' | 'sparse' | 'wide'
  readonly middle: bigint
  readonly tick: bigint
  readonly largest: bigint
  /** Prices are so many ticks around the middle. */
  readonly width: number
  readonly books: readonly OpenBook[]
}

const SCALES = {
  /** Prices and sizes where a fill can be worth less than one unit. */
  dust: { middle: 400_000n, tick: 1n, largest: 60n, width: 12 },
  usual: { middle: 104_200_000n, tick: 10_000n, largest: 50_000_000n, width: 12 },
  /** Many prices with an order or none. */
  sparse: { middle: 104_200_000n, tick: 10_000n, largest: 50_000_000n, width: 400 },
  /** Around 2^53 and up to the largest amount there is. */
  wide: { middle: 9_007_199_254n, tick: 1n, largest: 900_000_000_000_000n, width: 12 },
} as const

export const ACCOUNTS = ['ada', 'bob', 'cem', 'dia', 'eve'] as const

export function drawRules(dice: Dice, tickSize: bigint): BookRules {
  return {
    tickSize,
    lotSize: dice.chance(0.7) ? 1n : 2n,
    minOrderSize: dice.chance(0.7) ? 0n : 3n,
    maxOrderSize: null,
    makerFeeBps: dice.pick([0, 5, 37, 1000]),
    takerFeeBps: dice.pick([0, 15, 101, 1000]),
    mmMakerRebateBps: dice.pick([null, -3, -40, -1000, 2]),
    rollUnmatched: dice.chance(0.7),
  }
}

/** Three books that may pool, two of them of one instance, and one of another pair. */
export function drawWorld(dice: Dice): World {
  const scale = dice.pick(['dust', 'usual', 'usual', 'sparse', 'wide'] as const)
  const { middle, tick, largest, width } = SCALES[scale]
  const isStaged = dice.chance(0.6)
  const open = (book: string, instance: string, base: string): OpenBook => ({
    kind: 'openBook',
    at: 0,
    book,
    instance,
    base,
    quote: 'cash',
    rules: drawRules(dice, tick),
    staged: isStaged,
    pooled: base === 'share' && dice.chance(0.6),
  })
  const books = [
    open('a', 'one', 'share'),
    open('b', 'one', 'share'),
    open('c', 'two', 'share'),
    open('d', 'one', 'bond'),
  ]
  return { scale, middle, tick, largest, width, books }
}
