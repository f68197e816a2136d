import { concat, type Hex, size, slice } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { BookRow } from '../books/books.service.ts'
import { CHAIN_FEE_LIMIT, exactChainAmount, stepOf } from './chain-units.rules.ts'
import { fitsPrefix, NO_PREFIX } from './signed-order.rules.ts'

const MINUTE = 60
const DAY = 86_400
export const DEFAULT_LIFE = 7 * DAY
const LONGEST_LIFE = 90 * DAY

/** When somebody is about to sign, there must be time to send it; what was signed only has to lie ahead. */
export function requireExpiry(expiry: number, now: number, isSigned: boolean): number {
  const soonest = isSigned ? now + 1 : now + MINUTE
  if (!Number.isSafeInteger(expiry) || expiry < soonest || expiry > now + LONGEST_LIFE)
    throw new AppError('INVALID_ORDER_EXPIRY')
  return expiry
}

export function requireNonce(text: string): bigint {
  const nonce = BigInt(text)
  if (nonce >= 2n ** 64n) throw new AppError('INVALID_ORDER_NONCE')
  return nonce
}

export function requireSalt(salt: Hex, prefix: Hex): Hex {
  if (!fitsPrefix(salt, prefix))
    throw new AppError('INVALID_ORDER_SALT', { detail: `salt must begin with ${prefix}: the token was split.` })
  return salt
}

export const saltFrom = (bytes: Hex, prefix: Hex): Hex =>
  prefix === NO_PREFIX ? bytes : concat([prefix, slice(bytes, size(prefix))])

export function requireMaxFee(text: string): bigint {
  const maxFee = BigInt(text)
  if (maxFee >= CHAIN_FEE_LIMIT)
    throw new AppError('VALIDATION_ERROR', {
      extra: { details: [{ field: 'maxFee', message: 'must be below 2^120' }] },
    })
  return maxFee
}

type Rates = Pick<BookRow, 'makerFeeBps' | 'takerFeeBps' | 'mmMakerRebateBps' | 'quoteDecimals'>

/** The most that the book can charge an order at its limit, in order book units. */
export function feeAtLimit(rates: Rates, quantity: bigint, price: bigint): bigint {
  const rate = BigInt(Math.max(0, rates.makerFeeBps, rates.takerFeeBps, rates.mmMakerRebateBps ?? 0))
  const inBase = (quantity * rate) / 10_000n
  return (inBase * price) / 1_000_000n
}

/**
 * What to sign as the most in fees. A buyer never pays above the limit, so the fee there and a hundredth for rounding will do; a seller may
 * get more than the limit, and then pays more.
 */
export function proposedMaxFee(rates: Rates, side: 'BUY' | 'SELL', quantity: bigint, price: bigint): bigint {
  const fee = feeAtLimit(rates, quantity, price)
  if (fee === 0n) return 0n
  const units = side === 'BUY' ? fee + fee / 100n + 1n : 2n * fee
  const decimals = rates.quoteDecimals ?? 0
  const step = stepOf(decimals)
  const whole = ((units + step - 1n) / step) * step
  return exactChainAmount(whole, decimals) ?? 0n
}
