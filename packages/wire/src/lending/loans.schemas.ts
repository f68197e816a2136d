import { Type } from 'typebox'
import { DecimalString, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { CollateralRelease } from './escrow.schemas.ts'
import { Data } from './lending.operation.ts'
import { Bps, builtA, builtB, collateralModes, IntegerString, UnixSeconds, verifiedBy } from './lending.schemas.ts'
import { builtSteps, CountedId, LoanPreview, TransactionFee } from './positions.schemas.ts'
import { LoanConfirmWith } from './repayment.schemas.ts'

const optional = Type.Optional

/** Where the hash goes, with the body that goes with it. */
const confirmWith = <P extends Parameters<typeof Data>[0]>(body: P) =>
  Data({
    endpoint: Type.String(),
    field: Type.Literal('txHash'),
    body: Data({ ...body, txHash: Type.Null() }),
  })

const VaultDraws = Type.Array(Data({ vault: LowercaseAddress, amount: DecimalString }), {
  description: 'What the market takes from its vaults for the draw, in their order.',
})

const DrawFee = Data({
  ...TransactionFee.properties,
  borrowed: DecimalString,
  netDisbursed: DecimalString,
  netDisbursedRaw: IntegerString,
})

const Payee = Data({
  address: LowercaseAddress,
  borrowerOfRecord: LowercaseAddress,
  receives: Type.Literal('DRAWS', {
    description: 'Every draw and nothing else: collateral, surplus and escrow are the borrower’s.',
  }),
  netDisbursed: DecimalString,
  fixedForLife: Type.Literal(true),
  receivesBorrowMore: Type.Literal(true),
})

const Offering = Data({
  approximateDueAt: UnixSeconds,
  termGracePeriodSeconds: Type.Integer(),
  termPenaltyBps: Bps,
  fixedRateBps: Nullable(Bps),
  stampedAtSigning: Type.Array(OneOf(['dueAt', 'termGracePeriodSeconds', 'termPenaltyBps', 'fixedRateBps']), {
    description: 'What the loan keeps from its opening on, whatever the market offers later.',
  }),
})

const mode = { mode: OneOf(collateralModes) } as const

export const OpenLoanBuilt = Data({
  ...builtSteps,
  ...mode,
  borrowerAddress: LowercaseAddress,
  collateralAmount: DecimalString,
  borrowAmount: DecimalString,
  payeeAddress: Nullable(LowercaseAddress),
  payee: Nullable(Payee),
  offering: Nullable(Offering),
  transactionFee: Nullable(DrawFee),
  preview: LoanPreview,
  vaultDraws: VaultDraws,
  confirmWith: confirmWith({ borrowerAddress: LowercaseAddress }),
})

export const LoanOpened = Data({
  txHash: Type.String(),
  ...verifiedBy,
  loanId: CountedId,
  positionId: Type.String(),
  borrowerAddress: LowercaseAddress,
  collateralAmount: DecimalString,
  borrowAmount: DecimalString,
  netDisbursed: DecimalString,
  payeeAddress: Nullable(LowercaseAddress),
  paidTo: LowercaseAddress,
  dueAt: Nullable(UnixSeconds),
  fixedRateBps: Nullable(Bps),
  vaultDraws: VaultDraws,
})

/** Of this route alone the number of the loan is a JSON number, in and out. */
export const LoanNumber = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const BorrowMoreBuilt = Data({
  ...builtB,
  loanId: LoanNumber,
  amount: DecimalString,
  paidTo: LowercaseAddress,
  payeeAddress: Nullable(LowercaseAddress),
  transactionFee: Nullable(DrawFee),
  preview: Nullable(
    Type.Object(LoanPreview.properties, {
      additionalProperties: false,
      description: 'null: the loan is closed, or the call would find no price to use.',
    }),
  ),
  vaultDraws: VaultDraws,
  confirmWith: confirmWith({ loanId: LoanNumber, amount: DecimalString }),
})

export const BorrowedMore = Data({
  txHash: Type.String(),
  ...verifiedBy,
  loanId: LoanNumber,
  additionalBorrow: DecimalString,
  paidTo: Nullable(LowercaseAddress),
  vaultDraws: VaultDraws,
})

export const AddCollateralBuilt = Data({
  ...builtSteps,
  ...mode,
  loanId: CountedId,
  amount: DecimalString,
  preview: LoanPreview,
  confirmWith: LoanConfirmWith,
})

const moved = {
  txHash: Type.String(),
  ...verifiedBy,
  loanId: CountedId,
  amount: DecimalString,
  /** What the loan holds afterwards. */
  collateralAmount: DecimalString,
} as const

export const CollateralAdded = Data(moved)

export const WithdrawCollateralBuilt = Data({
  ...builtA,
  loanId: CountedId,
  amount: DecimalString,
  preview: LoanPreview,
  collateralRelease: Nullable(CollateralRelease),
  confirmWith: LoanConfirmWith,
})

export const CollateralWithdrawn = Data({
  ...moved,
  delivered: Type.Boolean({ description: 'False: escrowed, or still frozen because the adapter lost its role.' }),
  escrowed: optional(Type.Literal(true)),
  escrowedAmount: optional(DecimalString),
  deferredAmount: optional(DecimalString),
  adapterAddress: optional(LowercaseAddress),
  claimAction: optional(Type.Literal('claim-escrowed-collateral')),
  message: optional(Type.String()),
})
