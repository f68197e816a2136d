import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Address, Id, Instant, Line } from '../primitives.ts'
import {
  boundErrors,
  grantErrors,
  keyLimitErrors,
  keyLookupErrors,
  walletAddressErrors,
  walletLookupErrors,
  walletRoomErrors,
} from './access.errors.ts'
import {
  ApiKeyRecord,
  AuditPage,
  Found,
  HealthRecord,
  InstanceRecord,
  IssuedApiKey,
  KeyRequests,
  Scopes,
  WalletChallenge,
  WalletRecord,
} from './access.schemas.ts'

const access = { feature: 'access' } as const
const KeyPath = Type.Object({ keyId: Id })
const WalletPath = Type.Object({ address: Address })
const keyCode = { keyId: 'INVALID_PARAM' } as const
const walletCode = { address: 'INVALID_ADDRESS' } as const

export const getInstance = defineOperation({
  ...access,
  id: 'getInstance',
  method: 'GET',
  path: '/access/api/instance',
  scope: 'access:read',
  summary: 'Who am I',
  description: 'The instance that the key is bound to, its chain and services, and the key itself.',
  legs: { read: { data: InstanceRecord, errors: {} } },
})

export const getHealth = defineOperation({
  ...access,
  id: 'getHealth',
  method: 'GET',
  path: '/access/api/health',
  scope: 'access:read',
  summary: 'Health of the service',
  description:
    'Which parts of the deployment work, as the process that answers sees them now, and how far the worker has read each chain. A part that does not work is reported with 200.',
  legs: { read: { data: HealthRecord, errors: {} } },
})

export const listKeys = defineOperation({
  ...access,
  id: 'listKeys',
  method: 'GET',
  path: '/access/api/keys',
  scope: 'access:read',
  summary: 'List API keys',
  description:
    'All keys of the instance, revoked ones included, newest first. Secrets are not stored and cannot be shown.',
  legs: { read: { data: Type.Array(ApiKeyRecord), errors: {} } },
})

export const listKeyRequests = defineOperation({
  ...access,
  id: 'listKeyRequests',
  method: 'GET',
  path: '/access/api/keys/{keyId}/requests',
  scope: 'access:read',
  summary: 'List the last requests of a key',
  description:
    'The newest 200, refused ones included, newest first; seconds may pass until a request of another server is among them.',
  params: KeyPath,
  fieldCodes: keyCode,
  legs: { read: { data: KeyRequests, errors: keyLookupErrors } },
})

export const search = defineOperation({
  ...access,
  id: 'search',
  method: 'GET',
  path: '/access/api/search',
  scope: 'access:read',
  summary: 'Search everything of the instance',
  description:
    'Stocks, imported tokens, markets, loans by their number, investors, order books and transactions, by part of a name, an address, an id or a hash; five of each kind, of the kinds that the key may read.',
  query: Type.Object({ q: Type.String({ minLength: 1, maxLength: 100 }) }),
  legs: { read: { data: Found, errors: validationErrors } },
})

export const createKey = defineOperation({
  ...access,
  id: 'createKey',
  administrative: true,
  method: 'POST',
  path: '/access/api/keys',
  scope: 'access:write',
  summary: 'Create an API key',
  description:
    'The answer holds the only copy of the secret. A key cannot hand out scopes it lacks, nor a higher rate limit or a longer life than its own, which the new one has unless it says less. At most 10 active.',
  secret: true,
  body: Type.Object(
    {
      name: Line(100),
      scopes: Scopes,
      expiresAt: Type.Optional(Instant),
      rateLimitPerMinute: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    },
    { additionalProperties: false },
  ),
  legs: {
    write: { data: IssuedApiKey, errors: { ...validationErrors, ...grantErrors, ...boundErrors, ...keyLimitErrors } },
  },
})

export const rotateKey = defineOperation({
  ...access,
  id: 'rotateKey',
  administrative: true,
  method: 'POST',
  path: '/access/api/keys/{keyId}/rotate',
  scope: 'access:write',
  summary: 'Rotate an API key',
  description:
    'Issues a successor at once, with the scopes, the rate limit and the expiry of the old key, which stays valid for 7 days at most and keeps its slot. A key cannot rotate one that is stronger.',
  secret: true,
  params: KeyPath,
  fieldCodes: keyCode,
  legs: {
    write: {
      data: IssuedApiKey,
      errors: {
        ...validationErrors,
        ...keyLookupErrors,
        ...grantErrors,
        ...boundErrors,
        ...keyLimitErrors,
        KEY_NOT_ACTIVE: { status: 409, message: 'Only an active key can be rotated.' },
      },
    },
  },
})

