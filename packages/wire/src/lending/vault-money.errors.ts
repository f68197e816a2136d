import type { ErrorTable } from '../operation.ts'
import { DecimalString, Instant } from '../primitives.ts'
import { detailsObject, transactionErrors, validationErrors } from './lending.errors.ts'
import { balanceErrors } from './liquidity.errors.ts'

/** A vault that a path names. */
export const vaultPathErrors = {
  ...validationErrors,
  INVALID_ADDRESS: { status: 400, message: 'vaultAddress in the path is not a valid address.' },
  VAULT_NOT_FOUND: { status: 404, message: 'Your instance has recorded no vault at this address.' },
} as const satisfies ErrorTable

export const vaultReadErrors = {
  ...vaultPathErrors,
  VAULT_STATE_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The vault could not be read from the chain. Try again.',
  },
} as const satisfies ErrorTable

export const vaultConfirmErrors = { ...vaultPathErrors, ...transactionErrors } as const satisfies ErrorTable

export const depositErrors = {
  ...vaultReadErrors,
  ...balanceErrors,
  DEPOSITOR_NOT_VERIFIED: { status: 403, message: 'The register of the vault does not verify this wallet.' },
  DEPOSITS_PAUSED: { status: 409, message: 'The owner of the vault has paused deposits.' },
  MARKET_UNREADABLE: {
    status: 409,
    message: 'A market of the vault does not answer, so nobody knows what a share is worth. Redemptions go on.',
  },
  VAULT_WIPED_OUT: {
    status: 409,
    message:
      'Losses consumed what the shares of this vault stood for. A deposit would take over whatever is still recovered for its holders.',
  },
} as const satisfies ErrorTable

export const redeemErrors = {
  ...vaultReadErrors,
  HOLDER_REQUIRED: { status: 400, message: 'Name the holder whose shares are redeemed as holderAddress.' },
  INSUFFICIENT_SHARES: {
    status: 409,
    message: 'The holder has fewer shares.',
    extra: detailsObject({ held: DecimalString, required: DecimalString }),
  },
  SHARES_NOT_MATURE: {
    status: 409,
    message: 'Shares of a deposit can be redeemed or transferred three days after it.',
    extra: detailsObject({ redeemable: DecimalString, required: DecimalString, matureAt: Instant }),
  },
  NOTHING_REDEEMABLE: {
    status: 409,
    message: 'The vault can pay nothing right now: its money is lent out, or the shares are worth nothing.',
  },
} as const satisfies ErrorTable

export const vaultFeeErrors = {
  ...vaultReadErrors,
  NOTHING_ACCRUED: { status: 409, message: 'Nothing is owed: the transaction would revert.' },
} as const satisfies ErrorTable

export const collectErrors = {
  ...vaultFeeErrors,
  MARKET_NOT_KNOWN: { status: 404, message: 'The vault serves no market at this address.' },
} as const satisfies ErrorTable
