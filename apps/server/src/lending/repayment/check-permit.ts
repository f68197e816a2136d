import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Market } from '../core/index.rules.ts'
import { requirePositive } from '../core/index.ts'
import type { OwedLoan } from './owed-loan.ts'
import type { Wish } from './payment-request.ts'
import { isCanonical, permitSigner } from './permit.rules.ts'
import { requirePermitTerms } from './permit-terms.ts'
import { closingAmount, offerForAll } from './repayment.rules.ts'

type Permit = NonNullable<BodyOf<typeof lendingOperations.repayLoan>['permit']>

function refuse(reason: string, detail: string, signer: Address | null = null): never {
  throw new AppError('INVALID_PERMIT', { detail, extra: { details: { reason, signer } } })
}

/** The amount that a permit is for: what it says, or what is to be paid. */
export function permitValue(permit: Permit, wish: Wish, market: Market): bigint {
  if (permit.value !== undefined) return requirePositive('permit.value', permit.value, market.borrowDecimals)
  if (wish === null) throw new AppError('PERMIT_VALUE_REQUIRED')
  return wish
}

/** Whether the token would take this permit of the payer; what is worth saying about it, if anything. */
export async function checkPermit(
  market: Market,
  owed: OwedLoan,
  wish: Wish,
  value: bigint,
  permit: Permit,
): Promise<string | null> {
  const { domain, nonce, allowance } = requirePermitTerms(market, owed.permit)
  const { payer, block, debt, repayFee } = owed
  if (wish !== null && wish !== value) refuse('VALUE_MISMATCH', 'The permit is for another amount than is to be paid.')
  if (wish === null && value < closingAmount(repayFee, debt))
    refuse('VALUE_TOO_LOW', 'The permit is for less than closes the loan by now. Ask for a new quote.')
  if (permit.deadline <= block.time) refuse('EXPIRED', 'The deadline of the permit has passed.')
  if (!isCanonical(permit)) refuse('NOT_CANONICAL', 'The signature is not in the one form that tokens accept.')
  const message = { owner: payer, spender: market.address, value, deadline: permit.deadline }
  const signer = await permitSigner(domain, { ...message, nonce }, permit)
  if (signer === payer)
    return wish === null && value < offerForAll(repayFee, debt)
      ? 'The permit leaves little room for interest: sent late, it may no longer close the loan.'
      : null
  const isUsed = nonce > 0n && (await permitSigner(domain, { ...message, nonce: nonce - 1n }, permit)) === payer
  if (!isUsed) refuse('WRONG_SIGNER', `The permit is not signed by ${payer}, or not for this payment.`, signer)
  if (allowance < value) refuse('ALREADY_USED', 'The permit was used before. Ask for a new quote.', payer)
  return 'The permit was used already; the market may still take what it allowed.'
}
