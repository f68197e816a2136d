import { type Address, isAddress } from 'viem'

/** Lowercased, or null: not 40 hex digits, or a mixed case that is not the checksum. */
export function parseAddress(text: string): Address | null {
  const digits = text.slice(2)
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!isAddress(text, { strict: !oneCase })) return null
  return text.toLowerCase() as Address
}
