import { Type } from 'typebox'
import { Instant, Nullable, OneOf } from '../primitives.ts'

export const builtStatuses = ['PENDING', 'REJECTED', 'EXPIRED', 'BUILT', 'SENT', 'MINED', 'FINAL', 'UNDONE'] as const

const Person = Type.Object({ userId: Type.String(), name: Type.String() }, { additionalProperties: false })

export const Approval = Type.Object(
  {
    status: OneOf(['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'] as const),
    expiresAt: Type.String({
      format: 'date-time',
      description: 'Until then it can be decided upon, and once it is approved, signed.',
    }),
    decidedBy: Nullable(Person),
    decidedAt: Nullable(Instant),
    reason: Nullable(Type.String({ description: 'Why it was rejected.' })),
  },
  { additionalProperties: false },
)

export const shown = {
  transactionId: Type.String(),
  operation: Type.String(),
  summary: Type.String({ description: 'Of the operation.' }),
  status: OneOf(builtStatuses, {
    description:
      'PENDING: waits for a second person; BUILT: can be signed; SENT: its hash was reported; MINED, FINAL: its effect was seen on chain; UNDONE: a reorganization took it away. One that the chain refused stays SENT.',
  }),
  maker: Type.Object(
    { name: Type.String(), userId: Nullable(Type.String()) },
    { additionalProperties: false, description: 'Who asked for it; userId null: the holder of a key.' },
  ),
  path: Type.String({ description: 'Where it was built, and is confirmed.' }),
  chainId: Type.Integer(),
  txHash: Nullable(Type.String()),
  builtAt: Instant,
  sentAt: Nullable(Instant),
  blockNumber: Nullable(Type.String()),
  approval: Nullable(Approval),
}

export const BuiltTransaction = Type.Object(shown, { additionalProperties: false })

export const ApprovalPolicy = Type.Object(
  {
    secondPerson: Type.Boolean({ description: 'Whether what is built in a session waits for somebody else.' }),
    endAskedBy: Nullable(Person),
    endAskedAt: Nullable(Instant),
  },
  { additionalProperties: false },
)

/** What a build in a session answers, with status 202, where a second person is required. */
export const AwaitingApproval = Type.Object(
  {
    action: Type.Literal('AWAIT_APPROVAL'),
    transactionId: Type.String(),
    summary: Type.String({ description: 'Of the operation.' }),
    description: Nullable(Type.String({ description: 'What it does, where the build says so.' })),
    simulation: Type.Unknown({ description: 'As the build answers it otherwise.' }),
    approval: Approval,
  },
  { additionalProperties: false },
)
