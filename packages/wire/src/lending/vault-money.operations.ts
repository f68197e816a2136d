import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, Hash, OneOf } from '../primitives.ts'
import { Body, lendingPath } from './lending.operation.ts'
import { pageQuery } from './lending.schemas.ts'
import {
  collectErrors,
  depositErrors,
  redeemErrors,
  vaultConfirmErrors,
  vaultFeeErrors,
  vaultPathErrors,
  vaultReadErrors,
} from './vault-money.errors.ts'
import {
  CollectBuilt,
  Collected,
  DepositBuilt,
  DistributorPaid,
  OperatorPaid,
  PayDistributorBuilt,
  PayOperatorBuilt,
  RedeemBuilt,
  txTypes,
  VaultDetails,
  VaultEarnings,
  VaultHistory,
  VaultPoint,
  VaultTransactionConfirmed,
} from './vault-money.schemas.ts'

const optional = Type.Optional
const ofVault = {
  params: Type.Object({ vaultAddress: Address }),
  fieldCodes: { vaultAddress: 'INVALID_ADDRESS' },
  unreadable: 'VAULT_STATE_UNAVAILABLE',
} as const
const write = { method: 'POST', scope: 'lending:write' } as const
const read = { method: 'GET', scope: 'lending:read' } as const

export const getVault = defineOperation({
  ...lendingPath('/vaults/{vaultAddress}'),
  id: 'getVault',
  ...read,
  summary: 'Get a vault',
  description:
    'What a vault holds, where its money is, and what of it could be redeemed now. With `address`: also what that holder has.',
  ...ofVault,
  query: Type.Object({ address: optional(Address) }),
  legs: { read: { data: VaultDetails, errors: vaultReadErrors } },
})

export const getVaultEarnings = defineOperation({
  ...lendingPath('/vaults/{vaultAddress}/earnings'),
  id: 'getVaultEarnings',
  ...read,
  summary: 'Get vault earnings',
  description:
    'What distributors and the owner earned by the vault, were paid and could claim; `earned` = `paid` + `claimable`. Reckoned at the block up to which its events are known. Distributors are paged: `limit` 50 (at most 200), `offset`, or `cursor`.',
  ...ofVault,
  query: Type.Object(pageQuery),
  legs: { read: { data: VaultEarnings, errors: vaultReadErrors } },
})

export const listVaultHistory = defineOperation({
  ...lendingPath('/vaults/{vaultAddress}/history'),
  id: 'listVaultHistory',
  ...read,
  summary: 'List what a share was worth',
  description:
    'Every deposit and redemption on record, newest first, with the share price it was made at, the shares in all after it, and what these gained since the first deposit (`earned`). Up to the block to which the events of the vault are known. `limit` 50 (at most 200), `cursor` goes on.',
  params: ofVault.params,
  fieldCodes: ofVault.fieldCodes,
  query: Type.Object({ limit: optional(Type.String()), cursor: optional(Type.String({ maxLength: 400 })) }),
  csv: {
    rows: 'points',
    columns: Object.fromEntries(Object.keys(VaultPoint.properties).map((name) => [name, name])),
    page: 200,
  },
  legs: { read: { data: VaultHistory, errors: vaultPathErrors } },
})

export const depositToVault = defineOperation({
  ...lendingPath('/vaults/{vaultAddress}/deposit'),
  id: 'depositToVault',
  ...write,
  summary: 'Deposit into a vault',
  description:
    'Builds an approval and a deposit for an investor. The first distributor that a holder names is its distributor for good. Confirmed at `confirm-tx`.',
  ...ofVault,
  body: Body({
    amount: Type.String({ description: 'Decimal, in whole units of the asset.' }),
    holderAddress: optional(
      Type.String({ ...Address, description: 'Who will sign; not named, balance and binding are not looked at.' }),
    ),
    distributor: optional(
      Type.String({
        ...Address,
        description: 'Whom the fees of these shares go to, unless the holder is bound already.',
      }),
    ),
  }),
  legs: { build: { data: DepositBuilt, errors: depositErrors } },
})

export const redeemFromVault = defineOperation({
  ...lendingPath('/vaults/{vaultAddress}/redeem'),
  id: 'redeemFromVault',
  ...write,
  summary: 'Redeem from a vault',
  description:
    'Builds the return of vault shares for money. Pays what idle money and the cash of the markets allow; shares that were not paid stay. Never paused or gated. Confirmed at `confirm-tx`.',
  ...ofVault,
  body: Body({
    shares: Type.String({ description: 'Decimal; vault shares have the decimals of the asset.' }),
    holderAddress: optional(Type.String({ ...Address, description: 'Required: the holder signs.' })),
  }),
  legs: { build: { data: RedeemBuilt, errors: redeemErrors } },
})

export const confirmVaultTransaction = defineOperation({
  ...lendingPath('/vaults/{vaultAddress}/confirm-tx'),
  id: 'confirmVaultTransaction',
  ...write,
  summary: 'Confirm a vault transaction',
  description: 'Proves a deposit or a redemption by the event of the vault. The same hash twice is the same answer.',
  ...ofVault,
  body: Body({ txHash: Hash, txType: OneOf(txTypes) }),
  legs: { confirm: { data: VaultTransactionConfirmed, errors: vaultConfirmErrors } },
})

export const collectDistributorFees = defineOperation({
  ...lendingPath('/vaults/{vaultAddress}/distributor-fees/collect'),
  id: 'collectDistributorFees',
  ...write,
  summary: 'Collect distributor fees',
  description:
    'Fetches from a market what the vault earned there as a provider and credits it to distributors by their shares. Anybody signs. With `txHash`: confirms it; `marketAddress` is then a cross-check.',
  ...ofVault,
  legs: {
    build: {
      body: Body({ marketAddress: Type.String({ ...Address, description: 'Required to build.' }) }),
      data: CollectBuilt,
      errors: collectErrors,
    },
    confirm: {
      body: Body({ marketAddress: optional(Address), txHash: Hash }),
      data: Collected,
      errors: vaultConfirmErrors,
    },
  },
})

const distributor = optional(
  Type.String({ ...Address, description: 'Default: the first wallet of your instance that is owed something.' }),
)

export const payDistributor = defineOperation({
  ...lendingPath('/vaults/{vaultAddress}/distributor-fees/pay'),
  id: 'payDistributor',
  ...write,
  summary: 'Pay a distributor',
  description:
    'Pays a distributor what the vault owes it. Anybody signs; the money goes to the distributor. With `txHash`: confirms it; `distributor` is then a cross-check.',
  ...ofVault,
  legs: {
    build: { body: Body({ distributor }), data: PayDistributorBuilt, errors: vaultFeeErrors },
    confirm: { body: Body({ distributor, txHash: Hash }), data: DistributorPaid, errors: vaultConfirmErrors },
  },
})

export const payOperatorFees = defineOperation({
  ...lendingPath('/vaults/{vaultAddress}/operator-fees/pay'),
  id: 'payOperatorFees',
  ...write,
  summary: 'Pay operator fees',
  description:
    'Pays the owner of the vault what shares without a distributor earned. Anybody signs. With `txHash`: confirms it.',
  ...ofVault,
  legs: {
    build: { body: Body({}), data: PayOperatorBuilt, errors: vaultFeeErrors },
    confirm: { body: Body({ txHash: Hash }), data: OperatorPaid, errors: vaultConfirmErrors },
  },
})
