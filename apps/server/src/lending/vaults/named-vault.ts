import { type Address, zeroAddress } from 'viem'
import { fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'

/** The vault that a body names, where it names one. */
export function optionalVault(text: string | undefined): Address | undefined {
  if (text === undefined) return undefined
  const vault = parseAddress(text)
  if (!vault || vault === zeroAddress)
    throw fieldError('INVALID_VAULT', [{ field: 'vaultAddress', message: 'has a wrong checksum, or is zero' }])
  return vault
}

export function requireVault(text: string | undefined): Address {
  const vault = optionalVault(text)
  if (!vault) throw fieldError('VALIDATION_ERROR', [{ field: 'vaultAddress', message: 'is required' }])
  return vault
}
