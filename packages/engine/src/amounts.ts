/**
 * An amount in order book units (six decimals, a million is one whole unit), always exact: a number up to 2^53 - 1 and a
 * bigint above, never the other way round. So equal amounts are `===`, and `<` compares any two; for sums and products
 * there are the functions here, since TypeScript lets nobody add what may be either.
 *
 * Why the number path is exact: a sum, difference or product of whole numbers is rounded to the nearest double only where
 * it is beyond 2^53, and what is beyond 2^53 never rounds to something below. So a result of at most 2^53 - 1 is the true
 * one, and every other is computed again in bigint.
 */
export type Amount = number | bigint

const SAFE = Number.MAX_SAFE_INTEGER
export const UNIT = 1_000_000
export const BPS = 10_000
export const MAX_AMOUNT: Amount = 2n ** 63n - 1n

/** The one form of a whole number that may be given as either. */
export function exact(value: Amount): Amount {
  if (typeof value === 'number') return value
  return value <= SAFE && value >= -SAFE ? Number(value) : value
}

export const isAmount = (value: Amount): boolean =>
  typeof value === 'number' ? Number.isSafeInteger(value) && value > 0 : value > 0 && value <= MAX_AMOUNT
export const isWhole = (value: Amount): boolean => typeof value === 'bigint' || Number.isSafeInteger(value)

export function plus(a: Amount, b: Amount): Amount {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (sum <= SAFE && sum >= -SAFE) return sum
  }
  return plusInBigints(a, b)
}

export function minus(a: Amount, b: Amount): Amount {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (difference <= SAFE && difference >= -SAFE) return difference
  }
  return minusInBigints(a, b)
}

/** The difference of two that are not negative: as numbers it is always exact, and it is asked for most. */
export const less = (a: Amount, b: Amount): Amount =>
  typeof a === 'number' && typeof b === 'number' ? a - b : minusInBigints(a, b)

const plusInBigints = (a: Amount, b: Amount): Amount => exact(BigInt(a) + BigInt(b))
const minusInBigints = (a: Amount, b: Amount): Amount => exact(BigInt(a) - BigInt(b))

export const negative = (value: Amount): Amount => minus(0, value)
export const smaller = (a: Amount, b: Amount): Amount => (a < b ? a : b)
export const absolute = (value: Amount): Amount => (value < 0 ? negative(value) : value)

export function isMultiple(value: Amount, of: Amount): boolean {
  if (of === 1) return true
  if (typeof value === 'bigint' || typeof of === 'bigint') return BigInt(value) % BigInt(of) === 0n
  // Whole numbers of 32 bits, which most are, divide faster than others.
  if ((value | 0) === value && (of | 0) === of) return (value | 0) % (of | 0) === 0
  return divideDown(value, of) * of === value
}

/**
 * Floor of a / b for whole numbers 0 <= a <= 2^53 and b > 0. The quotient of two doubles is the nearest double, which is
 * off by less than a / b / 2^53, so by less than 1 / b; and that far every fraction is below its next integer.
 */
export const divideDown = (a: number, b: number): number => Math.floor(a / b)

/** Floor of a x b / c, none of them negative. */
export function timesOverDown(a: Amount, b: Amount, c: Amount): Amount {
  if (typeof a === 'number' && typeof b === 'number' && typeof c === 'number') {
    const product = a * b
    if (product <= SAFE) return divideDown(product, c)
  }
  return exact((BigInt(a) * BigInt(b)) / BigInt(c))
}

/** What a quantity costs at a price. */
export function notionalDown(quantity: Amount, price: Amount): Amount {
  if (typeof quantity === 'number' && typeof price === 'number') {
    const product = quantity * price
    if (product <= SAFE) return divideDown(product, UNIT)
    // By whole units and fractions of both. All parts are whole and none is negative, so none exceeds the result.
    const wholes = divideDown(price, UNIT)
    const fraction = price - wholes * UNIT
    const quantityWholes = divideDown(quantity, UNIT)
    const quantityFraction = quantity - quantityWholes * UNIT
    const notional = quantity * wholes + quantityWholes * fraction + divideDown(quantityFraction * fraction, UNIT)
    if (notional <= SAFE) return notional
  }
  return exact((BigInt(quantity) * BigInt(price)) / 1_000_000n)
}

/** Would the quantity cost less than one unit? Asked often, so without the division. */
export const isWorthless = (quantity: Amount, price: Amount): boolean =>
  typeof quantity === 'number' && typeof price === 'number'
    ? quantity * price < UNIT
    : BigInt(quantity) * BigInt(price) < 1_000_000n
