import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import type { ErrorTable } from '../operation.ts'
import { Address, Hash, Instant, LowercaseAddress } from '../primitives.ts'
import { transactionErrors } from './lending.errors.ts'
import { Body, Data, lendingPath } from './lending.operation.ts'
import { builtA, ConfirmWith, signerBlock, verifiedBy } from './lending.schemas.ts'
import { vaultPathErrors } from './vault-money.errors.ts'
import { vaultsUnreadableErrors } from './vaults.errors.ts'

const removeMarketBuildErrors = {
  ...vaultPathErrors,
  ...vaultsUnreadableErrors,
  MARKET_NOT_KNOWN: { status: 404, message: 'The vault does not serve this market.' },
  MARKET_HOLDS_MONEY: {
    status: 409,
    message: 'The vault has money in this market, and the market answers: withdraw it first.',
  },
} as const satisfies ErrorTable

const removeMarketConfirmErrors = { ...vaultPathErrors, ...transactionErrors } as const satisfies ErrorTable

export const removeVaultMarket = defineOperation({
  ...lendingPath('/vaults/{vaultAddress}/remove-market'),
  id: 'removeVaultMarket',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Remove a market from a vault',
  description:
    'Takes a market off the list of the vault, for good; naming it again takes an announcement. The vault may have nothing there. A market that does not answer is written off: what the vault had there is lost to its holders. The owner of the vault signs. With `txHash`: confirms it.',
  params: Type.Object({ vaultAddress: Address }),
  fieldCodes: { vaultAddress: 'INVALID_ADDRESS' },
  unreadable: 'VAULTS_UNREADABLE',
  legs: {
    build: {
      body: Body({ marketAddress: Address }),
      data: Data({
        ...builtA,
        ...signerBlock,
        description: Type.String(),
        vaultAddress: LowercaseAddress,
        marketAddress: LowercaseAddress,
        writesOff: Type.Boolean({ description: 'The market does not answer: what the vault has there is given up.' }),
        confirmWith: ConfirmWith,
      }),
      errors: removeMarketBuildErrors,
    },
    confirm: {
      body: Body({ marketAddress: Type.Optional(Address), txHash: Hash }),
      data: Data({
        txHash: Type.String(),
        ...verifiedBy,
        functionName: Type.String(),
        signedBy: LowercaseAddress,
        at: Instant,
        vaultAddress: LowercaseAddress,
        marketAddress: LowercaseAddress,
        writtenOff: Type.Boolean(),
      }),
      errors: removeMarketConfirmErrors,
    },
  },
})
