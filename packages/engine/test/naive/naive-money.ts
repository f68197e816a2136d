import { amountOf, leftOf, type NaiveBook, type NaiveFill, type NaiveOrder, sum } from './naive-state.ts'

/** All from the fills, anew each time: nothing is carried. */
export const worth = (quantity: bigint, price: bigint): bigint => (quantity * price) / 1_000_000n

const atLeastZero = (value: bigint): bigint => (value < 0n ? 0n : value)

export function makerBps(book: NaiveBook, isMarketMaker: boolean): bigint {
  const { makerFeeBps, mmMakerRebateBps } = book.rules
  return amountOf(isMarketMaker && mmMakerRebateBps !== null ? mmMakerRebateBps : makerFeeBps)
}

export function highestBps(book: NaiveBook, isMarketMaker: boolean): bigint {
  const rates = [0n, amountOf(book.rules.takerFeeBps), makerBps(book, isMarketMaker)]
  return rates.reduce((a, b) => (a > b ? a : b))
}

interface Due {
  readonly base: bigint
  readonly due: bigint
}

/** Whole fee that an order owes after one more quantity, less what its fills were charged. */
function feeDue(order: NaiveOrder, quantity: bigint, price: bigint, bps: bigint): Due {
  const charged = order.fills.filter((fill) => fill.bps > 0n)
  const baseParts = sum(charged.map((fill) => fill.quantity * fill.bps)) + quantity * bps
  const base = atLeastZero((baseParts - 10_000n * sum(charged.map((fill) => fill.feeBase))) / 10_000n)
  const quoteParts = sum(charged.map((fill) => fill.feeBase * fill.price)) + base * price
  const due = atLeastZero((quoteParts - 1_000_000n * sum(charged.map((fill) => fill.feeDue))) / 1_000_000n)
  return { base, due }
}

/** What of the signed fee falls to a part of the order as it was placed. */
export function shareOfFee({ placed }: NaiveOrder, quantity: bigint): bigint | null {
  return placed.maxFee === undefined ? null : (BigInt(placed.maxFee) * quantity) / BigInt(placed.quantity)
}

export type NewFill = Pick<NaiveFill, 'bps' | 'feeBase' | 'feeDue' | 'feeQuote'>

export function charge(order: NaiveOrder, quantity: bigint, price: bigint, bps: bigint): NewFill {
  if (bps <= 0n) return { bps: 0n, feeBase: 0n, feeDue: 0n, feeQuote: 0n }
  const { base, due } = feeDue(order, quantity, price, bps)
  const limited = due < worth(quantity, price) ? due : worth(quantity, price)
  const share = shareOfFee(order, quantity) ?? limited
  return { bps, feeBase: base, feeDue: limited, feeQuote: limited < share ? limited : share }
}

export function largestFeeFor(order: NaiveOrder, quantity: bigint, price: bigint): bigint {
  return order.highestBps === 0n ? 0n : feeDue(order, quantity, price, order.highestBps).due
}

export function needed(order: NaiveOrder, quantity = leftOf(order), price = order.price ?? 0n): bigint {
  return order.placed.side === 'SELL' ? quantity : worth(quantity, price) + largestFeeFor(order, quantity, price)
}
