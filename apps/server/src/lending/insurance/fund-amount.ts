import type { Address } from 'viem'
import { parseUnits } from '../../platform/amounts.rules.ts'
import { fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'

/** A positive amount in the smallest unit; null: it is none. */
export function positive(text: string, decimals: number): bigint | null {
  const raw = parseUnits(text, decimals)
  return raw === null || raw === 0n ? null : raw
}

export function requireWallet(field: string, text: string): Address {
  const address = parseAddress(text)
  if (!address) throw fieldError('VALIDATION_ERROR', [{ field, message: 'has a wrong checksum' }])
  return address
}
