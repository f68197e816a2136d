import type { Address } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import { positiveUnits, requirePositive as requirePositiveUnits } from '../../platform/values/amounts.ts'
import { FINEST, LARGEST_BOOKED } from './amount.rules.ts'

/** A positive decimal that the contracts can book, no finer than `decimals`, in the smallest unit. */
export const requirePositive = (field: string, text: string | undefined, decimals: number): bigint =>
  requirePositiveUnits(field, text, decimals, LARGEST_BOOKED)

/** That a text can be an amount at all, before the token is known. */
export const requirePositiveForm = (field: string, text: string): void => void requirePositiveUnits(field, text, FINEST)

/** A positive decimal, where the operation has a code of its own for what is none. */
export function requireAmount(text: string, decimals: number, refuse: Refuse<'INVALID_AMOUNT'>, most?: bigint): bigint {
  const raw = positiveUnits(text, decimals, most)
  if (raw === null) throw refuse('INVALID_AMOUNT')
  return raw
}

/** An address that may be sent; null: none was. */
export const optionalAddress = (field: string, text: string | undefined): Address | null =>
  text === undefined ? null : requireAddressField(field, text)
