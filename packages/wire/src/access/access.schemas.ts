import { Type } from 'typebox'
import { scopes, services } from '../operation.ts'
import { Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'

export const Scopes = Type.Array(OneOf(scopes), { minItems: 1, maxItems: scopes.length, uniqueItems: true })

export const keyStatuses = ['ACTIVE', 'PENDING_ROTATION', 'REVOKED', 'EXPIRED'] as const

const keyFields = {
  keyId: Type.String(),
  ref: Type.String({ description: 'The public part of the key: tally_<ref>_…' }),
  name: Type.String(),
  scopes: Type.Array(OneOf(scopes)),
  status: OneOf(keyStatuses),
  rateLimitPerMinute: Nullable(Type.Integer()),
  createdAt: Instant,
  expiresAt: Nullable(Instant),
  lastUsedAt: Nullable(Instant),
}

export const KeyRequests = Type.Object(
  {
    requests: Type.Array(
      Type.Object(
        {
          requestId: Type.String(),
          at: Instant,
          method: Type.String(),
          path: Type.String({ description: 'Its form, without what was asked about.' }),
          status: Type.Integer(),
          durationMs: Type.Integer(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export const foundKinds = ['stock', 'token', 'market', 'loan', 'investor', 'book', 'transaction'] as const

export const Found = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          kind: OneOf(foundKinds),
          id: Type.String({ description: 'Of a loan: its number on the market.' }),
          title: Type.String(),
          detail: Type.String(),
          marketId: Nullable(Type.String({ description: 'Of a loan.' })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export const ApiKeyRecord = Type.Object(keyFields, { additionalProperties: false })
export const IssuedApiKey = Type.Object(
  { ...keyFields, apiKey: Type.String({ description: 'The whole key. Shown once, never stored.' }) },
  { additionalProperties: false },
)

export const InstanceRecord = Type.Object(
  {
    instanceId: Type.String(),
    name: Type.String(),
    chainId: Type.Integer(),
    environment: OneOf(['DEVELOPMENT', 'PRODUCTION'] as const),
    services: Type.Array(OneOf(services)),
    lenderApproved: Type.Boolean({ description: 'The operator of this deployment approved the instance as a lender.' }),
    createdAt: Instant,
    key: Type.Object(
      { keyId: Type.String(), name: Type.String(), scopes: Type.Array(OneOf(scopes)) },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

export const HealthRecord = Type.Object(
  {
    status: OneOf(['ready', 'degraded', 'not ready'] as const),
    version: Type.String(),
    parts: Type.Array(
      Type.Object(
        { part: Type.String(), ready: Type.Boolean(), reason: Nullable(Type.String()) },
        { additionalProperties: false },
      ),
    ),
    chains: Type.Array(
      Type.Object(
        {
          chainId: Type.Integer(),
          followedTo: Type.String({ description: 'Block up to which the worker has recorded events.' }),
          movedAt: Type.String({ description: 'When the worker last said so, ISO 8601.' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export const WalletRecord = Type.Object(
  {
    address: LowercaseAddress,
    label: Nullable(Type.String()),
    primary: Type.Boolean(),
    verifiedBy: OneOf(['EIP191', 'ERC1271'] as const),
    verifiedAt: Instant,
  },
  { additionalProperties: false },
)

export const WalletChallenge = Type.Object(
  {
    address: LowercaseAddress,
    nonce: Type.String(),
    message: Type.String({ description: 'Sign exactly this text (EIP-191 personal message).' }),
    expiresAt: Instant,
  },
  { additionalProperties: false },
)

/** What only the operator of a deployment does, at the command line. */
export const operatorActs = [
  'createInstance',
  'archiveInstance',
  'setServices',
  'approveLender',
  'createKey',
  'rotateKey',
  'revokeKey',
  'createRegisterKey',
  'setRelayer',
  'removeRelayer',
  'recordContracts',
  'setImplementation',
  'importRegister',
] as const
export type OperatorAct = (typeof operatorActs)[number]

const ChangedFields = (description: string) => Nullable(Type.Record(Type.String(), Type.Unknown(), { description }))

const AuditRecord = Type.Object(
  {
    actId: Type.String(),
    at: Instant,
    operation: Type.String({
      description: `The operation of this interface, or what the operator did: ${operatorActs.join(', ')}.`,
    }),
    subject: Type.String({ description: 'What was administered: the id of a key or a hook, an address, …' }),
    actor: OneOf(['key', 'user', 'operator'] as const, {
      description: 'user: who signed in with a wallet; operator: at the command line of the deployment.',
    }),
    keyId: Nullable(Type.String()),
    keyName: Nullable(Type.String({ description: 'As the key was called then.' })),
    userId: Type.Optional(Type.String({ description: 'Where a user acted.' })),
    userName: Type.Optional(Type.String({ description: 'As the user was called then.' })),
    before: ChangedFields('The fields that changed, as they were; null: the subject is new. Never a secret.'),
    after: ChangedFields('The same fields, as they are since then; null: the subject is gone.'),
    requestId: Nullable(Type.String({ description: 'As answered in `metadata` of the request.' })),
  },
  { additionalProperties: false },
)

export const AuditPage = Type.Object(
  {
    acts: Type.Array(AuditRecord),
    hasMore: Type.Boolean(),
    limit: Type.Integer(),
    nextCursor: Nullable(Type.String()),
  },
  { additionalProperties: false },
)
