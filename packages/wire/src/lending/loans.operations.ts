import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, Hash, Nullable } from '../primitives.ts'
import { Ordinal } from './extensions.schemas.ts'
import { Body, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import {
  addCollateralBuildErrors,
  borrowMoreBuildErrors,
  loanConfirmErrors,
  openLoanBuildErrors,
  withdrawCollateralBuildErrors,
} from './loans.errors.ts'
import {
  AddCollateralBuilt,
  BorrowedMore,
  BorrowMoreBuilt,
  CollateralAdded,
  CollateralWithdrawn,
  LoanNumber,
  LoanOpened,
  OpenLoanBuilt,
  WithdrawCollateralBuilt,
} from './loans.schemas.ts'
import { SignedPrice } from './positions.schemas.ts'

const optional = Type.Optional
const common = {
  method: 'POST',
  scope: 'lending:write',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
} as const
const BORROW_UNITS = 'Decimal, in whole units of the borrow asset.'
const borrowText = Type.String({ description: BORROW_UNITS })
const collateralText = Type.String({ description: 'Decimal, in whole collateral tokens. Required to build.' })
const signedPrice = optional(SignedPrice)
const txHash = Hash

/** Confirming reads no more than `borrowerAddress`; it takes the rest, so that a caller can send the same body twice. */
const newLoan = {
  collateralAmount: optional(collateralText),
  borrowAmount: optional(Type.String({ description: `${BORROW_UNITS} Required to build.` })),
  borrowerAddress: optional(Address),
  payToAddress: optional(
    Nullable(
      Type.String({
        description: 'Who receives this and every later draw of the loan. null, "" or the borrower: the borrower.',
      }),
    ),
  ),
  signedPrice,
} as const
const draw = { loanId: LoanNumber, amount: borrowText, signedPrice } as const
const pledge = { loanId: Ordinal, amount: optional(collateralText) } as const
const release = { ...pledge, signedPrice } as const

export const openLoan = defineOperation({
  ...lendingPath('/positions/{marketId}/open-loan', 'v1'),
  ...common,
  id: 'openLoan',
  summary: 'Open a loan',
  description:
    'Pledges collateral of the borrower and pays out the loan. The borrower signs: in a CUSTODY market an approval first. With `txHash` of the step `openLoan`: confirms it; `borrowerAddress` is then a cross-check, and nothing else is read.',
  legs: {
    build: { body: Body(newLoan), data: OpenLoanBuilt, errors: openLoanBuildErrors },
    confirm: { body: Body({ ...newLoan, txHash }), data: LoanOpened, errors: loanConfirmErrors },
  },
})

export const borrowMore = defineOperation({
  ...lendingPath('/positions/{marketId}/borrow-more', 'v1'),
  ...common,
  id: 'borrowMore',
  summary: 'Borrow more',
  description:
    'Draws more on a loan without a stamped rate. Its borrower signs. Nothing is checked beforehand: what the chain would refuse, `simulation` tells. With `txHash`: confirms it, for this loan and amount.',
  legs: {
    build: { body: Body(draw), data: BorrowMoreBuilt, errors: borrowMoreBuildErrors },
    confirm: { body: Body({ ...draw, txHash }), data: BorrowedMore, errors: loanConfirmErrors },
  },
})

export const addCollateral = defineOperation({
  ...lendingPath('/positions/{marketId}/add-collateral', 'v1'),
  ...common,
  id: 'addCollateral',
  summary: 'Add collateral',
  description:
    'Pledges more for an open loan; also while the market is paused or its price is stale. The borrower signs: in a CUSTODY market an approval first. With `txHash` of the step `addCollateral`: confirms it.',
  legs: {
    build: { body: Body(pledge), data: AddCollateralBuilt, errors: addCollateralBuildErrors },
    confirm: { body: Body({ ...pledge, txHash }), data: CollateralAdded, errors: loanConfirmErrors },
  },
})

export const withdrawCollateral = defineOperation({
  ...lendingPath('/positions/{marketId}/withdraw-collateral', 'v1'),
  ...common,
  id: 'withdrawCollateral',
  summary: 'Withdraw collateral',
  description:
    'Releases what the debt does not need at the collateral factor. The borrower signs. Custody that the token does not let return is escrowed for the holder. With `txHash`: confirms it.',
  legs: {
    build: { body: Body(release), data: WithdrawCollateralBuilt, errors: withdrawCollateralBuildErrors },
    confirm: { body: Body({ ...release, txHash }), data: CollateralWithdrawn, errors: loanConfirmErrors },
  },
})
