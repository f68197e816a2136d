import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, DecimalString, Hash, LowercaseAddress } from '../primitives.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import { builtA, ConfirmWith, IntegerString, verifiedBy } from './lending.schemas.ts'
import {
  lostEscrowBuildErrors,
  lostEscrowConfirmErrors,
  lostSurplusBuildErrors,
  lostWalletConfirmErrors,
  releaseRecoveredBuildErrors,
  releaseRecoveredConfirmErrors,
} from './lost-wallets.errors.ts'

const ofMarket = { params: MarketPath, fieldCodes: marketIdCode } as const

const lost = { lostWallet: Address } as const
const onlyHash = { txHash: Type.String(), ...verifiedBy } as const
const amount = { amount: DecimalString, amountRaw: IntegerString } as const

/** Anybody may sign: where it goes is not the signer's choice. */
const toSuccessor = {
  ...builtA,
  description: Type.String(),
  lostWallet: LowercaseAddress,
  successor: LowercaseAddress,
  ...amount,
  confirmWith: ConfirmWith,
} as const

export const claimSurplusOfLostWallet = defineOperation({
  ...lendingPath('/positions/{marketId}/claim-surplus-of-lost-wallet', 'v1'),
  id: 'claimSurplusOfLostWallet',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Claim the surplus of a lost wallet',
  description:
    "Builds the transaction that pays all surplus that is escrowed for a lost wallet to the wallet that took its place, by the collateral token's own record. Anybody may sign it. With `txHash`: confirms it.",
  ...ofMarket,
  unreadable: 'SURPLUS_UNREADABLE',
  legs: {
    build: { body: Body(lost), data: Data(toSuccessor), errors: lostSurplusBuildErrors },
    confirm: {
      body: Body({ lostWallet: Type.Optional(Address), txHash: Hash }),
      data: Data({ ...onlyHash, lostWallet: LowercaseAddress, ...amount }),
      errors: lostWalletConfirmErrors,
    },
  },
})

export const claimEscrowOfLostWallet = defineOperation({
  ...lendingPath('/positions/{marketId}/claim-escrow-of-lost-wallet', 'v1'),
  id: 'claimEscrowOfLostWallet',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Claim the escrow of a lost wallet',
  description:
    "Builds the transaction that gives all collateral that is escrowed for a lost wallet to the wallet that took its place, by the token's own record. CUSTODY markets only. Anybody may sign it. With `txHash`: confirms it.",
  ...ofMarket,
  unreadable: 'ESCROW_UNREADABLE',
  legs: {
    build: {
      body: Body(lost),
      data: Data({ ...toSuccessor, adapterAddress: LowercaseAddress }),
      errors: lostEscrowBuildErrors,
    },
    confirm: {
      body: Body({ lostWallet: Type.Optional(Address), txHash: Hash }),
      data: Data({ ...onlyHash, lostWallet: LowercaseAddress, adapterAddress: LowercaseAddress, ...amount }),
      errors: lostEscrowConfirmErrors,
    },
  },
})

export const releaseRecovered = defineOperation({
  ...lendingPath('/positions/{marketId}/release-recovered', 'v1'),
  id: 'releaseRecovered',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Release what a wallet recovery took along',
  description:
    'A repayment could not unfreeze shares that had moved to a new wallet with a recovery. Builds the transaction that unfreezes them there; the token has to know both wallets as the same identity, else the simulation says so. FREEZE markets only. Anybody may sign it. With `txHash`: confirms it.',
  ...ofMarket,
  unreadable: 'RELEASE_UNREADABLE',
  legs: {
    build: {
      body: Body({ ...lost, newWallet: Address }),
      data: Data({
        ...builtA,
        description: Type.String(),
        lostWallet: LowercaseAddress,
        newWallet: LowercaseAddress,
        adapterAddress: LowercaseAddress,
        deferred: DecimalString,
        deferredRaw: IntegerString,
        confirmWith: ConfirmWith,
      }),
      errors: releaseRecoveredBuildErrors,
    },
    confirm: {
      body: Body({ lostWallet: Type.Optional(Address), newWallet: Type.Optional(Address), txHash: Hash }),
      data: Data({
        ...onlyHash,
        lostWallet: LowercaseAddress,
        newWallet: LowercaseAddress,
        adapterAddress: LowercaseAddress,
        ...amount,
      }),
      errors: releaseRecoveredConfirmErrors,
    },
  },
})
