import type { ErrorTable } from '../operation.ts'
import { DecimalString, Instant } from '../primitives.ts'
import {
  deployedMarketErrors,
  detailsObject,
  factoryErrors,
  marketErrors,
  pendingCuratorErrors,
  transactionErrors,
  unreadableErrors,
  validationErrors,
  walletErrors,
} from './lending.errors.ts'
import { vaultPathErrors } from './vault-money.errors.ts'

export const vaultLiquidityReadErrors = { ...deployedMarketErrors, ...unreadableErrors } as const satisfies ErrorTable

export const vaultsUnreadableErrors = {
  VAULTS_UNREADABLE: {
    status: 503,
    retry: true,
    message: 'The vaults could not be read from the chain. This is not an empty list. Try again.',
  },
} as const satisfies ErrorTable

export const connectedVaultsErrors = {
  ...deployedMarketErrors,
  ...vaultsUnreadableErrors,
} as const satisfies ErrorTable

export const switchBuildErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...pendingCuratorErrors,
  ...unreadableErrors,
} as const satisfies ErrorTable

export const switchConfirmErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...transactionErrors,
} as const satisfies ErrorTable

const invalidVault = {
  INVALID_VAULT: { status: 400, message: 'vaultAddress is not a valid address.' },
} as const satisfies ErrorTable

export const deregisterBuildErrors = { ...switchBuildErrors, ...invalidVault } as const satisfies ErrorTable

export const registerBuildErrors = {
  ...deregisterBuildErrors,
  NOT_A_VAULT: {
    status: 400,
    message: 'The contract at vaultAddress does not answer as a vault, or holds another asset than the market lends.',
  },
} as const satisfies ErrorTable

export const registerConfirmErrors = { ...switchConfirmErrors, ...invalidVault } as const satisfies ErrorTable

const assetMismatch = {
  ASSET_MISMATCH: { status: 400, message: 'The market lends another asset than the vault holds.' },
} as const satisfies ErrorTable

const namedMarketErrors = {
  MARKET_NOT_FOUND: marketErrors.MARKET_NOT_FOUND,
  NO_MARKET_ADDRESS: deployedMarketErrors.NO_MARKET_ADDRESS,
} as const satisfies ErrorTable

export const deployVaultErrors = {
  ...validationErrors,
  ...walletErrors,
  ...factoryErrors,
  ...namedMarketErrors,
  ...assetMismatch,
  INVALID_ASSET: {
    status: 400,
    message: 'assetAddress must be an ERC-20 token of 6 to 18 decimals.',
  },
  CHAIN_UNAVAILABLE: transactionErrors.CHAIN_UNAVAILABLE,
} as const satisfies ErrorTable

const { TX_NOT_FOUND, TX_REVERTED, TX_NOT_VERIFIED, CHAIN_UNAVAILABLE } = transactionErrors

export const confirmVaultErrors = {
  ...validationErrors,
  ...factoryErrors,
  TX_NOT_FOUND,
  TX_REVERTED,
  TX_NOT_VERIFIED: { ...TX_NOT_VERIFIED, message: 'The transaction created no vault of this release.' },
  VAULT_NOT_INSTANCE_BOUND: {
    status: 403,
    message: 'No verified wallet of your instance created this vault or is its owner.',
  },
  CHAIN_UNAVAILABLE,
} as const satisfies ErrorTable

const capErrors = {
  ...vaultPathErrors,
  ...namedMarketErrors,
} as const satisfies ErrorTable

export const drawCapBuildErrors = {
  ...capErrors,
  ...vaultsUnreadableErrors,
  ...assetMismatch,
  ANNOUNCEMENT_PENDING: {
    status: 409,
    message: 'A cap as high as that is announced already and waits until readyAt. Announcing it anew would start over.',
    extra: detailsObject({ cap: DecimalString, readyAt: Instant }),
  },
} as const satisfies ErrorTable

export const drawCapConfirmErrors = { ...capErrors, ...transactionErrors } as const satisfies ErrorTable
