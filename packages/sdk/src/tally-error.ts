import type { Bound, RefusalOf } from './method.ts'
import type { OperationShape, Refusal } from './operation.ts'

interface Told {
  readonly operation: string
  readonly code: string
  readonly status: number
  readonly message: string
  readonly extra: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
}

/** The service answered and refused. `isRefusal` tells the compiler which codes are possible. */
export class TallyError extends Error {
  override readonly name = 'TallyError'
  readonly operation: string
  readonly code: string
  readonly status: number
  readonly extra: Readonly<Record<string, unknown>>
  /** Finds the request in the logs of the service. */
  readonly requestId: string | undefined
  /** Given when a repeat may succeed. */
  readonly retryAfterSeconds: number | undefined

  constructor({ message, operation, code, status, extra, requestId, retryAfterSeconds }: Told) {
    super(`${operation}: ${code}: ${message}`)
    this.operation = operation
    this.code = code
    this.status = status
    this.extra = extra
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No answer came, however often it was tried. A write may have happened: repeat it with the same Idempotency-Key. */
export class TallyConnectionError extends Error {
  override readonly name = 'TallyConnectionError'
  readonly operation: string
  readonly idempotencyKey: string | undefined

  constructor(operation: string, idempotencyKey: string | undefined, cause: unknown) {
    super(`${operation}: no answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.operation = operation
    this.idempotencyKey = idempotencyKey
  }
}

export type TallyErrorOf<M> = TallyError & RefusalOf<M>

/** Whether this is how that operation refused. Behind it a `switch` over `code` knows every code and its extra fields. */
export function isRefusal<S extends OperationShape>(
  error: unknown,
  method: Bound<S>,
): error is TallyError & S['refusal'] & Refusal {
  return error instanceof TallyError && error.operation === method.operation.id
}
