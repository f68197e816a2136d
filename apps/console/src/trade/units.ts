import { parseDecimal, plainDecimal, writeDecimal } from '../lib/decimal.ts'

/** Order book units: six decimals, whatever the token has. */
const SCALE = 6
const UNIT = 1_000_000n
const BPS = 10_000n

/** What somebody typed, in units; nothing where it is no number above zero or finer than a unit. */
export function typedUnits(text: string): bigint | undefined {
  const value = parseDecimal(text)
  if (value === undefined || value.units <= 0n) return undefined
  const finer = value.scale - SCALE
  if (finer <= 0) return value.units * 10n ** BigInt(-finer)
  const power = 10n ** BigInt(finer)
  return value.units % power === 0n ? value.units / power : undefined
}

/** As a field takes it. */
export const plainUnits = (units: bigint): string => plainDecimal({ units, scale: SCALE })

/** For people, with so many digits at least. */
export const showUnits = (units: bigint | string, least = 2): string =>
  writeDecimal({ units: BigInt(units), scale: SCALE }, { least })

/** How many digits a price on this tick has at least, so that all of them stand in one column; a very fine tick is rarely used to its end. */
export function digitsOf(tickSize: string): number {
  const fraction = (BigInt(tickSize) % UNIT).toString().padStart(SCALE, '0').replace(/0+$/, '')
  return fraction.length > 4 ? 2 : Math.max(2, fraction.length)
}

export const notionalDown = (quantity: bigint, price: bigint): bigint => (quantity * price) / UNIT

/** The most that an order can be charged, as the engine counts it. */
export const largestFee = (quantity: bigint, price: bigint, bps: number): bigint =>
  notionalDown((quantity * BigInt(bps)) / BPS, price)

/** What an order holds back while it lives: base for a sell; for a buy its value at the limit and the largest fee. */
export function reservationOf(side: 'BUY' | 'SELL', quantity: bigint, price: bigint, bps: number): bigint {
  return side === 'SELL' ? quantity : notionalDown(quantity, price) + largestFee(quantity, price, bps)
}

interface Level {
  readonly price: string
  readonly quantity: string
}

/** What a market order would cost or bring on the levels that are there; `left` finds nobody. */
export function walk(levels: readonly Level[], quantity: bigint): { notional: bigint; left: bigint } {
  let [notional, left] = [0n, quantity]
  for (const level of levels) {
    if (left === 0n) break
    const here = BigInt(level.quantity)
    const taken = here < left ? here : left
    notional += notionalDown(taken, BigInt(level.price))
    left -= taken
  }
  return { notional, left }
}
