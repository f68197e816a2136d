import { Type } from 'typebox'
import { builtA, ConfirmWith } from '../lending/lending.schemas.ts'
import { Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data, optional } from './trading.operation.ts'
import { Trade } from './trading.schemas.ts'

const settlementStatuses = ['PENDING', 'PROCESSING', 'CONFIRMED', 'FAILED'] as const

const Status = OneOf(settlementStatuses, {
  description:
    'PENDING: waits for the owner of the book to sign. PROCESSING: a transaction is mined, but not final. FAILED: at least one trade has failed; each trade tells its own.',
})

const ref = {
  settlementId: Type.String(),
  orderBookId: Type.String({ description: "The maker's book, whose owner settles." }),
  status: Status,
  tradeCount: Type.Integer(),
  txHash: Nullable(Type.String({ description: 'Of the last transaction that settled some of it.' })),
  error: Nullable(Type.String({ description: 'Why it could not settle when it was last tried.' })),
  createdAt: Instant,
} as const

export const Settlement = Data({
  id: Type.String(),
  instanceId: Nullable(
    Type.String({ description: 'The owner of the book; null where you may not read the book any more.' }),
  ),
  ...ref,
  blockNumber: Nullable(Type.Integer()),
  gasUsed: Nullable(Type.String()),
  settledAt: Nullable(Instant),
  updatedAt: Instant,
  trades: Type.Array(Trade),
})

export const PendingSettlement = Data({
  ...ref,
  trades: Type.Array(Trade, { description: 'Those that are not settled yet.' }),
})

export const SkippedTrade = Data({
  tradeId: Type.String(),
  reason: Type.String({ description: "The contract's own name for it, or why the trade can never settle." }),
  message: Type.String(),
  isUnwound: Type.Boolean({ description: 'True: it can never settle and was taken back from both orders.' }),
})

export const SettlementCalldata = Data({
  settlementId: Type.String(),
  status: Status,
  tradeCount: Type.Integer({ description: 'Trades in this transaction.' }),
  skipped: Type.Array(SkippedTrade),
  ...builtA,
  description: Type.String(),
  expectedSigner: LowercaseAddress,
  tradeRef: Nullable(Type.String({ description: 'How the contract names the trade, when it is one.' })),
  batchRef: Nullable(Type.String({ description: 'How the contract names the batch, when it is one.' })),
  gasLimit: Nullable(
    Type.String({
      description: 'Send it with this: a batch stops when less than the gas of one fill is left. Null: not known.',
    }),
  ),
  confirmWith: ConfirmWith,
})

export const SettledAlready = Data({
  settlementId: Type.String(),
  status: Status,
  txHash: Nullable(Type.String()),
  alreadySettled: Type.Literal(true),
})

const TradeOutcome = Data({
  tradeId: Type.String(),
  outcome: OneOf(['SETTLED', 'REFUSED', 'NOT_TRIED'] as const, {
    description: 'What the transaction did. NOT_TRIED: it says nothing about this trade.',
  }),
  reason: Nullable(Type.String()),
  settlementStatus: OneOf(['PROCESSING', 'CONFIRMED', 'FAILED'] as const),
})

export const ConfirmedSettlement = Data({
  settlementId: Type.String(),
  status: Status,
  txHash: Type.String(),
  blockNumber: Nullable(Type.Integer()),
  gasUsed: Nullable(Type.String()),
  tradeCount: Type.Integer(),
  trades: Type.Array(TradeOutcome),
  alreadyConfirmed: optional(Type.Literal(true)),
  verifiedBy: optional(
    Type.Literal('receipt-log', { description: 'Present when the call was wrapped, by a Safe for instance.' }),
  ),
})
