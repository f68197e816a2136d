import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Address, Id, Line, OneOf } from '../primitives.ts'
import { grantErrors, walletAddressErrors } from './access.errors.ts'
import {
  identityProviderErrors,
  lastAdminErrors,
  noSessionErrors,
  ownSessionErrors,
  sessionLookupErrors,
  signInErrors,
  userLookupErrors,
} from './sessions.errors.ts'
import {
  ListedSession,
  SentToProvider,
  SessionRecord,
  SignInChallenge,
  UserRecord,
  userRoles,
} from './sessions.schemas.ts'

const access = { feature: 'access' } as const
const walletCode = { address: 'INVALID_ADDRESS' } as const
const UserPath = Type.Object({ userId: Id })
const userCode = { userId: 'INVALID_PARAM' } as const

const Ended = Type.Object(
  { ended: Type.Integer({ description: 'How many sessions ended.' }) },
  { additionalProperties: false },
)

export const challengeSignIn = defineOperation({
  ...access,
  id: 'challengeSignIn',
  open: true,
  method: 'POST',
  path: '/access/api/sign-in/challenge',
  scope: 'access:read',
  summary: 'Ask for a sign-in challenge',
  description:
    'Answers an EIP-4361 text for the wallet to sign: bound to this site, to a chain, to 10 minutes and to one use. `chainId`: where the deployment serves several.',
  body: Type.Object(
    { address: Address, chainId: Type.Optional(Type.Integer({ minimum: 1 })) },
    { additionalProperties: false },
  ),
  fieldCodes: walletCode,
  legs: { write: { data: SignInChallenge, errors: { ...validationErrors, ...walletAddressErrors } } },
})

export const beginProviderSignIn = defineOperation({
  ...access,
  id: 'beginProviderSignIn',
  open: true,
  method: 'POST',
  path: '/access/api/sign-in/oidc',
  scope: 'access:read',
  summary: 'Go to the identity provider',
  description:
    'OpenID Connect, authorization code with PKCE. The provider sends the browser back to `/sign-in/oidc` of this site with `code` and `state`; `signIn` takes both together with `flow`, once, within 10 minutes.',
  body: Type.Object({}, { additionalProperties: false }),
  legs: { write: { data: SentToProvider, errors: { ...validationErrors, ...identityProviderErrors } } },
})

export const signIn = defineOperation({
  ...access,
  id: 'signIn',
  open: true,
  method: 'POST',
  path: '/access/api/sign-in',
  scope: 'access:read',
  summary: 'Sign in',
  description:
    'Begins a session: with `address`, `nonce` and `signature` of a wallet that is a user of an instance, with what came back from the identity provider (`oidc`), or with an `apiKey` that has the scope `access:read`. The session comes as a cookie (`HttpOnly`, `SameSite=Strict`), works from this site only and ends 60 minutes after its last use, 12 hours after its begin at the latest. A session that came along ends.',
  body: Type.Object(
    {
      address: Type.Optional(Address),
      nonce: Type.Optional(Line(100)),
      signature: Type.Optional(
        Type.String({ pattern: '^0x([0-9a-fA-F]{2}){0,2048}$', description: 'At most 2048 bytes.' }),
      ),
      oidc: Type.Optional(
        Type.Object(
          { flow: Line(200), state: Line(500), code: Line(4000), iss: Type.Optional(Line(500)) },
          { additionalProperties: false, description: 'Of the identity provider; instead of a wallet.' },
        ),
      ),
      instanceId: Type.Optional(Type.String({ maxLength: 100, description: 'Where somebody is a user of several.' })),
      apiKey: Type.Optional(Type.String({ maxLength: 200, description: 'Instead of all the others.' })),
    },
    { additionalProperties: false },
  ),
  fieldCodes: walletCode,
  unreadable: 'PROVIDER_UNAVAILABLE',
  legs: {
    write: { data: SessionRecord, errors: { ...validationErrors, ...walletAddressErrors, ...signInErrors } },
  },
})

export const getSession = defineOperation({
  ...access,
  id: 'getSession',
  method: 'GET',
  path: '/access/api/session',
  scope: 'access:read',
  summary: 'The session that asks',
  description: 'Who is signed in, with which rights, until when, and the token that writes need.',
  legs: { read: { data: SessionRecord, errors: ownSessionErrors } },
})

