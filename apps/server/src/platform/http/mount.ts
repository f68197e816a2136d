import type { WebSocket } from '@fastify/websocket'
import {
  type BodyOf,
  type DataOf,
  largestBodyOf,
  type Operation,
  type OrdinaryOperation,
  type ParamsOf,
  type QueryOf,
} from '@tallystick/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'
import { type Administered, recordActOfKey } from '../audit.ts'
import type { Block } from '../chain/block.ts'
import { type SharedRows, StaleGrantError, type TenantDatabase } from '../db/database.ts'
import { runInOneCommit } from '../db/one-commit.ts'
import type { RawJson } from '../raw-json.ts'
import type { Admission } from './admission.ts'
import {
  type Answer,
  type AnswerContext,
  classify,
  type FileAnswer,
  failureAnswer,
  legOf,
  retryAfterSeconds,
  successAnswer,
} from './answer.ts'
import { type AnyCaller, attributionOf, type Caller, isOfInstance, type RegisterCaller } from './caller.ts'
import { checkIdempotencyKey, fingerprint, runIdempotent } from './idempotency.ts'
import { BodyError } from './json-body.ts'
import { holdsKeyMaterial } from './key-material.ts'
import type { LimitStore } from './limit-store.ts'
import { countFailure, countRequest, judgeAddress, type RateVerdict } from './rate-limit.ts'
import { asSafeFile, type BuiltTransaction } from './safe-file.ts'
import type { HttpParts } from './server.ts'
import { eventConnection, type StreamConnection, socketConnection } from './stream-connections.ts'
import type { OpenedStream, StreamHub, StreamSource } from './streams.ts'
import { createValidator, declaredCode, invalid, needsBody } from './validate.ts'

/** What a handler gets: a proven caller, checked input, and the rows of that caller's instance. */
export interface Call<O extends Operation> {
  readonly caller: Caller
  readonly tenant: TenantDatabase
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  readonly requestId: string
  /** The last message of a stream that its listener has seen. */
  readonly lastEventId: string | undefined
  /** The path that was called, with `{name}` for parameters: one of the operation's prefixes. */
  readonly mountedAt: string
}

/** What a handler of rows that belong to no instance gets. */
export interface SharedCall<O extends Operation> {
  readonly rows: SharedRows
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
}

export interface Result<T> {
  readonly data: T | RawJson<T>
  /** The block the answer was read at, when it came from the chain. */
  readonly block?: Block
  /** What the caller would sign, in order; asked for as a file, it is answered instead of `data`. */
  readonly calls?: readonly BuiltTransaction[]
  /** Answered instead of `data`. */
  readonly file?: FileAnswer
  /** Served instead of `data`. */
  readonly stream?: StreamSource
  /** What the operation declares to stand beside `data`. */
  readonly pagination?: object
  readonly metadata?: object
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler<O extends Operation> = (call: Call<O>) => Promise<Result<DataOf<O>>>

/** One endpoint, ready to be mounted: the operation's contract and the few lines that serve it. */
export interface Route {
  readonly operation: Operation
  readonly handler: Handler<Operation>
}

/** Binds a handler to its operation; a wrong body, answer or field name does not compile. */
export function route<O extends OrdinaryOperation>(operation: O, handler: Handler<O>): Route {
  return { operation, handler: handler as unknown as Handler<Operation> }
}

/** The same for an administrative operation: its handler also tells the act. */
export function administrativeRoute<O extends Operation & { readonly administrative: true }>(
  operation: O,
  handler: (call: Call<O>) => Promise<Administered<DataOf<O>>>,
): Route {
  return { operation, handler: handler as unknown as Handler<Operation> }
}

/** The same for an operation that register keys open too. */
export function sharedRoute<O extends Operation & { readonly registerKeys: true }>(
  operation: O,
  handler: (call: SharedCall<O>) => Promise<Result<DataOf<O>>>,
): Route {
  const shared = ({ tenant, params, query }: Call<O>) => handler({ rows: tenant, params, query })
  return { operation, handler: shared as unknown as Handler<Operation> }
}

/** And for an operation that streams: the handler checks all that can be refused and answers what will be shown. */
export function streamRoute<O extends Operation & { readonly stream: true }>(
  operation: O,
  open: (call: Call<O>) => Promise<StreamSource>,
): Route {
  const opened = async (call: Call<O>) => ({ data: null, stream: await open(call) })
  return { operation, handler: opened as unknown as Handler<Operation> }
}

/** A request that was let in: it counts until it is answered, or its caller is gone and nobody works on it. */
interface Stay {
  /** Ends it; called again, it does nothing. */
  leave(): void
  isWorkedOn: boolean
  isAbandoned: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: AnyCaller
    stay?: Stay
    opened?: OpenedStream
    rateHeaders?: Readonly<Record<string, string>>
  }
}

