import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { DecimalFor, DecimalString, Hash, LowercaseAddress } from '../primitives.ts'
import { collateralReturn } from './escrow.schemas.ts'
import { Ordinal } from './extensions.schemas.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import { builtA, IntegerString, verifiedBy } from './lending.schemas.ts'
import { builtSteps, CountedId } from './positions.schemas.ts'
import { closeBuildErrors, loanConfirmErrors, quoteErrors, repayBuildErrors } from './repayment.errors.ts'
import {
  LoanConfirmWith,
  loanOutcome,
  Permit,
  PermitTypedData,
  payment,
  paymentFacts,
  SignedTerms,
} from './repayment.schemas.ts'

const ofMarket = { params: MarketPath, fieldCodes: marketIdCode } as const
const confirmed = { txHash: Type.String(), ...verifiedBy, loanId: CountedId } as const

const repayment = { ...payment, permit: Type.Optional(Permit) } as const

export const repayLoan = defineOperation({
  ...lendingPath('/positions/{marketId}/repay', 'v1'),
  id: 'repayLoan',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Repay a loan',
  description:
    'Builds what pays a loan back in part or, with `all`, closes it: an approval and the payment, or the payment alone with a `permit`. Anybody may pay: `payerAddress` says whose wallet does, else it is the borrower. With `txHash`: confirms the payment.',
  ...ofMarket,
  unreadable: 'LOAN_STATE_UNAVAILABLE',
  legs: {
    build: {
      body: Body(repayment),
      data: Data({
        success: Type.Literal(true),
        ...builtSteps,
        gasLimit: Type.String({ description: 'Enough for the step at confirmStepIndex.' }),
        ...paymentFacts,
        repayAmount: DecimalFor('What the market is allowed to take at most.'),
        payerAddress: LowercaseAddress,
        permitSupported: Type.Boolean(),
        permitUsed: Type.Boolean(),
        ...loanOutcome,
        confirmWith: LoanConfirmWith,
      }),
      errors: repayBuildErrors,
    },
    confirm: {
      body: Body({ ...repayment, txHash: Hash }),
      data: Data({
        ...confirmed,
        paidBy: LowercaseAddress,
        repaidAmount: DecimalFor('Principal and interest; not the fee.'),
        principalPaid: DecimalString,
        interestPaid: DecimalString,
        fee: DecimalString,
        loanClosed: Type.Boolean(),
        ...collateralReturn,
      }),
      errors: loanConfirmErrors,
    },
  },
})

export const quotePermit = defineOperation({
  ...lendingPath('/positions/{marketId}/permit-quote', 'v1'),
  id: 'quotePermit',
  method: 'POST',
  scope: 'lending:read',
  summary: 'Quote a permit',
  description:
    'What the payer signs (ERC-2612) to repay in one transaction without an approval. The signature goes back as `permit` of the repayment.',
  ...ofMarket,
  body: Body({
    ...payment,
    deadlineSeconds: Type.Optional(
      Type.Integer({ minimum: 60, maximum: 86_400, description: 'How long the permit is good for. Default 1800.' }),
    ),
  }),
  unreadable: 'LOAN_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        success: Type.Literal(true),
        action: Type.Literal('SIGN_TYPED_DATA'),
        typedData: PermitTypedData,
        permit: SignedTerms,
        repay: Data({
          loanId: CountedId,
          all: Type.Optional(Type.Literal(true)),
          amount: Type.Optional(DecimalString),
          payerAddress: Type.Optional(LowercaseAddress),
        }),
        ...paymentFacts,
        borrowAssetSymbol: Type.String(),
        borrowAssetAddress: LowercaseAddress,
        signer: LowercaseAddress,
        nonce: IntegerString,
        description: Type.String(),
      }),
      errors: quoteErrors,
    },
  },
})

export const closeLoan = defineOperation({
  ...lendingPath('/positions/{marketId}/close-loan', 'v1'),
  id: 'closeLoan',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Close a loan',
  description:
    'Builds what closes a loan without debt and releases its collateral; its borrower signs. With `txHash`: confirms it.',
  ...ofMarket,
  unreadable: 'LOAN_STATE_UNAVAILABLE',
  legs: {
    build: {
      body: Body({ loanId: Ordinal }),
      data: Data({
        ...builtA,
        loanId: CountedId,
        requiredSigner: LowercaseAddress,
        ...loanOutcome,
        confirmWith: LoanConfirmWith,
      }),
      errors: closeBuildErrors,
    },
    confirm: {
      body: Body({ loanId: Ordinal, txHash: Hash }),
      data: Data({ ...confirmed, ...collateralReturn }),
      errors: loanConfirmErrors,
    },
  },
})
