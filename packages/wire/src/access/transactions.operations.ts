import { Type } from 'typebox'
import { approvalErrors, validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import type { ErrorTable } from '../operation.ts'
import { Hash, Id, Line, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Approval, ApprovalPolicy, BuiltTransaction, builtStatuses, shown } from './transactions.schemas.ts'

const transactions = { feature: 'access' } as const

const WholeTransaction = Type.Object(
  {
    ...shown,
    body: Type.Unknown({ description: 'Of the request that built it.' }),
    calls: Nullable(
      Type.Array(
        Type.Object(
          { to: Nullable(LowercaseAddress), data: Type.String(), value: Type.String(), chainId: Type.Integer() },
          { additionalProperties: false },
        ),
        {
          description:
            'To sign, in this order. Null: it needs an approval, and these are not for you. Before it is approved, only who may approve it sees them, and once it is approved its maker too.',
        },
      ),
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

const decisionErrors = {
  APPROVER_REQUIRED: {
    status: 403,
    message: 'Only a user with the role approver or admin decides, in a session. A key is nobody.',
  },
  OWN_TRANSACTION: { status: 403, message: 'You built it. Somebody else has to decide.' },
  APPROVAL_NOT_NEEDED: { status: 409, message: 'It was built when no second person was required.' },
  ALREADY_DECIDED: {
    status: 409,
    message: 'It is approved or rejected already.',
    extra: Type.Object({ approval: Approval }),
  },
  APPROVAL_EXPIRED: { status: 409, message: 'Nobody decided in time. It has to be built anew.' },
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
  legs: {
    write: {
      data: BuiltTransaction,
      errors: { ...validationErrors, ...lookupErrors, ...approvalErrors },
    },
  },
})

const decides = {
  scope: 'access:read',
  administrative: true,
  params: TransactionPath,
  fieldCodes: transactionCode,
} as const

export const approveBuiltTransaction = defineOperation({
  ...transactions,
  ...decides,
  id: 'approveBuiltTransaction',
  method: 'POST',
  path: '/access/api/transactions/{transactionId}/approve',
  summary: 'Approve a transaction that was built in a session',
  description:
    'For a user with the role approver or admin, in a session, who did not build it. Its maker gets the calls from then on, for 24 hours, and the relayer takes them once. This is no control on chain: whoever holds a key that the contracts accept can sign without it.',
  legs: {
    write: {
      data: BuiltTransaction,
      errors: {
        ...validationErrors,
        ...lookupErrors,
        ...decisionErrors,
        MAKER_NOT_ALLOWED: {
          status: 409,
          message: 'Whoever built it is no user any more, or may not build. Reject it.',
        },
      },
    },
  },
})

export const rejectBuiltTransaction = defineOperation({
  ...transactions,
  ...decides,
  id: 'rejectBuiltTransaction',
  method: 'POST',
  path: '/access/api/transactions/{transactionId}/reject',
  summary: 'Reject a transaction that was built in a session',
  description: 'By whom it could be approved. Its calls are never given out.',
  body: Type.Object({ reason: Line(300) }, { additionalProperties: false }),
  legs: {
    write: { data: BuiltTransaction, errors: { ...validationErrors, ...lookupErrors, ...decisionErrors } },
  },
})

export const getApprovalPolicy = defineOperation({
  ...transactions,
  id: 'getApprovalPolicy',
  method: 'GET',
  path: '/access/api/approval-policy',
  scope: 'access:read',
  summary: 'Whether a second person is required',
  legs: { read: { data: ApprovalPolicy, errors: {} } },
})

export const setApprovalPolicy = defineOperation({
  ...transactions,
  id: 'setApprovalPolicy',
  administrative: true,
  method: 'PUT',
  path: '/access/api/approval-policy',
  scope: 'access:write',
  summary: 'Require a second person, or no longer',
  description:
    'Counts for what is built from then on, in sessions only: builds with a key always answer calldata. To end it takes two admins, each in a session: the first request is kept for 24 hours in `endAskedBy`, the same of another admin ends it. Asked to stay on, it forgets that request.',
  body: Type.Object({ secondPerson: Type.Boolean() }, { additionalProperties: false }),
  legs: {
    write: {
      data: ApprovalPolicy,
      errors: {
        ...validationErrors,
        USER_REQUIRED: {
          status: 403,
          message: 'A second person is no longer required once two admins say so, each in a session. A key is nobody.',
        },
        APPROVERS_MISSING: {
          status: 409,
          message: 'First make at least two users approver or admin: nobody approves what it built itself.',
        },
      },
    },
  },
})
