import { type Static, Type } from 'typebox'
import { DecimalString, LowercaseAddress, Nullable } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { IntegerString, Simulation, Transaction, UnixSeconds } from './lending.schemas.ts'

/** What contracts count from 1: loans, auctions, liquidations. */
export const CountedId = Type.String({ description: 'Counted by the contract from 1.' })

/** A price that an authorized signer signed off chain; the call that carries it takes it to the oracle. */
export const SignedPrice = Type.Object(
  {
    price: Type.String({
      pattern: '^[1-9][0-9]{0,76}$',
      description: 'Smallest units of the borrow asset per whole collateral token.',
    }),
    timestamp: Type.Integer({ minimum: 1, maximum: 2 ** 40 }),
    validUntil: Type.Integer({ minimum: 1, maximum: 2 ** 40 }),
    signature: Type.String({ pattern: '^0x([0-9a-fA-F]{2})+$', maxLength: 2050 }),
  },
  { additionalProperties: false, description: 'EIP-712 signed price. Absent: the stored price of the oracle counts.' },
)

export type SignedPriceBody = Static<typeof SignedPrice>

/** One transaction of several that are signed in order. */
export const SignStep = Data({
  action: Type.Literal('SIGN_TRANSACTION'),
  transaction: Transaction,
  functionName: Type.String(),
  description: Type.String(),
})

/** Several transactions of one signer; the one at `confirmStepIndex` is reported. */
export const builtSteps = {
  action: Type.Literal('SIGN_TRANSACTIONS'),
  steps: Type.Array(SignStep),
  confirmStepIndex: Type.Integer(),
  simulation: Simulation,
} as const

/** What the loan looks like once the transaction is mined, at the price that the call would use. */
export const LoanPreview = Data({
  collateral: DecimalString,
  debt: DecimalString,
  healthFactor: Nullable(DecimalString),
  maxBorrow: DecimalString,
  availableToBorrow: DecimalString,
  price: DecimalString,
})

/** A flat fee on a draw or a repayment. */
export const TransactionFee = Data({
  kind: Type.Enum(['OPEN', 'REPAY']),
  fee: DecimalString,
  feeRaw: IntegerString,
  message: Type.String(),
})

/** When a loan is due, and what follows. */
export const LoanTerm = Data({
  dueAt: UnixSeconds,
  effectiveDueAt: UnixSeconds,
  graceEnd: UnixSeconds,
  enforceable: Type.Boolean({ description: 'Past the grace period: the loan can be realized whatever its health.' }),
  termGracePeriod: Type.Integer(),
  termPenaltyBps: Type.Integer(),
})

/** A loan as the chain has it now. */
export const loanFields = {
  loanId: CountedId,
  borrower: LowercaseAddress,
  payee: Nullable(LowercaseAddress),
  collateralAmount: DecimalString,
  principal: DecimalString,
  accruedInterest: DecimalString,
  healthFactor: Nullable(DecimalString),
  liquidationThresholdBps: Type.Integer({
    description: 'Of this loan: as agreed at its opening or last draw, or a higher one of today.',
  }),
  liquidationPenaltyBps: Type.Integer({
    description: 'Of this loan: as agreed at its opening or last draw, or a lower one of today.',
  }),
  active: Type.Boolean(),
  inAuction: Type.Boolean(),
  debtFree: Type.Boolean(),
  fixedRateBps: Nullable(Type.Integer()),
  dueAt: Nullable(UnixSeconds),
  term: Nullable(LoanTerm),
} as const
