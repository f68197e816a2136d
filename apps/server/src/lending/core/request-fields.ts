import type { Address } from 'viem'
import { parseUnits } from '../../platform/amounts.rules.ts'
import { fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'

/** No book of the contracts holds more. */
const LARGEST = 2n ** 128n - 1n

/** A positive decimal, no finer than `decimals`, in the smallest unit. */
export function requirePositive(field: string, text: string | undefined, decimals: number): bigint {
  const raw = text === undefined ? null : parseUnits(text, decimals)
  if (raw === null || raw === 0n || raw > LARGEST)
    throw fieldError('VALIDATION_ERROR', [
      { field, message: `must be a decimal above zero with at most ${decimals} decimals` },
    ])
  return raw
}

/** An address of the right form, in any valid case. */
export function requireAddressField(field: string, text: string): Address {
  const address = parseAddress(text)
  if (!address) throw fieldError('VALIDATION_ERROR', [{ field, message: 'has a wrong checksum' }])
  return address
}

/** An address that may be sent; null: none was. */
export const optionalAddress = (field: string, text: string | undefined): Address | null =>
  text === undefined ? null : requireAddressField(field, text)
