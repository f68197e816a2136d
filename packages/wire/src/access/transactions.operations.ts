import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import type { ErrorTable } from '../operation.ts'
import { Hash, Id, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'

const transactions = { feature: 'access' } as const

const builtStatuses = ['BUILT', 'SENT', 'MINED', 'FINAL', 'UNDONE'] as const

const shown = {
  transactionId: Type.String(),
  operation: Type.String(),
  summary: Type.String({ description: 'Of the operation.' }),
  status: OneOf(builtStatuses, {
    description:
      'SENT: its hash was reported; MINED, FINAL: its effect was seen on chain; UNDONE: a reorganization took it away. One that the chain refused stays SENT.',
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
}

const BuiltTransaction = Type.Object(shown, { additionalProperties: false })

const WholeTransaction = Type.Object(
  {
    ...shown,
    body: Type.Unknown({ description: 'Of the request that built it.' }),
    calls: Type.Array(
      Type.Object(
        { to: LowercaseAddress, data: Type.String(), value: Type.String(), chainId: Type.Integer() },
        { additionalProperties: false },
      ),
      { description: 'To sign, in this order.' },
    ),
  },
  { additionalProperties: false },
)

const TransactionPath = Type.Object({ transactionId: Id })
const transactionCode = { transactionId: 'INVALID_PARAM' } as const
const lookupErrors = {
  INVALID_PARAM: { status: 400, message: 'The id is longer than 100 characters.' },
  TRANSACTION_NOT_FOUND: { status: 404, message: 'Your instance built no such transaction.' },
} as const satisfies ErrorTable

export const listBuiltTransactions = defineOperation({
  ...transactions,
  id: 'listBuiltTransactions',
  method: 'GET',
  path: '/access/api/transactions',
  scope: 'access:read',
  summary: 'List transactions built in sessions',
  description:
    'What was built in sessions of the console and what became of it, newest first: `limit` 50 (at most 200), `cursor` goes on. Kept for 90 days. What is built with a key is not listed.',
  query: Type.Object({
    status: Type.Optional(OneOf(builtStatuses)),
    limit: Type.Optional(Type.String()),
    cursor: Type.Optional(Type.String({ maxLength: 400 })),
  }),
  legs: {
    read: {
      data: Type.Object(
        {
          transactions: Type.Array(BuiltTransaction),
          hasMore: Type.Boolean(),
          limit: Type.Integer(),
          nextCursor: Nullable(Type.String()),
        },
        { additionalProperties: false },
      ),
      errors: validationErrors,
    },
  },
})

export const getBuiltTransaction = defineOperation({
  ...transactions,
  id: 'getBuiltTransaction',
  method: 'GET',
  path: '/access/api/transactions/{transactionId}',
  scope: 'access:read',
  summary: 'A transaction built in a session',
  description: 'With its calls as they were built, and the body of the request.',
  params: TransactionPath,
  fieldCodes: transactionCode,
  legs: { read: { data: WholeTransaction, errors: { ...validationErrors, ...lookupErrors } } },
})

export const reportBuiltTransaction = defineOperation({
  ...transactions,
  id: 'reportBuiltTransaction',
  method: 'POST',
  path: '/access/api/transactions/{transactionId}/sent',
  scope: 'access:read',
  summary: 'Report the hash of a transaction that was built',
  description:
    'So that it is found again before it is confirmed. Of several calls the hash of the one that the confirmation wants. Another hash replaces the one before: a wallet may have sent it anew.',
  params: TransactionPath,
  fieldCodes: transactionCode,
  body: Type.Object({ txHash: Hash }, { additionalProperties: false }),
  legs: { write: { data: BuiltTransaction, errors: { ...validationErrors, ...lookupErrors } } },
})
