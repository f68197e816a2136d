import type { ErrorTable } from '../operation.ts'
import { DecimalString, LowercaseAddress } from '../primitives.ts'
import {
  deployedMarketErrors,
  detailsObject,
  marketErrors,
  pendingCuratorErrors,
  transactionErrors,
  unreadableErrors,
  validationErrors,
} from './lending.errors.ts'

/** A payment that the payer cannot make. */
export const balanceErrors = {
  INSUFFICIENT_BALANCE: {
    status: 400,
    message: 'The payer holds less of the asset than that.',
    extra: detailsObject({ payer: LowercaseAddress, balance: DecimalString, required: DecimalString }),
  },
} as const satisfies ErrorTable

const providerRequired = {
  PROVIDER_REQUIRED: { status: 400, message: 'Name the provider whose pool shares are meant.' },
} as const satisfies ErrorTable

export const addLiquidityErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...providerRequired,
  LIQUIDITY_VAULT_ONLY: {
    status: 403,
    message:
      'Only the operator wallet of the market and its registered vaults add to the pool. Others deposit into a vault.',
  },
  MARKET_PAUSED: { status: 400, message: 'The market is paused and takes no money.' },
  BELOW_MIN_DEPOSIT: {
    status: 400,
    message: 'The pool is empty or wiped out: its first deposit must be larger.',
    extra: detailsObject({ minimum: DecimalString }),
  },
  ...balanceErrors,
  ABOVE_DRAW_CAP: {
    status: 409,
    message: 'The market would hold more of the vault than its draw cap allows.',
    extra: detailsObject({ room: DecimalString, required: DecimalString }),
  },
  ...pendingCuratorErrors,
  ...unreadableErrors,
} as const satisfies ErrorTable

export const removeLiquidityErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...providerRequired,
  INSUFFICIENT_SHARES: {
    status: 400,
    message: 'The provider holds fewer shares.',
    extra: detailsObject({ held: DecimalString, required: DecimalString }),
  },
  INSUFFICIENT_LIQUIDITY: {
    status: 400,
    message: 'The pool has lent out too much to pay that now.',
    extra: detailsObject({ maxShares: DecimalString, maxAmount: DecimalString }),
  },
  ...unreadableErrors,
} as const satisfies ErrorTable

export const liquidityConfirmErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...transactionErrors,
} as const satisfies ErrorTable

export const providersErrors = { ...marketErrors, ...validationErrors } as const satisfies ErrorTable
export const providerBalanceErrors = { ...deployedMarketErrors, ...validationErrors } as const satisfies ErrorTable
