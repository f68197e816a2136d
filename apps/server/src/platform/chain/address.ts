import type { Address } from 'viem'
import { AppError, fieldError } from '../app-error.ts'
import { parseAddress } from '../values/address.rules.ts'

export { parseAddress }

/** The same for an address that a caller sent: a wrong one is the caller's fault, and told so. */
export function requireAddress(text: string): Address {
  const address = parseAddress(text)
  if (!address) throw new AppError('INVALID_ADDRESS')
  return address
}

/** The same, where the answer names the field. */
export function requireAddressField(field: string, text: string): Address {
  const address = parseAddress(text)
  if (!address)
    throw fieldError('VALIDATION_ERROR', [{ field, message: 'must be 0x and 40 hex digits with a valid checksum' }])
  return address
}
