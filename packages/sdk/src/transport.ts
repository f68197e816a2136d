import type { OperationSpec, RequestShape } from './operation.ts'
import { pathOf } from './request-url.ts'
import { type Failure, type RetryPolicy, waitMs } from './retry.ts'
import { TallyConnectionError, TallyError } from './tally-error.ts'

export interface CallOptions {
  /** Default: a new one for every call of a method. Repeats of the call use the same one. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  readonly retry?: Partial<RetryPolicy>
  /** Of one try. */
  readonly timeoutMs?: number
}

export interface TransportParts {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: typeof fetch
  readonly retry: RetryPolicy
  readonly timeoutMs: number
  /** The prefix of a group of operations, where a call does not name one. */
  readonly surfaceOf: (operation: OperationSpec) => string | undefined
  readonly random: () => number
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  readonly createIdempotencyKey: () => string
}

export interface Transport {
  /** Sends until there is a success; a refusal that a repeat cannot help is thrown as TallyError. */
  send(operation: OperationSpec, request: RequestShape, options?: CallOptions): Promise<Response>
  /** The same to a path that the service itself named. */
  sendTo(path: string, operation: OperationSpec, body: object, options?: CallOptions): Promise<Response>
  /** One try that may go on for ever: a stream. */
  open(
    operation: OperationSpec,
    request: RequestShape,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response>
  /** For what does not go through fetch. */
  address(operation: OperationSpec, request: RequestShape): { url: URL; headers: Record<string, string> }
  readonly parts: TransportParts
}

function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  const seconds = text === null ? Number.NaN : Number(text)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** What was refused, in words of the service; of whatever stands before it, the status. */
async function refusalOf(operation: OperationSpec, response: Response): Promise<TallyError> {
  const text = await response.text()
  const told = parsed(text)
  const { code, message, ...extra } = told?.error ?? {}
  return new TallyError({
    operation: operation.id,
    code: typeof code === 'string' ? code : `HTTP_${response.status}`,
    status: response.status,
    message: typeof message === 'string' ? message : text.slice(0, 200),
    extra,
    requestId: told?.metadata?.requestId,
    retryAfterSeconds: retryAfterOf(response.headers),
  })
}

function parsed(text: string): { error?: Record<string, unknown>; metadata?: { requestId?: string } } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy in between answers pages, not envelopes.
    return undefined
  }
}

export function createTransport(parts: TransportParts): Transport {
  const base = parts.baseUrl.replace(/\/+$/, '')
  const addressOf = (operation: OperationSpec, request: RequestShape) =>
    `${base}${pathOf(operation, request, parts.surfaceOf(operation))}`

  async function attempt(url: string, init: RequestInit, { signal, timeoutMs }: CallOptions): Promise<Response> {
    const timeout = AbortSignal.timeout(timeoutMs ?? parts.timeoutMs)
    const response = await parts.fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
    // Read to the end here: a connection that breaks in the middle of an answer is to be tried again like any other.
    const bytes = await response.arrayBuffer()
    return new Response(bytes.byteLength === 0 ? null : bytes, { status: response.status, headers: response.headers })
  }

  async function repeat(operation: OperationSpec, url: string, init: RequestInit, options: CallOptions, key?: string) {
    const policy = { ...parts.retry, ...options.retry }
    for (let tries = 0; ; tries += 1) {
      let failure: Failure
      let error: Error
      try {
        const response = await attempt(url, init, options)
        if (response.ok) return response
        const refusal = await refusalOf(operation, response)
        failure = refusal
        error = refusal
      } catch (cause) {
        options.signal?.throwIfAborted()
        failure = { status: undefined, retryAfterSeconds: undefined }
        error = new TallyConnectionError(operation.id, key, cause)
      }
      const wait = waitMs(failure, tries, policy, parts.random)
      if (wait === null) throw error
      await parts.sleep(wait, options.signal)
    }
  }

  function write(operation: OperationSpec, url: string, body: object | undefined, options: CallOptions) {
    const key = operation.method === 'GET' ? undefined : (options.idempotencyKey ?? parts.createIdempotencyKey())
    const headers: Record<string, string> = { 'x-api-key': parts.apiKey, accept: 'application/json, */*' }
    if (key !== undefined) headers['idempotency-key'] = key
    if (body !== undefined) headers['content-type'] = 'application/json'
    const init = { method: operation.method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    return repeat(operation, url, init, options, key)
  }

  return {
    parts,
    send: async (operation, request, options = {}) =>
      write(operation, addressOf(operation, request), request.body, options),
    async sendTo(path, operation, body, options = {}) {
      if (!/^\/(?!\/)/.test(path)) throw new TypeError(`${path} is no path of the service`)
      return write(operation, `${base}${path}`, body, options)
    },
    async open(operation, request, headers, signal) {
      const init = { headers: { 'x-api-key': parts.apiKey, ...headers }, ...(signal ? { signal } : {}) }
      const response = await parts.fetch(addressOf(operation, request), init)
      if (!response.ok) throw await refusalOf(operation, response)
      return response
    },
    address: (operation, request) => ({
      url: new URL(addressOf(operation, request)),
      headers: { 'x-api-key': parts.apiKey },
    }),
  }
}
