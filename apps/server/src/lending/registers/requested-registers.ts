import { type Address, zeroAddress } from 'viem'
import { fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { Registers } from './identity-gates.reads.ts'

type Asked = string | null | undefined

function requested(field: string, asked: Asked, current: Address | null): Address | null {
  if (asked === undefined) return current
  if (asked === null || asked === '') return null
  const address = parseAddress(asked)
  if (!address) throw fieldError('VALIDATION_ERROR', [{ field, message: 'is not an address, or has a wrong checksum' }])
  return address === zeroAddress ? null : address
}

/** What a request asks for: left out keeps, an address installs, null, empty or zero clears. */
export const requestedRegisters = (
  asked: { borrowerRegistry?: Asked; providerRegistry?: Asked },
  current: Registers,
): Registers => ({
  borrower: requested('borrowerRegistry', asked.borrowerRegistry, current.borrower),
  provider: requested('providerRegistry', asked.providerRegistry, current.provider),
})
