import { Type } from 'typebox'
import type { ErrorTable, OperationSpec } from './operation.ts'

/** Which fields failed, and how. */
export const fieldDetails = Type.Object({
  details: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
})

/** Bad input that no more specific code names. */
export const validationErrors = {
  VALIDATION_ERROR: {
    status: 400,
    message: 'The request is not of the form this route takes.',
    extra: fieldDetails,
  },
} as const satisfies ErrorTable

/** What a second person has to approve first. */
export const approvalErrors = {
  APPROVAL_REQUIRED: {
    status: 409,
    message: 'A second person has to approve this first. Build it in your session, have it approved, then ask again.',
  },
} as const satisfies ErrorTable

const keyErrors = {
  AUTH_REQUIRED: { status: 401, message: 'Send your API key in the X-API-Key header, or sign in.' },
  AUTH_FAILED: {
    status: 401,
    message: 'This API key or session is not valid: unknown, revoked, expired, or its instance is archived.',
  },
  SCOPE_MISSING: {
    status: 403,
    message: 'This API key lacks the scope that the route needs.',
    extra: Type.Object({ requiredScope: Type.String() }),
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    retry: true,
    message: 'Too many requests with this key. Wait and try again.',
    extra: Type.Object({ retryAfterSeconds: Type.Integer() }),
  },
} as const satisfies ErrorTable

/** A session works from the pages of the console only. */
const originErrors = {
  ORIGIN_REFUSED: {
    status: 403,
    message: 'Sessions work from the origin of the console only. Elsewhere use an API key.',
  },
} as const satisfies ErrorTable

const csrfErrors = {
  CSRF_TOKEN_INVALID: {
    status: 403,
    message: 'Send the csrfToken of your session in the X-CSRF-Token header with every write.',
  },
} as const satisfies ErrorTable

const instanceErrors = {
  INSTANCE_REQUIRED: { status: 400, message: 'This key opens the register only. Use the API key of an instance here.' },
} as const satisfies ErrorTable

const goneInstanceErrors = {
  INSTANCE_NOT_FOUND: { status: 404, message: 'The instance behind this API key no longer exists.' },
} as const satisfies ErrorTable

const databaseErrors = {
  SERVICE_UNAVAILABLE: { status: 503, retry: true, message: 'The database cannot be reached right now. Try again.' },
} as const satisfies ErrorTable

const loadErrors = {
  OVERLOADED: {
    status: 503,
    retry: true,
    message: 'Too much is waiting already, or what this needs is held up. Nothing was done. Try again shortly.',
  },
} as const satisfies ErrorTable

/** Streams have one of their own, on their leg. */
const formErrors = {
  NOT_ACCEPTABLE: {
    status: 406,
    message: 'This route answers no CSV: leave `Accept` out, or ask for application/json.',
  },
} as const satisfies ErrorTable

const serviceErrors = {
  SERVICE_NOT_ENABLED: {
    status: 403,
    message: 'This service is switched off for your instance.',
    extra: Type.Object({ service: Type.String() }),
  },
} as const satisfies ErrorTable

const writeErrors = {
  KEY_MATERIAL_REJECTED: {
    status: 400,
    message:
      'Never send key material here: this service does not sign for you. The request was dropped and not logged.',
  },
  IDEMPOTENCY_MISMATCH: { status: 409, message: 'This Idempotency-Key was used for a different request.' },
  IDEMPOTENCY_IN_FLIGHT: {
    status: 409,
    retry: true,
    message: 'A request with this Idempotency-Key is still running. Ask again in a moment.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The body is larger than this route takes: 64 KiB, unless the route declares more.',
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send the body as application/json.' },
} as const satisfies ErrorTable

/** Who is nobody yet: it is limited by its address, and has no keys to keep answers under. */
function openDoorErrors(spec: OperationSpec): ErrorTable {
  const { IDEMPOTENCY_MISMATCH: _mismatch, IDEMPOTENCY_IN_FLIGHT: _inFlight, ...bodyErrors } = writeErrors
  return {
    RATE_LIMIT_EXCEEDED: keyErrors.RATE_LIMIT_EXCEEDED,
    ...originErrors,
    ...loadErrors,
    ...databaseErrors,
    ...(spec.method === 'GET' ? {} : bodyErrors),
  }
}

export const internalError = {
  INTERNAL_ERROR: { status: 500, message: 'Something failed on our side. The request id finds it in the logs.' },
} as const satisfies ErrorTable

const everyDoorError = {
  ...validationErrors,
  ...keyErrors,
  ...originErrors,
  ...csrfErrors,
  ...instanceErrors,
  ...goneInstanceErrors,
  ...databaseErrors,
  ...loadErrors,
  ...serviceErrors,
  ...formErrors,
  ...writeErrors,
  ...internalError,
} as const satisfies ErrorTable

export type DoorCode = keyof typeof everyDoorError

/** Whoever wants nothing but CSV is told so; whoever reads. */
const answersNoCsv = ({ method, stream, csv }: OperationSpec): boolean => method === 'GET' && !stream && !csv

/** What a caller can meet before the operation itself runs. */
export function doorErrors(spec: OperationSpec): ErrorTable {
  if (spec.open) return openDoorErrors(spec)
  const legsValidate = Object.values(spec.legs).every(({ errors }) => 'VALIDATION_ERROR' in errors)
  return {
    ...keyErrors,
    ...originErrors,
    ...(spec.method === 'GET' ? {} : csrfErrors),
    ...loadErrors,
    ...(spec.registerKeys ? {} : instanceErrors),
    ...(spec.instanceGone ? goneInstanceErrors : {}),
    // An operation with a fault code of its own answers that one for an unreachable database too.
    ...(spec.fault ? {} : databaseErrors),
    ...(spec.service ? serviceErrors : {}),
    ...(spec.method === 'GET' ? {} : writeErrors),
    ...(answersNoCsv(spec) ? formErrors : {}),
    // A query can be wrong everywhere. Where every leg lists it, the answer is the leg's.
    ...(legsValidate ? {} : validationErrors),
  }
}

/** What is refused before it is known which operation was meant. */
export const routeErrors = {
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive. The connection is closed.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers are larger than 16 KiB. The connection is closed.' },
  MALFORMED_REQUEST: { status: 400, message: 'This is not a request of HTTP/1.1. The connection is closed.' },
  ROUTE_NOT_FOUND: { status: 404, message: 'There is no such route. See /docs.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path takes other methods: `Allow` lists them.' },
} as const satisfies ErrorTable

/** What one verifier answers for every confirm, unless a route's own table says otherwise. */
export const transactionErrors = {
  TX_NOT_FOUND: {
    status: 404,
    retry: true,
    message: 'No mined transaction with this hash on your chain yet. If it was replaced, send the new hash.',
  },
  TX_REVERTED: { status: 400, message: 'The transaction was mined but failed, so nothing happened on chain.' },
  TX_WRONG_TARGET: {
    status: 400,
    message: 'The transaction neither called the expected contract nor made it emit anything.',
  },
  TX_WRONG_FUNCTION: { status: 400, message: 'The transaction called another function of the contract.' },
  TX_NOT_VERIFIED: { status: 400, message: 'The transaction does not show the expected effect for this entity.' },
  CHAIN_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The chain could not be read, or its nodes disagree. Try again.',
  },
} as const satisfies ErrorTable
