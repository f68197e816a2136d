import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'

export const userLookupErrors = {
  INVALID_PARAM: { status: 400, message: 'The id is longer than 100 characters.' },
  USER_NOT_FOUND: { status: 404, message: 'Your instance has no such user.' },
} as const satisfies ErrorTable

export const lastAdminErrors = {
  LAST_ADMIN: { status: 409, message: 'This is the last admin of your instance. Make another user admin first.' },
} as const satisfies ErrorTable

export const identityProviderErrors = {
  IDENTITY_PROVIDER_NOT_CONFIGURED: { status: 404, message: 'This deployment has no identity provider.' },
  IDENTITY_PROVIDER_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The identity provider does not answer. Try again.',
  },
} as const satisfies ErrorTable

export const signInErrors = {
  AUTH_FAILED: {
    status: 401,
    message: 'This API key is not valid: unknown, revoked, expired, of the register, or its instance is archived.',
  },
  SCOPE_MISSING: {
    status: 403,
    message: 'This API key lacks the scope that a session needs.',
    extra: Type.Object({ requiredScope: Type.String() }),
  },
  NONCE_INVALID: {
    status: 400,
    message: 'This challenge or flow is unknown, used, older than 10 minutes, of another site or browser. Begin again.',
  },
  SIGNATURE_INVALID: { status: 400, message: 'The signature over the challenge is not from this wallet.' },
  USER_UNKNOWN: {
    status: 403,
    message:
      'No instance has a user with this wallet, on this chain, or this e-mail address. An admin of yours can add one.',
  },
  INSTANCE_CHOICE_REQUIRED: {
    status: 409,
    message: 'There are several instances with this user. Send the same again with `instanceId`.',
    extra: Type.Object({
      instances: Type.Array(Type.Object({ instanceId: Type.String(), name: Type.String() })),
    }),
  },
  IDENTITY_REFUSED: { status: 400, message: 'What the identity provider said about you does not hold. Begin again.' },
  ...identityProviderErrors,
  PROVIDER_UNAVAILABLE: { status: 503, retry: true, message: 'The chain could not be read. Try again.' },
} as const satisfies ErrorTable

export const ownSessionErrors = {
  SESSION_NOT_FOUND: { status: 404, message: 'This is about the session that asks. A key has none.' },
} as const satisfies ErrorTable

export const noSessionErrors = {
  SESSION_NOT_FOUND: { status: 404, message: 'Your instance has no such session, or it is over.' },
} as const satisfies ErrorTable

export const sessionLookupErrors = {
  INVALID_PARAM: { status: 400, message: 'The id is longer than 100 characters.' },
  ...noSessionErrors,
} as const satisfies ErrorTable
