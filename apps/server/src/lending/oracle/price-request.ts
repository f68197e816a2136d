import type { Address } from 'viem'
import { parseUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import type { Market } from '../core/index.rules.ts'

/** The oracle stores a price in 104 bits. */
const MAX_PRICE = 2n ** 104n - 1n
const MAX_DECIMALS = 36

/** A price as a caller writes it, in smallest units. */
export function requirePrice(price: string, { borrowDecimals, borrowSymbol }: Market): bigint {
  const isPositive = (parseUnits(price, MAX_DECIMALS) ?? 0n) > 0n
  if (!isPositive) throw new AppError('MISSING_PRICE')
  const raw = parseUnits(price, borrowDecimals)
  if (raw === null) refusePrice(`is finer than ${borrowSymbol}, which has ${borrowDecimals} decimals`)
  if (raw > MAX_PRICE) refusePrice('is beyond what an oracle can hold')
  return raw
}

function refusePrice(message: string): never {
  throw fieldError('VALIDATION_ERROR', [{ field: 'price', message }])
}

export function requireSigner(...inOrder: readonly (Address | null | undefined)[]): Address {
  const signer = inOrder.find((one) => one)
  if (!signer) throw new AppError('WALLET_NOT_CONFIGURED')
  return signer
}