export const signOut = defineOperation({
  ...access,
  id: 'signOut',
  method: 'DELETE',
  path: '/access/api/session',
  scope: 'access:read',
  summary: 'Sign out',
  description: 'Ends the session that asks; with `everywhere=true` all sessions of the same user, or of the same key.',
  query: Type.Object({ everywhere: Type.Optional(OneOf(['true', 'false'] as const)) }),
  legs: { write: { data: Ended, errors: { ...validationErrors, ...ownSessionErrors } } },
})

export const listSessions = defineOperation({
  ...access,
  id: 'listSessions',
  method: 'GET',
  path: '/access/api/sessions',
  scope: 'access:read',
  summary: 'List sessions',
  description: 'Sessions of the instance that are not over, newest first.',
  legs: {
    read: {
      data: Type.Object({ sessions: Type.Array(ListedSession) }, { additionalProperties: false }),
      errors: {},
    },
  },
})

export const endSession = defineOperation({
  ...access,
  id: 'endSession',
  administrative: true,
  method: 'DELETE',
  path: '/access/api/sessions/{sessionId}',
  scope: 'access:write',
  summary: 'End a session',
  params: Type.Object({ sessionId: Id }),
  fieldCodes: { sessionId: 'INVALID_PARAM' },
  legs: { write: { data: Ended, errors: { ...validationErrors, ...sessionLookupErrors } } },
})

export const endSessions = defineOperation({
  ...access,
  id: 'endSessions',
  administrative: true,
  method: 'DELETE',
  path: '/access/api/sessions',
  scope: 'access:write',
  summary: 'End all sessions',
  description: 'Of the instance, your own included; with `userId` those of one user.',
  query: Type.Object({ userId: Type.Optional(Id) }),
  legs: { write: { data: Ended, errors: { ...validationErrors, ...noSessionErrors } } },
})

export const listUsers = defineOperation({
  ...access,
  id: 'listUsers',
  method: 'GET',
  path: '/access/api/users',
  scope: 'access:read',
  summary: 'List users',
  description: 'Who can sign in, oldest first.',
  legs: {
    read: { data: Type.Object({ users: Type.Array(UserRecord) }, { additionalProperties: false }), errors: {} },
  },
})

export const addUser = defineOperation({
  ...access,
  id: 'addUser',
  administrative: true,
  method: 'POST',
  path: '/access/api/users',
  scope: 'access:write',
  summary: 'Add a user',
  description:
    'Somebody who can sign in from now on: with a wallet (`address`), at the identity provider of the deployment with a verified `email`, or both. viewer: reads everything; operator: and builds everything but what administers the instance; approver: the same, and approves what others built; admin: everything. Nobody hands out a role with scopes that the caller lacks. At most 100.',
  body: Type.Object(
    {
      address: Type.Optional(Address),
      email: Type.Optional(Type.String({ maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' })),
      name: Line(100),
      role: OneOf(userRoles),
    },
    { additionalProperties: false },
  ),
  fieldCodes: walletCode,
  legs: {
    write: {
      data: UserRecord,
      errors: {
        ...validationErrors,
        ...walletAddressErrors,
        ...grantErrors,
        USER_ALREADY_EXISTS: {
          status: 409,
          message: 'This wallet or e-mail address is a user of your instance already.',
        },
        USER_LIMIT_REACHED: { status: 409, message: 'Your instance has 100 users. Remove one first.' },
      },
    },
  },
})

export const changeUser = defineOperation({
  ...access,
  id: 'changeUser',
  administrative: true,
  method: 'PATCH',
  path: '/access/api/users/{userId}',
  scope: 'access:write',
  summary: 'Change a user',
  description: 'Another name or role. A role counts at once, also in sessions that are open.',
  params: UserPath,
  fieldCodes: userCode,
  body: Type.Object(
    { name: Type.Optional(Line(100)), role: Type.Optional(OneOf(userRoles)) },
    { additionalProperties: false },
  ),
  legs: {
    write: {
      data: UserRecord,
      errors: { ...validationErrors, ...userLookupErrors, ...grantErrors, ...lastAdminErrors },
    },
  },
})

export const removeUser = defineOperation({
  ...access,
  id: 'removeUser',
  administrative: true,
  method: 'DELETE',
  path: '/access/api/users/{userId}',
  scope: 'access:write',
  summary: 'Remove a user',
  description: 'Its sessions end at once.',
  params: UserPath,
  fieldCodes: userCode,
  legs: {
    write: {
      data: Type.Object({ removed: Type.Literal(true) }, { additionalProperties: false }),
      errors: { ...validationErrors, ...userLookupErrors, ...grantErrors, ...lastAdminErrors },
    },
  },
})
