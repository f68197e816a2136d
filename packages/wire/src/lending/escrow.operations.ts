import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, DecimalFor, DecimalString, Hash, LowercaseAddress, Nullable } from '../primitives.ts'
import {
  claimEscrowErrors,
  claimSurplusBuildErrors,
  claimSurplusConfirmErrors,
  escrowReadErrors,
  surplusReadErrors,
} from './escrow.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import { AssetRef, builtA, ConfirmWith, IntegerString, verifiedBy } from './lending.schemas.ts'

const ofMarket = { params: MarketPath, fieldCodes: marketIdCode } as const
const ofHolder = {
  params: Type.Object({ ...MarketPath.properties, holder: Address }),
  fieldCodes: marketIdCode,
} as const

export const getEscrowedCollateral = defineOperation({
  ...lendingPath('/positions/{marketId}/escrowed-collateral/{holder}', 'v1'),
  id: 'getEscrowedCollateral',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get escrowed collateral',
  description:
    'Collateral that the token refused to give back to a holder, of all their loans in the market together. CUSTODY markets only.',
  ...ofHolder,
  unreadable: 'ESCROW_UNREADABLE',
  legs: {
    read: {
      data: Data({
        holderAddress: LowercaseAddress,
        adapterAddress: LowercaseAddress,
        escrowedCollateral: DecimalString,
        escrowedCollateralRaw: IntegerString,
        asset: AssetRef,
      }),
      errors: escrowReadErrors,
    },
  },
})

export const claimEscrowedCollateral = defineOperation({
  ...lendingPath('/positions/{marketId}/claim-escrowed-collateral', 'v1'),
  id: 'claimEscrowedCollateral',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Claim escrowed collateral',
  description:
    'Builds the transaction by which a holder fetches their escrow; only the holder can sign it. It fails while the token still refuses that wallet. There is nothing to confirm.',
  ...ofMarket,
  body: Body({
    holderAddress: Type.Optional(Address),
  }),
  legs: {
    build: {
      data: Data({
        ...builtA,
        adapterAddress: LowercaseAddress,
        escrowedCollateral: Nullable(DecimalFor('null: no holder was named, or the escrow could not be read.')),
      }),
      errors: claimEscrowErrors,
    },
  },
})

export const getEscrowedSurplus = defineOperation({
  ...lendingPath('/positions/{marketId}/escrowed-surplus/{holder}', 'v1'),
  id: 'getEscrowedSurplus',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get escrowed surplus',
  description:
    'What liquidations yielded beyond the debt and the borrow asset refused to pay out to the borrower, of all their loans together.',
  ...ofHolder,
  unreadable: 'SURPLUS_UNREADABLE',
  legs: {
    read: {
      data: Data({
        marketAddress: LowercaseAddress,
        holderAddress: LowercaseAddress,
        escrowed: DecimalString,
        escrowedRaw: IntegerString,
        claimable: Type.Boolean(),
        asset: AssetRef,
      }),
      errors: surplusReadErrors,
    },
  },
})

export const claimSurplus = defineOperation({
  ...lendingPath('/positions/{marketId}/claim-surplus', 'v1'),
  id: 'claimSurplus',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Claim surplus',
  description:
    'Builds the transaction that pays the signer all surplus that is escrowed for them. With `txHash`: confirms it. It fails while the borrow asset still refuses that wallet.',
  ...ofMarket,
  unreadable: 'SURPLUS_UNREADABLE',
  legs: {
    build: {
      body: Body({ holderAddress: Address }),
      data: Data({
        ...builtA,
        description: Type.String(),
        holderAddress: LowercaseAddress,
        escrowedSurplus: DecimalString,
        escrowedSurplusRaw: IntegerString,
        confirmWith: ConfirmWith,
      }),
      errors: claimSurplusBuildErrors,
    },
    confirm: {
      body: Body({ holderAddress: Type.Optional(Address), txHash: Hash }),
      data: Data({
        txHash: Type.String(),
        ...verifiedBy,
        claimedBy: LowercaseAddress,
        amount: DecimalString,
        amountRaw: IntegerString,
      }),
      errors: claimSurplusConfirmErrors,
    },
  },
})