const KEY_HEADER = 'x-api-key'
const fastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

function presentedKey(request: FastifyRequest): string | undefined {
  const header = request.headers[KEY_HEADER]
  return Array.isArray(header) ? header[0] : header
}

const isNotProven = (error: unknown) =>
  error instanceof AppError && (error.code === 'AUTH_REQUIRED' || error.code === 'AUTH_FAILED')

const wantsEvents = (request: FastifyRequest) => request.headers.accept?.includes('text/event-stream') ?? false

interface MountParts extends HttpParts {
  readonly streams: StreamHub
  readonly limits: LimitStore
  readonly admission: Admission
}

export function mount(app: FastifyInstance, parts: MountParts, { operation, handler }: Route): void {
  const validate = createValidator(operation)
  const { cacheSeconds } = operation
  // Private: the answer is for the holder of the key, and names the request.
  const cached: Record<string, string> =
    cacheSeconds === undefined ? {} : { 'cache-control': `private, max-age=${cacheSeconds}` }

  function context(request: FastifyRequest): AnswerContext {
    const { caller } = request
    const instanceId = caller && isOfInstance(caller) ? caller.instance.instanceId : undefined
    return { requestId: request.id, now: parts.clock.now(), instanceId }
  }

  async function send(reply: FastifyReply, { status, body, file, headers }: Answer): Promise<FastifyReply> {
    if (headers) reply.headers(headers)
    if (!file) return reply.code(status).type('application/json; charset=utf-8').send(body)
    return reply.type(file.type).header('content-disposition', `attachment; filename="${file.name}"`).send(file.bytes)
  }

  function answerOf(request: FastifyRequest, result: Result<unknown>): Answer {
    const { calls, file } = result
    if (file) return { status: 200, body: '', file }
    if (calls && (request.query as { format?: unknown }).format === 'safe')
      return { status: 200, body: JSON.stringify(asSafeFile(operation.summary, calls, parts.clock.now())) }
    return { ...successAnswer(result.data, context(request), result), headers: { ...cached, ...result.headers } }
  }

  /** Turns any error into the reply, and tells the log and the counters which code it was. */
  async function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply> {
    const failure = classify(operation, legOf(operation, request.body), error)
    parts.onFailure?.({ operation: operation.id, leg: failure.leg, code: failure.code })
    const whose = attributionOf(request)
    const line = { operation: operation.id, code: failure.code, status: failure.spec.status, ...whose }
    if (failure.spec.status >= 500) request.log.error({ ...line, err: error }, 'request failed')
    else request.log.info(line, 'request refused')
    // Whoever cannot show a key shall not hold a connection.
    if (failure.spec.status === 401 || (failure.spec.status === 429 && !request.caller))
      reply.header('connection', 'close')
    const wait = retryAfterSeconds(failure)
    if (wait !== undefined) reply.header('retry-after', String(wait))
    return send(reply, failureAnswer(failure, context(request)))
  }

  function whyNot(caller: AnyCaller): AppError | undefined {
    if (!isOfInstance(caller)) return operation.registerKeys ? undefined : new AppError('INSTANCE_REQUIRED')
    if (!caller.scopes.includes(operation.scope))
      return new AppError('SCOPE_MISSING', {
        detail: `This API key lacks the scope ${operation.scope}.`,
        extra: { requiredScope: operation.scope },
      })
    if (operation.service && !caller.instance.services.includes(operation.service))
      return new AppError('SERVICE_NOT_ENABLED', { extra: { service: operation.service } })
    return undefined
  }

  function hold(request: FastifyRequest, { headers, retryAfterSeconds }: RateVerdict, detail?: string): void {
    request.rateHeaders = headers
    if (retryAfterSeconds !== null)
      throw new AppError('RATE_LIMIT_EXCEEDED', { extra: { retryAfterSeconds }, ...(detail ? { detail } : {}) })
  }

  /** A key that was proven before is let in from anywhere: whoever guesses keys shuts out nobody who has one. */
  async function holdGuesser(request: FastifyRequest): Promise<void> {
    const limit = parts.authFailuresPerMinute ?? 0
    if (limit === 0 || parts.keys.isKnown(presentedKey(request))) return
    const verdict = await judgeAddress(parts.limits.counters, request.ip, limit, parts.clock.now())
    if (verdict.retryAfterSeconds !== null)
      hold(request, verdict, 'Too many keys that are not valid came from this address. Wait and try again.')
  }

  async function identify(request: FastifyRequest): Promise<AnyCaller> {
    const key = presentedKey(request)
    await holdGuesser(request)
    try {
      return await parts.keys.identify(key)
    } catch (error) {
      const { instanceGone } = operation
      const isRefused = error instanceof AppError && error.code === 'AUTH_FAILED'
      if (instanceGone && isRefused && (await parts.keys.isOfGoneInstance(key))) throw new AppError(instanceGone)
      if (isNotProven(error) && parts.authFailuresPerMinute)
        await countFailure(parts.limits.counters, request.ip, parts.clock.now())
      throw error
    }
  }

  async function authorize(request: FastifyRequest): Promise<AnyCaller> {
    let caller = await identify(request)
    if (whyNot(caller)) {
      // A transaction would notice that the cached key is out of date; a refusal makes none, so it asks once more.
      parts.keys.forget(presentedKey(request))
      caller = await identify(request)
    }
    request.caller = caller
    const refusal = whyNot(caller)
    if (refusal) throw refusal
    return caller
  }

  async function enter(reply: FastifyReply, owner: string): Promise<Stay> {
    const stay: Stay = { leave: () => undefined, isWorkedOn: false, isAbandoned: false }
    // A caller that hangs up gets no answer, so nothing else would end its stay.
    reply.raw.once('close', () => {
      stay.isAbandoned = true
      if (!stay.isWorkedOn) stay.leave()
    })
    const leave = await parts.admission.enter(owner, parts.clock.now().getTime())
    stay.leave = () => {
      stay.leave = () => undefined
      leave()
    }
    return stay
  }

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = await authorize(request)
    const owner = isOfInstance(caller) ? caller.instance.instanceId : caller.keyId
    request.stay ??= await enter(reply, owner)
    // It stays for hours, and is counted by a limit of its own.
    if (operation.stream) request.stay.leave()
    if (caller.rateLimitPerMinute === null) return
    hold(request, await countRequest(parts.limits.counters, caller.keyId, caller.rateLimitPerMinute, parts.clock.now()))
  }

  async function handle(
    request: FastifyRequest,
    caller: Caller,
    tenant: TenantDatabase,
  ): Promise<Result<unknown> & Partial<Administered<unknown>>> {
    validate(request)
    if (operation.needsKey && request.headers['idempotency-key'] === undefined)
      throw new AppError('IDEMPOTENCY_KEY_REQUIRED')
    const lastEventId = request.headers['last-event-id']
    return handler({
      caller,
      tenant,
      params: request.params,
      query: request.query,
      body: request.body as undefined,
      requestId: request.id,
      lastEventId: Array.isArray(lastEventId) ? lastEventId[0] : lastEventId,
      mountedAt: templateOf(request),
    })
  }

  async function perform(request: FastifyRequest, caller: Caller): Promise<{ answer: Answer; replayed: boolean }> {
    if (request.body === undefined && !needsBody(operation) && operation.body) request.body = {}
    if (
      operation.method !== 'GET' &&
      holdsKeyMaterial(request.body, operation.feature === 'stocks' ? ['useRelayer'] : [])
    )
      throw new AppError('KEY_MATERIAL_REJECTED')
    const idempotencyKey = operation.method === 'GET' ? undefined : request.headers['idempotency-key']
    if (typeof idempotencyKey === 'string') checkIdempotencyKey(idempotencyKey)

    const run = async (tenant: TenantDatabase) => {
      const result = await handle(request, caller, tenant)
      const { act } = result
      const whose = { caller, operation: operation.id, requestId: request.id }
      if (act) await tenant.transaction((sql) => recordActOfKey(sql, whose, act))
      return answerOf(request, result)
    }
    const tenant = parts.database.tenant(caller.grant)
    if (typeof idempotencyKey !== 'string') {
      const answer = await (operation.administrative ? runInOneCommit(tenant, run) : run(tenant))
      return { answer, replayed: false }
    }

    const refusal = (error: unknown): Answer | null => {
      const failure = classify(operation, legOf(operation, request.body), error)
      // A stored "try again" would never be tried again.
      if (failure.spec.status >= 500 || failure.spec.retry || !(error instanceof AppError)) return null
      parts.onFailure?.({ operation: operation.id, leg: failure.leg, code: failure.code })
      return failureAnswer(failure, context(request))
    }
    const asked = {
      operation,
      caller,
      key: idempotencyKey,
      // Where no body is taken, none and an empty one are the same request.
      fingerprint: fingerprint(request.url, operation.body ? request.body : undefined),
      clock: parts.clock,
      random: parts.random,
    }
    return runIdempotent(tenant, asked, run, refusal)
  }

  /** Only handlers of shared rows are reached with a register key, and of the call they see no more than it has. */
  async function performShared(request: FastifyRequest, caller: RegisterCaller) {
    const rows = parts.database.shared(caller.keyId) as TenantDatabase
    return { answer: answerOf(request, await handle(request, caller as Caller, rows)), replayed: false }
  }

  function callerOf(request: FastifyRequest): AnyCaller {
    if (!request.caller) throw new Error('a request reached its handler without passing the door')
    return request.caller
  }

  /** Only operations of instances stream: the door has let nobody else in. */
  async function openStream(request: FastifyRequest): Promise<OpenedStream> {
    const caller = callerOf(request) as Caller
    const { stream } = await handle(request, caller, parts.database.tenant(caller.grant))
    if (!stream) throw new Error(`${operation.id} has nothing to stream`)
    if (!request.ws && !wantsEvents(request)) throw new AppError('NOT_ACCEPTABLE')
    const slot = await parts.streams.admit(caller.keyId)
    // Also when the listener is gone before it hears the first word.
    request.raw.socket.once('close', () => parts.streams.leave(slot))
    return { source: stream, slot }
  }

  function runStream(request: FastifyRequest, connection: StreamConnection): void {
    const { opened } = request
    if (!opened) throw new Error('a stream was not opened')
    const prove = () =>
      retryOnce(request, () => opened.source.check(parts.database.tenant((callerOf(request) as Caller).grant)))
    parts.streams.run(connection, opened, prove)
  }

  const streaming = {
    // Whatever is refused is refused before the connection is upgraded.
    preHandler: async (request: FastifyRequest) => {
      request.opened = await retryOnce(request, () => openStream(request))
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => runStream(request, eventConnection(reply)),
    wsHandler: (socket: WebSocket, request: FastifyRequest) => runStream(request, socketConnection(socket)),
  }

  const paths = [operation.path, ...(operation.alsoAt ?? [])]
  const templateOf = (request: FastifyRequest): string =>
    paths.find((path) => fastifyPath(path) === request.routeOptions.url) ?? operation.path

  const options = {
    method: operation.method,
    exposeHeadRoute: false,
    bodyLimit: largestBodyOf(operation),
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        await retryOnce(request, () => admit(request, reply))
        if (request.stay?.isAbandoned) return dismiss(request, reply)
      } finally {
        if (request.rateHeaders) reply.headers(request.rateHeaders)
      }
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { answer, replayed } = await workingOn(request, () => {
        const caller = callerOf(request)
        return isOfInstance(caller) ? perform(request, caller) : performShared(request, caller)
      })
      if (replayed) reply.header('idempotent-replay', 'true')
      return send(reply, answer)
    },
    onResponse: async (request: FastifyRequest) => request.stay?.leave(),
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      refuse(request, reply, bodyFault(operation, error) ?? error),
    ...(operation.stream ? streaming : {}),
  }
  for (const path of paths) app.route({ ...options, url: fastifyPath(path) })

  /** Its caller hung up while it waited for its turn: there is nobody to work for. */
  function dismiss(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    request.stay?.leave()
    return reply.hijack()
  }

  async function workingOn<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const { stay } = request
    if (stay) stay.isWorkedOn = true
    try {
      return await retryOnce(request, work)
    } finally {
      if (stay) stay.isWorkedOn = false
      if (stay?.isAbandoned) stay.leave()
    }
  }

  /** A cached key can be out of date; the database says so inside the transaction, before anything happened. */
  async function retryOnce<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StaleGrantError)) throw error
      parts.keys.forget(presentedKey(request))
      await authorize(request)
      return work()
    }
  }
}

/** What was found wrong with a body before anybody looked into it, in our own codes. */
function bodyFault(operation: Operation, error: unknown): AppError | undefined {
  if (error instanceof BodyError) {
    const { field, message } = error
    const own = operation.textCodes?.[field]
    return own
      ? new AppError(declaredCode(own), { detail: `${field} ${message}` })
      : invalid(operation, [{ field, message }])
  }
  switch ((error as { code?: unknown }).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('PAYLOAD_TOO_LARGE', {
        detail: `The body is larger than ${largestBodyOf(operation)} bytes, which is the most that this route takes.`,
        cause: error,
      })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('UNSUPPORTED_MEDIA_TYPE', { cause: error })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid(operation, [{ field: 'body', message: 'is not as long as it says' }])
    default:
      return undefined
  }
}
