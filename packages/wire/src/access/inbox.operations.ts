import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { features } from '../operation.ts'
import { Instant, Nullable, OneOf } from '../primitives.ts'

/** What can need somebody, in the order in which it is shown. */
export const needKinds = [
  'LOAN_NEAR_LIQUIDATION',
  'MARKET_UNREADABLE',
  'PRICE_STALE',
  'LOAN_DUE',
  'TRANSACTION_UNDONE',
  'SETTLEMENT_WAITING',
  'RFQ_OPEN',
  'CLAIM_EXPIRING',
  'TRANSACTION_TO_APPROVE',
  'TRANSACTION_TO_SIGN',
  'TRANSACTION_UNPROVEN',
] as const
export type NeedKind = (typeof needKinds)[number]

const closed = { additionalProperties: false } as const
const Count = Type.Integer()
const OptionalText = Nullable(Type.String())

const Need = Type.Object(
  {
    kind: OneOf(needKinds),
    urgency: OneOf(['NOW', 'SOON'] as const),
    id: Type.String({
      description: 'Of the loan, market, claim slot, settlement, request or transaction that the kind names.',
    }),
    label: Type.String({
      description: 'For people: the pair of the market or book, the name of the slot, the summary of the transaction.',
    }),
    marketId: OptionalText,
    orderBookId: OptionalText,
    walletAddress: Nullable(Type.String({ description: 'Of the borrower, investor or requester.' })),
    healthFactor: OptionalText,
    dueAt: Nullable(Instant),
  },
  closed,
)

export const listInbox = defineOperation({
  feature: 'access',
  id: 'listInbox',
  method: 'GET',
  path: '/access/api/inbox',
  scope: 'access:read',
  summary: 'What needs somebody',
  description:
    'Most urgent first: loans with a health below 1.1 or due within 14 days, markets whose contracts do not answer, prices that are stale or in the last fifth of their time, claims that ended or end within 30 days, settlements and requests for quote that are open, transactions built in sessions that wait for an approval, a signature or their proof, or were undone. Of lending, trading and identity only what the scopes of the caller and the services of the instance allow. `limit` 50 (at most 200), `cursor` goes on.',
  query: Type.Object({
    limit: Type.Optional(Type.String()),
    cursor: Type.Optional(Type.String({ maxLength: 400 })),
  }),
  legs: {
    read: {
      data: Type.Object(
        {
          needs: Type.Array(Need),
          counts: Type.Object(
            {
              total: Count,
              now: Count,
              soon: Count,
              byKind: Type.Object(Object.fromEntries(needKinds.map((kind) => [kind, Count])), closed),
            },
            { ...closed, description: 'Of all, not of this page.' },
          ),
          unread: Type.Array(OneOf(features), { description: 'Could not be read now: more may need somebody.' }),
          isComplete: Type.Boolean({
            description: 'False: of some kind there is more than is looked at, or a market did not answer.',
          }),
          hasMore: Type.Boolean(),
          limit: Type.Integer(),
          nextCursor: OptionalText,
        },
        closed,
      ),
      errors: validationErrors,
    },
  },
})
