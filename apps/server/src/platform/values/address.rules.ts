import { type Address, isAddress } from 'viem'

/** The one form in which the product keeps addresses. */
export const lowered = (address: string): Address => address.toLowerCase() as Address

/** Lowercased, or null: not 40 hex digits, or a mixed case that is not the checksum. */
export function parseAddress(text: string): Address | null {
  const digits = text.slice(2)
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return isAddress(text, { strict: !oneCase }) ? lowered(text) : null
}
