import { Type } from 'typebox'
import { DecimalString, Instant, Line, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { UnixSeconds } from './lending.schemas.ts'

/** What a hook can watch for. */
export const hookKinds = [
  'HEALTH_BELOW',
  'DUE_WITHIN',
  'PRICE_OLDER_THAN',
  'LIEN_SHORTFALL',
  'LOAN_SEIZED',
  'FACT_ORPHANED',
] as const

export const deliveryStatuses = ['PENDING', 'RETRYING', 'DELIVERED', 'FAILED'] as const

/** What a caller says about a hook. */
export const hookRequest = {
  name: Line(128),
  kind: OneOf(hookKinds),
  threshold: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'HEALTH_BELOW only: the health factor below which it fires, as a decimal. 1 is the border.',
    }),
  ),
  seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 315_360_000,
      description: 'DUE_WITHIN and PRICE_OLDER_THAN only, by the clock of the chain.',
    }),
  ),
  url: Type.String({ minLength: 1, maxLength: 2048, description: 'Where events are sent: https, public addresses.' }),
} as const

const hookFields = {
  id: Type.String(),
  marketId: Type.String(),
  name: Type.String(),
  kind: OneOf(hookKinds),
  threshold: Nullable(DecimalString),
  seconds: Nullable(Type.Integer()),
  url: Type.String(),
  active: Type.Boolean(),
  goneAt: Nullable(
    Type.String({ format: 'date-time', description: 'The receiver answered 410, which switched the hook off.' }),
  ),
  holding: Type.Integer({ description: 'How many things it has reported that still hold: each is reported once.' }),
  createdAt: Instant,
  updatedAt: Instant,
} as const

export const Hook = Data(hookFields)

export const Secret = Type.String({ description: 'Shown this once: whsec_ and base64. Verifies what is sent.' })

/** A hook and the only copy of its secret. */
export const CreatedHook = Data({ ...hookFields, secret: Secret })

/** The body of a message, as it is sent. */
const Message = Data({
  type: Type.String(),
  timestamp: Instant,
  data: Type.Record(Type.String(), Type.Unknown()),
})

export const Delivery = Data({
  id: Type.String(),
  hookId: Type.String(),
  webhookId: Type.String({ description: 'The header webhook-id: the same at every attempt.' }),
  type: Type.String(),
  status: OneOf(deliveryStatuses),
  attempts: Type.Integer(),
  responseCode: Nullable(Type.Integer({ description: 'Of the last attempt; null: no answer came.' })),
  durationMs: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  nextAttemptAt: Nullable(Instant),
  redeliveryOf: Nullable(Type.String()),
  createdAt: Instant,
  attemptedAt: Nullable(Instant),
  deliveredAt: Nullable(Instant),
  payload: Message,
})

const shortfallFields = {
  id: Type.String(),
  holder: Type.String({
    pattern: '^0x[0-9a-f]{40}$',
    description: 'The wallet that is short: a borrower (FREEZE), or the adapter itself (CUSTODY: every loan is short).',
  }),
  expected: Type.String({ description: 'All liens on the wallet together, of every market on this token.' }),
  found: Type.String({ description: 'What is there: frozen, and not more than the balance.' }),
  missing: DecimalString,
  pledged: Type.String({ description: 'Of `expected`, what this market has a lien on.' }),
  blockNumber: Type.String(),
  noticedAt: Instant,
} as const

export const OpenShortfall = Data(shortfallFields)
export const HealedShortfall = Data({ ...shortfallFields, healedAt: Instant })

export const LienPass = Data({
  at: Instant,
  ageSeconds: Type.Integer({ description: 'By our clock. One that grows is a watcher that stopped.' }),
  blockNumber: Type.String(),
  chainTime: UnixSeconds,
  wallets: Type.Integer({ description: 'Wallets that were compared.' }),
  unread: Type.Integer({ description: 'Of these, those that could not be read: nothing is known of them.' }),
})

export const LienAdapter = LowercaseAddress
