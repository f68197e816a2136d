import type { Place } from '../../src/commands.ts'
import { worth } from './naive-money.ts'
import { amountOf, band, insist, MOST, type NaiveBook } from './naive-state.ts'

export function checkForm(book: NaiveBook, placed: Place, now: number): void {
  const { type, postOnly, timeInForce, budget, side, maxFee, price, expiresAt } = placed
  const isAuction = book.auction !== null
  if (type === 'MARKET') {
    insist(!isAuction, 'PRICE_REQUIRED')
    insist(!postOnly && price === undefined, 'VALIDATION_ERROR')
    insist(budget === undefined || (side === 'BUY' && budget >= 0), 'VALIDATION_ERROR')
  } else {
    insist(price !== undefined, 'PRICE_REQUIRED')
    insist(budget === undefined, 'VALIDATION_ERROR')
    insist(!postOnly || (timeInForce === 'GTC' && !isAuction), 'VALIDATION_ERROR')
    insist(!(timeInForce === 'FOK' && isAuction), 'VALIDATION_ERROR')
  }
  insist(maxFee === undefined || maxFee >= 0, 'VALIDATION_ERROR')
  insist(expiresAt === undefined || expiresAt > now, 'INVALID_ORDER_EXPIRY')
}

export function checkQuantity({ rules }: NaiveBook, quantity: bigint): void {
  insist(quantity > 0n && quantity <= MOST, 'INVALID_QUANTITY')
  const step = amountOf(rules.lotSize)
  insist(quantity % step === 0n, 'INVALID_QUANTITY', { step })
  insist(quantity >= amountOf(rules.minOrderSize), 'ORDER_TOO_SMALL')
  insist(rules.maxOrderSize === null || quantity <= amountOf(rules.maxOrderSize), 'ORDER_TOO_LARGE')
}

export function checkPrice({ rules, reference, spread }: NaiveBook, price: bigint, isExempt: boolean): void {
  insist(price > 0n && price <= MOST, 'INVALID_PRICE')
  const step = amountOf(rules.tickSize)
  insist(price % step === 0n, 'INVALID_PRICE', { step })
  if (isExempt || reference === null || spread === null) return
  const { lower, upper } = band(reference, spread)
  const details = { referencePrice: reference, lowerBound: lower, upperBound: upper, spreadBps: spread }
  insist(price >= lower && price <= upper, 'PRICE_OUTSIDE_BAND', details)
}

export function checkWorth(quantity: bigint, price: bigint, bps: bigint, maxFee: bigint | null): void {
  const fee = worth((quantity * bps) / 10_000n, price)
  insist(worth(quantity, price) > 0n, 'ORDER_TOO_SMALL')
  insist(worth(quantity, price) + fee <= MOST, 'ORDER_TOO_LARGE')
  insist(maxFee === null || fee <= maxFee, 'FEE_ABOVE_LIMIT')
}

export function checkRules(rules: NaiveBook['rules']): void {
  const [tick, lot, smallest, largest] = [rules.tickSize, rules.lotSize, rules.minOrderSize, rules.maxOrderSize]
  insist(
    [tick, lot].every((size) => amountOf(size) > 0n && amountOf(size) <= MOST),
    'INVALID_CONFIG',
  )
  insist(amountOf(smallest) >= 0n && amountOf(smallest) <= MOST, 'INVALID_CONFIG')
  const isLargestFit = amountOf(largest) > 0n && amountOf(largest) <= MOST && amountOf(largest) >= amountOf(smallest)
  insist(largest === null || isLargestFit, 'INVALID_CONFIG')
  for (const bps of [rules.makerFeeBps, rules.takerFeeBps])
    insist(amountOf(bps) >= 0n && amountOf(bps) <= 1000n, 'INVALID_CONFIG')
  const rebate = amountOf(rules.mmMakerRebateBps)
  insist(rebate >= -1000n && rebate <= 1000n, 'INVALID_CONFIG')
}
