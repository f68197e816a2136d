import { type Address, zeroAddress } from 'viem'
import { fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { Registers } from './identity-gates.reads.ts'

type Wish = string | null | undefined

function wished(field: string, wish: Wish, current: Address | null): Address | null {
  if (wish === undefined) return current
  if (wish === null || wish === '') return null
  const address = parseAddress(wish)
  if (!address) throw fieldError('VALIDATION_ERROR', [{ field, message: 'is not an address, or has a wrong checksum' }])
  return address === zeroAddress ? null : address
}

/** What a request asks for: left out keeps, an address installs, null, empty or zero clears. */
export const requestedRegisters = (
  wish: { borrowerRegistry?: Wish; providerRegistry?: Wish },
  current: Registers,
): Registers => ({
  borrower: wished('borrowerRegistry', wish.borrowerRegistry, current.borrower),
  provider: wished('providerRegistry', wish.providerRegistry, current.provider),
})
