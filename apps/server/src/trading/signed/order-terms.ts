import type { Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { BookRow } from '../books/index.rules.ts'
import { CHAIN_FEE_LIMIT, exactChainAmount, stepOf } from './chain-units.rules.ts'
import { fitsPrefix, isUnreadable, type SaltPrefix } from './salt-prefix.rules.ts'

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

/** No salt is right while nobody knows what a share is. */
export function requireReadable(prefix: SaltPrefix): SaltPrefix {
  if (isUnreadable(prefix))
    throw new AppError('INVALID_ORDER_SALT', {
      detail:
        'A split of the token or of the quote token is under way, or its ratio cannot be read: sign when it is over.',
    })
  return prefix
}

export function requireSalt(salt: Hex, prefix: SaltPrefix): Hex {
  requireReadable(prefix)
  if (!fitsPrefix(salt, prefix))
    throw new AppError('INVALID_ORDER_SALT', {
      detail: `salt must begin with ${prefix} (halves of zeros are free): the token or the quote token was split.`,
    })
  return salt
}

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
