import { Type } from 'typebox'
import { LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { builtB, ConfirmWith, signerBlock, UnixSeconds } from './lending.schemas.ts'

const extensionKinds = ['LOAN', 'BATCH', 'FLOOR'] as const
export const ExtensionKind = OneOf(extensionKinds, {
  description:
    'LOAN: one loan. BATCH: loans opened up to the proposal. FLOOR: no loan with a maturity matures earlier.',
})

/** A JSON number or its digits. */
export const Ordinal = Type.Union(
  [
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    Type.String({ pattern: '^0*[1-9][0-9]{0,19}$', maxLength: 40 }),
  ],
  { description: 'Positive integer, as a number or as digits.' },
)
export const Moment = Type.Union(
  [
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    Type.String({ pattern: '^[0-9]{1,20}$', description: 'The same as digits.' }),
  ],
  { description: 'Unix seconds of chain time.' },
)

const id = Type.String({ description: 'Counted by the market from 1.' })
const hash = Nullable(Type.String())

/** An act on an extension, to be signed. */
export const extensionBuilt = {
  ...builtB,
  ...signerBlock,
  kind: ExtensionKind,
  description: Type.String(),
  confirmWith: ConfirmWith,
} as const

const Preview = Type.Object(
  {
    touched: Type.Array(Data({ loanId: id, currentDueAt: UnixSeconds, newDueAt: UnixSeconds })),
    skipped: Type.Array(
      Data({ loanId: id, reason: OneOf(['CLOSED', 'IN_REALIZATION', 'NO_MATURITY', 'ALREADY_LATER']) }),
    ),
    complete: Type.Boolean({ description: 'False: it covers more loans than are shown, or one could not be read.' }),
  },
  {
    additionalProperties: false,
    description:
      'What it would do now, loan by loan, for the next 200 loans it covers. A BATCH goes on where it stands.',
  },
)

export const Proposal = Data({
  proposalId: id,
  kind: ExtensionKind,
  loanId: Nullable(id),
  newDueAt: UnixSeconds,
  maxLoanId: Nullable(id),
  validUntil: UnixSeconds,
  confirmed: Nullable(Type.Boolean()),
  consumed: Type.Boolean({ description: 'Applied to the end, or cancelled.' }),
  cancelled: Nullable(Type.Boolean({ description: 'null: our record does not tell yet.' })),
  expired: Nullable(Type.Boolean({ description: 'null: the time of the chain could not be read.' })),
  appliedCount: Nullable(Type.Integer({ description: 'Of a BATCH: loans that it moved so far.' })),
  proposedBy: Nullable(LowercaseAddress),
  proposeTxHash: hash,
  confirmTxHash: hash,
  cancelTxHash: hash,
  recorded: Type.Boolean({ description: 'Our record of the chain holds the proposal.' }),
  recordedByThisInstance: Nullable(Type.Boolean({ description: 'Your instance confirmed its transaction here.' })),
  onChain: Nullable(Type.Boolean({ description: 'null: could not be read.' })),
  preview: Nullable(Preview),
})

export const ExtensionActivity = Data({
  event: OneOf([
    'ExtensionProposed',
    'ExtensionConfirmed',
    'ExtensionApplied',
    'ExtensionFloorRaised',
    'ExtensionCompleted',
    'ExtensionCancelled',
    'AllowExtensionUpdated',
  ]),
  proposalId: Type.Optional(id),
  kind: Type.Optional(ExtensionKind),
  loanId: Type.Optional(id),
  newDueAt: Type.Optional(UnixSeconds),
  allowed: Type.Optional(Type.Boolean()),
})