export const revokeKey = defineOperation({
  ...access,
  id: 'revokeKey',
  administrative: true,
  method: 'DELETE',
  path: '/access/api/keys/{keyId}',
  scope: 'access:write',
  summary: 'Revoke an API key',
  description:
    'Immediate and final. Revoking a revoked key answers it unchanged. A key cannot revoke one that holds scopes it lacks.',
  params: KeyPath,
  fieldCodes: keyCode,
  legs: { write: { data: ApiKeyRecord, errors: { ...validationErrors, ...keyLookupErrors, ...grantErrors } } },
})

export const listWallets = defineOperation({
  ...access,
  id: 'listWallets',
  method: 'GET',
  path: '/access/api/wallets',
  scope: 'access:read',
  summary: 'List wallets',
  description: 'Verified wallets of the instance, primary first, then oldest first.',
  legs: { read: { data: Type.Array(WalletRecord), errors: {} } },
})

export const challengeWallet = defineOperation({
  ...access,
  id: 'challengeWallet',
  method: 'POST',
  path: '/access/api/wallets/challenge',
  scope: 'access:write',
  summary: 'Ask for a wallet challenge',
  description: 'Answers a text for the wallet to sign. Valid for 10 minutes and for one use.',
  body: Type.Object({ address: Address }, { additionalProperties: false }),
  fieldCodes: walletCode,
  legs: {
    write: { data: WalletChallenge, errors: { ...validationErrors, ...walletAddressErrors, ...walletRoomErrors } },
  },
})

export const registerWallet = defineOperation({
  ...access,
  id: 'registerWallet',
  administrative: true,
  method: 'POST',
  path: '/access/api/wallets',
  scope: 'access:write',
  summary: 'Register a wallet',
  description:
    'Proves control of a wallet by its signature over the challenge: an EOA by EIP-191, a contract by ERC-1271. The first wallet becomes primary.',
  body: Type.Object(
    {
      address: Address,
      nonce: Line(100),
      signature: Type.String({ pattern: '^0x([0-9a-fA-F]{2}){0,2048}$', description: 'At most 2048 bytes.' }),
      label: Type.Optional(Line(100)),
    },
    { additionalProperties: false },
  ),
  fieldCodes: walletCode,
  unreadable: 'PROVIDER_UNAVAILABLE',
  legs: {
    write: {
      data: WalletRecord,
      errors: {
        ...validationErrors,
        ...walletAddressErrors,
        ...walletRoomErrors,
        NONCE_INVALID: {
          status: 400,
          message: 'This challenge is unknown, used or older than 10 minutes. Ask for a new one.',
        },
        SIGNATURE_INVALID: { status: 400, message: 'The signature over the challenge is not from this wallet.' },
        PROVIDER_UNAVAILABLE: { status: 503, retry: true, message: 'The chain could not be read. Try again.' },
      },
    },
  },
})

export const promoteWallet = defineOperation({
  ...access,
  id: 'promoteWallet',
  administrative: true,
  method: 'POST',
  path: '/access/api/wallets/{address}/promote',
  scope: 'access:write',
  summary: 'Make a wallet primary',
  params: WalletPath,
  fieldCodes: walletCode,
  legs: { write: { data: WalletRecord, errors: { ...validationErrors, ...walletLookupErrors } } },
})

export const removeWallet = defineOperation({
  ...access,
  id: 'removeWallet',
  administrative: true,
  method: 'DELETE',
  path: '/access/api/wallets/{address}',
  scope: 'access:write',
  summary: 'Remove a wallet',
  description: 'Removing the primary wallet promotes the oldest of the others.',
  params: WalletPath,
  fieldCodes: walletCode,
  legs: {
    write: {
      data: Type.Object({ removed: Type.Literal(true) }, { additionalProperties: false }),
      errors: { ...validationErrors, ...walletLookupErrors },
    },
  },
})

export const listAudit = defineOperation({
  ...access,
  id: 'listAudit',
  method: 'GET',
  path: '/access/api/audit',
  scope: 'access:read',
  summary: 'Read the audit log',
  description:
    'Every administrative act upon the instance, by its keys and by the operator of the deployment, newest first: `limit` 50 (at most 200), `cursor` goes on. `from` is included, `to` is not.',
  query: Type.Object({
    operation: Type.Optional(Type.String({ maxLength: 100, description: 'Only acts of this operation.' })),
    keyId: Type.Optional(Type.String({ maxLength: 100, description: 'Only acts of this key.' })),
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
    limit: Type.Optional(Type.String()),
    cursor: Type.Optional(Type.String({ maxLength: 400 })),
  }),
  csv: {
    rows: 'acts',
    page: 200,
    columns: {
      actId: 'actId',
      at: 'at',
      operation: 'operation',
      subject: 'subject',
      actor: 'actor',
      keyId: 'keyId',
      keyName: 'keyName',
      userId: 'userId',
      userName: 'userName',
      before: 'before',
      after: 'after',
      requestId: 'requestId',
    },
  },
  legs: { read: { data: AuditPage, errors: validationErrors } },
})
