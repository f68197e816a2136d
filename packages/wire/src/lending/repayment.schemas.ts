import { Type } from 'typebox'
import { Address, DecimalFor, DecimalString, Hash, LowercaseAddress, Nullable } from '../primitives.ts'
import { CollateralRelease } from './escrow.schemas.ts'
import { Ordinal } from './extensions.schemas.ts'
import { Data } from './lending.operation.ts'
import { IntegerString, UnixSeconds } from './lending.schemas.ts'
import { CountedId, LoanPreview, TransactionFee } from './positions.schemas.ts'

const decimalText = Type.String({ description: 'Decimal, in whole units of the borrow asset.' })

/** Which loan is paid, how much of it, and out of whose wallet. */
export const payment = {
  loanId: Ordinal,
  amount: Type.Optional(decimalText),
  all: Type.Optional(Type.Boolean({ description: 'Instead of amount: everything, with a little room for interest.' })),
  payerAddress: Type.Optional(Address),
} as const

/** An ERC-2612 permit that the payer signed for the market. */
export const Permit = Type.Object(
  {
    deadline: Type.Integer({ minimum: 1, maximum: 2 ** 40 }),
    v: Type.Enum([27, 28]),
    r: Hash,
    s: Hash,
    value: Type.Optional(decimalText),
  },
  { additionalProperties: false },
)

/** The flat fee on a payment, which comes out of it first. */
export const RepayFee = Data({
  ...TransactionFee.properties,
  debtReduction: DecimalFor('What is left of the payment for the debt.'),
})

/** What every answer about a payment says. */
export const paymentFacts = {
  loanId: CountedId,
  fullRepayment: Type.Boolean({ description: 'It closes the loan, and its collateral is released.' }),
  outstandingDebt: DecimalFor('Of this block, without the fee.'),
  closingAmount: DecimalFor('Debt and fee of this block: the market never takes more.'),
  transactionFee: Nullable(RepayFee),
  warning: Nullable(Type.String()),
} as const

export const LoanConfirmWith = Data({
  endpoint: Type.String(),
  field: Type.Literal('txHash'),
  body: Data({ loanId: CountedId, txHash: Type.Null() }),
})

/** What changes for the loan, and where its collateral goes. */
export const loanOutcome = {
  preview: LoanPreview,
  collateralRelease: Nullable(CollateralRelease),
} as const

const Field = Data({ name: Type.String(), type: Type.String() })

export const PermitTypedData = Data({
  domain: Data({
    name: Type.String(),
    version: Type.String(),
    chainId: Type.Integer(),
    verifyingContract: LowercaseAddress,
  }),
  types: Data({ EIP712Domain: Type.Array(Field), Permit: Type.Array(Field) }),
  primaryType: Type.Literal('Permit'),
  message: Data({
    owner: LowercaseAddress,
    spender: LowercaseAddress,
    value: IntegerString,
    nonce: IntegerString,
    deadline: Type.String(),
  }),
})

/** What is sent back with the signature. */
export const SignedTerms = Data({ value: DecimalString, deadline: UnixSeconds })
