import { type Decimal, divide, fromInteger, parseDecimal, times } from '../lib/decimal.ts'
import { t } from '../texts/index.ts'

const DIGITS = 4
const EVERYTHING = fromInteger(10_000n)
const bpsOf = (bps: string | number) => parseDecimal(String(bps))

/** What is wrong with a typed amount, before anybody is asked. Nothing typed is nothing wrong. */
export function amountFault(typed: string): string | undefined {
  if (typed.trim() === '') return undefined
  const value = parseDecimal(typed)
  if (value === undefined) return t.loans.notNumber
  return value.units <= 0n ? t.loans.positive : undefined
}

/** An amount as the service takes it, once it is one. */
export function typedAmount(typed: string): Decimal | undefined {
  const value = parseDecimal(typed)
  return value === undefined || value.units <= 0n ? undefined : value
}

/** What collateral carries at a share of its value. */
export function carried(collateral: Decimal, price: string, bps: string | number): Decimal | undefined {
  const [each, share] = [parseDecimal(price), bpsOf(bps)]
  if (!each || !share) return undefined
  const value = times(times(collateral, each), share)
  return { units: value.units, scale: value.scale + DIGITS }
}

/** Collateral at the liquidation threshold over the debt; without debt there is none. */
export function healthOf(
  collateral: Decimal,
  price: string,
  thresholdBps: string | number,
  debt: Decimal,
): Decimal | undefined {
  const backing = carried(collateral, price, thresholdBps)
  return backing === undefined || debt.units === 0n ? undefined : divide(backing, debt, DIGITS)
}

/** A figure moved by a share of itself, in basis points. */
export const shifted = (value: Decimal, byBps: number): Decimal =>
  divide(times(value, fromInteger(BigInt(10_000 + byBps))), EVERYTHING, Math.max(value.scale, DIGITS))
