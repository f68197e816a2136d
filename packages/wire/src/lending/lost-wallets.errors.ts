import type { ErrorTable } from '../operation.ts'
import {
  claimEscrowErrors,
  claimSurplusBuildErrors,
  claimSurplusConfirmErrors,
  escrowReadErrors,
} from './escrow.errors.ts'
import { deployedMarketErrors, validationErrors } from './lending.errors.ts'

const successionErrors = {
  NO_SUCCESSOR: {
    status: 409,
    message:
      'By the record of the collateral token no wallet took the place of this one, or the token or an adapter of an earlier version keeps no such record.',
  },
} as const satisfies ErrorTable

export const lostSurplusBuildErrors = { ...claimSurplusBuildErrors, ...successionErrors } as const satisfies ErrorTable

export const lostEscrowBuildErrors = {
  ...claimEscrowErrors,
  ...escrowReadErrors,
  ...successionErrors,
} as const satisfies ErrorTable

const modeErrors = {
  NOT_FREEZE_MODE: {
    status: 400,
    message: 'The adapter of this market keeps the collateral itself: no release is ever deferred.',
  },
} as const satisfies ErrorTable

export const releaseRecoveredBuildErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...modeErrors,
  NOTHING_DEFERRED: { status: 409, message: 'No release of the lost wallet waits at the adapter.' },
  RELEASE_UNREADABLE: {
    status: 503,
    retry: true,
    message: 'The adapter could not be read from the chain. Try again.',
  },
} as const satisfies ErrorTable

export const lostWalletConfirmErrors = claimSurplusConfirmErrors
export const lostEscrowConfirmErrors = {
  ...claimSurplusConfirmErrors,
  NOT_CUSTODY_MODE: claimEscrowErrors.NOT_CUSTODY_MODE,
  NO_ADAPTER: claimEscrowErrors.NO_ADAPTER,
} as const satisfies ErrorTable
export const releaseRecoveredConfirmErrors = {
  ...claimSurplusConfirmErrors,
  ...modeErrors,
} as const satisfies ErrorTable
