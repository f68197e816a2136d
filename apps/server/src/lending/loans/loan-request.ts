import type { Address } from 'viem'
import { fieldError, type Refuse } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { optionalAddress } from '../core/index.ts'

export function requireBorrower(text: string | undefined, refuse: Refuse<'BORROWER_ADDRESS_REQUIRED'>): Address {
  const borrower = optionalAddress('borrowerAddress', text)
  if (borrower === null) throw refuse('BORROWER_ADDRESS_REQUIRED')
  if (BigInt(borrower) === 0n)
    throw fieldError('VALIDATION_ERROR', [{ field: 'borrowerAddress', message: 'must not be the zero address' }])
  return borrower
}

/** Who receives the draws; null: the borrower. */
export function payeeOf(
  text: string | null | undefined,
  borrower: Address,
  refuse: Refuse<'INVALID_PAY_TO_ADDRESS'>,
): Address | null {
  if (text === undefined || text === null || text === '') return null
  const payee = parseAddress(text)
  if (!payee || BigInt(payee) === 0n) throw refuse('INVALID_PAY_TO_ADDRESS')
  return payee === borrower ? null : payee
}
