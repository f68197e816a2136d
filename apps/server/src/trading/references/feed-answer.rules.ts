import { DECIMALS, MAX_UNITS } from '../books/index.rules.ts'

/** Why a feed gave no price, in a sentence for its owner. It never repeats what the feed said. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
}

const MOST_DIGITS = 30

function stepInto(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^\d{1,6}$/.test(step) ? (value[Number(step)] as unknown) : undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  return (value as Record<string, unknown>)[step]
}

/** A number without an exponent; undefined: it is none. */
function asPlainDecimal(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim()
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
}

/** To the nearest order book unit, halves up: a feed may be finer than a book. */
function unitsNearest(text: string): bigint | undefined {
  const match = /^(\d{1,60})(?:\.(\d+))?$/.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  if (whole.length > MOST_DIGITS) return undefined
  const kept = BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'))
  return (fraction[DECIMALS] ?? '0') >= '5' ? kept + 1n : kept
}

/** The price in the answer of a feed, in order book units. */
export function priceIn(body: string, path: string): bigint {
  let value: unknown
  try {
    value = JSON.parse(body) as unknown
  } catch {
    throw new FeedError('the feed did not answer JSON')
  }
  for (const step of path.split('.')) value = stepInto(value, step)
  const text = asPlainDecimal(value)
  const price = text === undefined ? undefined : unitsNearest(text)
  if (price === undefined) throw new FeedError(`the feed shows no price at ${path}`)
  if (price === 0n || price > MAX_UNITS) throw new FeedError(`the price of the feed at ${path} is out of range`)
  return price
}
