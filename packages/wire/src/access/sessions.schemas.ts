import { Type } from 'typebox'
import { scopes, services } from '../operation.ts'
import { Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'

export const userRoles = ['viewer', 'operator', 'approver', 'admin'] as const
export type UserRole = (typeof userRoles)[number]

export const UserRecord = Type.Object(
  {
    userId: Type.String(),
    address: Nullable(LowercaseAddress),
    email: Nullable(Type.String({ description: 'At the identity provider of the deployment.' })),
    name: Type.String(),
    role: OneOf(userRoles),
    createdAt: Instant,
  },
  { additionalProperties: false },
)

export const SignInChallenge = Type.Object(
  {
    address: LowercaseAddress,
    nonce: Type.String(),
    message: Type.String({ description: 'EIP-4361. Sign exactly this text (EIP-191 personal message).' }),
    expiresAt: Instant,
  },
  { additionalProperties: false },
)

export const SentToProvider = Type.Object(
  {
    authorizationUrl: Type.String({ description: 'Where the browser goes.' }),
    state: Type.String({ description: 'Comes back with it.' }),
    flow: Type.String({ description: 'The browser keeps it, shows it to nobody and signs in with it.' }),
    expiresAt: Instant,
  },
  { additionalProperties: false },
)

const sessionKinds = ['user', 'key'] as const

const shared = {
  sessionId: Type.String(),
  kind: OneOf(sessionKinds, { description: 'Who signed in: a user, or the holder of a key.' }),
  name: Type.String({ description: 'Of the user or of the key.' }),
  role: Nullable(OneOf(userRoles, { description: 'Of the user; null: the scopes are those of the key.' })),
  keyId: Nullable(Type.String({ description: 'The key that was pasted.' })),
  createdAt: Instant,
  idleUntil: Type.String({ format: 'date-time', description: 'Ends then, unless it is used before.' }),
  expiresAt: Type.String({ format: 'date-time', description: 'Ends then, however much it is used.' }),
}

/** What the holder of a session is told about it. */
export const SessionRecord = Type.Object(
  {
    ...shared,
    csrfToken: Type.String({ description: 'Goes into the X-CSRF-Token header of every write.' }),
    user: Nullable(UserRecord),
    scopes: Type.Array(OneOf(scopes)),
    instance: Type.Object(
      {
        instanceId: Type.String(),
        name: Type.String(),
        chainId: Type.Integer(),
        environment: OneOf(['DEVELOPMENT', 'PRODUCTION'] as const),
        services: Type.Array(OneOf(services)),
        lenderApproved: Type.Boolean(),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

export const ListedSession = Type.Object(
  {
    ...shared,
    userId: Nullable(Type.String()),
    current: Type.Boolean({ description: 'The one that the request came with.' }),
    seenAt: Type.String({ format: 'date-time', description: 'Last used, to the minute.' }),
    userAgent: Nullable(Type.String({ description: 'As the browser called itself at sign-in.' })),
  },
  { additionalProperties: false },
)
