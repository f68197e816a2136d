import { type Amount, BPS, divideDown, exact, notionalDown, plus } from '../amounts.ts'
import type { Order } from '../unit/order.ts'

type Fees = Pick<Order, 'baseCarry' | 'quoteCarry' | 'maxFeeBps'>

/** Most fee that a quantity can still cost at prices up to this one, with what is carried from earlier fills. */
export function largestFee(fees: Fees, quantity: Amount, price: Amount): Amount {
  const { baseCarry, quoteCarry, maxFeeBps } = fees
  if (maxFeeBps === 0) return 0
  if (typeof quantity === 'bigint' || quoteCarry !== 0) return largestFeeInBigints(fees, quantity, price)
  const baseDue = baseCarry + quantity * maxFeeBps
  if (baseDue > Number.MAX_SAFE_INTEGER) return largestFeeInBigints(fees, quantity, price)
  return baseDue > 0 ? notionalDown(divideDown(baseDue, BPS), price) : 0
}

function largestFeeInBigints({ baseCarry, quoteCarry, maxFeeBps }: Fees, quantity: Amount, price: Amount): Amount {
  const baseDue = BigInt(baseCarry) + BigInt(quantity) * BigInt(maxFeeBps)
  const base = baseDue > 0n ? baseDue / 10_000n : 0n
  const quoteDue = BigInt(quoteCarry) + base * BigInt(price)
  return quoteDue > 0n ? exact(quoteDue / 1_000_000n) : 0
}

/**
 * What must stay reserved so that the rest of an order can always be paid: base for a sell; for a buy the notional at its
 * limit and the largest fee. Fills round down one by one, so together they never take more.
 */
export function reservationNeeded(order: Order, quantity: Amount, price: Amount): Amount {
  return order.side === 'SELL' ? quantity : plus(notionalDown(quantity, price), largestFee(order, quantity, price))
}
