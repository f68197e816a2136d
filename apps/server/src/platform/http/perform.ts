import type { CsvSpec, Operation } from '@tallystick/wire'
import { AppError } from '../app-error.ts'
import { recordActOfKey } from '../db/audit.ts'
import type { TenantDatabase } from '../db/database.ts'
import { runInOneCommit } from '../db/one-commit.ts'
import { NotKeptOnce, type Once, ReplayedAnswer } from '../once.ts'
import { type Answer, type AnswerContext, classify, failureAnswer, legOf, successAnswer } from './answer.ts'
import { type Caller, isOfInstance } from './caller.ts'
import { originFor, type SessionOrigin, sessionCookie, sessionOf } from './console-origin.ts'
import { csvStream, wantedForm } from './csv.ts'
import { callerOf, type Door, instanceCallerOf } from './door.ts'
import { checkIdempotencyKey, fingerprint, type IdempotentRequest, replayOf, runIdempotent } from './idempotency.ts'
import type { Incoming } from './incoming.ts'
import { holdsKeyMaterial } from './key-material.ts'
import { needsBody } from './openapi/needs-body.ts'
import type { Call, OpenCall, Outcome, Result, Route } from './route.ts'
import { asSafeFile } from './safe-file.ts'
import type { HttpParts } from './server.ts'
import { createValidator } from './validate.ts'

export interface Performed {
  readonly answer: Answer
  readonly replayed: boolean
}

/** A name that counts as key material elsewhere, where the operation is one that the relayer can sign. */
const takenByRelayer = ({ relayed }: Operation): readonly string[] => (relayed ? ['useRelayer'] : [])

const pathsOf = ({ path, alsoAt = [] }: Operation) => [path, ...alsoAt]
export const fastifyPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')
export const fastifyPathsOf = (operation: Operation) => pathsOf(operation).map(fastifyPath)

/** Which of the operation's paths a request came in by. */
function createTemplateOf(operation: Operation) {
  const templates = new Map(pathsOf(operation).map((path) => [fastifyPath(path), path]))
  return ({ routeOptions: { url } }: Incoming): string => templates.get(url ?? '') ?? operation.path
}

/** What the answer to a request says about the request itself. */
export function contextOf(request: Incoming, now: Date): AnswerContext {
  const { caller } = request
  const instanceId = caller && isOfInstance(caller) ? caller.instance.instanceId : undefined
  return { requestId: request.id, now, instanceId }
}

/** What a handler gets of a request, once its form was checked. */
export function createReading(operation: Operation) {
  const validate = createValidator(operation)
  const templateOf = createTemplateOf(operation)
  return {
    validate,
    callOf(request: Incoming, caller: Caller, tenant: TenantDatabase): Call<Operation> {
      validate(request)
      if (operation.needsKey && request.headers['idempotency-key'] === undefined)
        throw new AppError('IDEMPOTENCY_KEY_REQUIRED')
      const lastEventId = request.headers['last-event-id']
      return {
        caller,
        tenant,
        params: request.params,
        query: request.query,
        body: request.body as undefined,
        requestId: request.id,
        lastEventId: Array.isArray(lastEventId) ? lastEventId[0] : lastEventId,
        mountedAt: templateOf(request),
      }
    },
  }
}

type Performing = Exclude<Route, { readonly serves: 'listeners' }>

/** Runs a request that was let in: once per idempotency key, with its audit row in the same commit, and answers what goes over the wire. */
export function createPerform(
  route: Performing,
  parts: HttpParts & { readonly consoleOrigin: SessionOrigin },
  door: Pick<Door, 'retryOnce'>,
) {
  const { operation } = route
  const { consoleOrigin } = parts
  const reading = createReading(operation)
  const { cacheSeconds } = operation
  // Private: the answer is for the holder of the key, and names the request.
  const cached: Record<string, string> =
    cacheSeconds === undefined ? {} : { 'cache-control': `private, max-age=${cacheSeconds}` }

  function answerOf(request: Incoming, result: Result<unknown>): Answer {
    const { calls, file } = result
    if (file) return { status: 200, body: '', file }
    const now = parts.clock.now()
    if (calls && (request.query as { format?: unknown }).format === 'safe')
      return { status: 200, body: JSON.stringify(asSafeFile(operation.summary, calls, now)) }
    const answer = successAnswer(result.data, contextOf(request, now), result)
    const cookie: Record<string, string> =
      result.session === undefined ? {} : { 'set-cookie': sessionCookie(request, consoleOrigin, result.session) }
    return { ...answer, headers: { ...cached, ...result.headers, ...cookie } }
  }

  /** Refusals are answers too: a key gives the same one again, unless trying again may help. */
  function refusalOf(request: Incoming, error: unknown): Answer | null {
    const failure = classify(operation, legOf(operation, request.body), error)
    // A stored "try again" would never be tried again.
    if (failure.spec.status >= 500 || failure.spec.retry || !(error instanceof AppError)) return null
    parts.onFailure?.({ operation: operation.id, leg: failure.leg, code: failure.code })
    return failureAnswer(failure, contextOf(request, parts.clock.now()))
  }

  /** The first page is read before anything is sent: whatever is refused is refused as JSON. */
  async function performAsCsv(
    request: Incoming,
    spec: CsvSpec,
    handle: (call: Call<Operation>) => Promise<Outcome>,
  ): Promise<Performed> {
    /** A key that was revoked meanwhile opens no further page. */
    const read = (query?: object) =>
      door.retryOnce(request, async () => {
        const caller = instanceCallerOf(request)
        const call = reading.callOf(request, caller, parts.database.tenant(caller.grant, 'standby'))
        const asked = query ?? { ...(call.query as object), ...(spec.page ? { limit: String(spec.page) } : {}) }
        const { data } = await handle({ ...call, query: asked })
        return { query: asked as Record<string, string | undefined>, data }
      })
    const first = await read()
    const lines = csvStream(spec, first, async (query) => (await read(query)).data)
    // Nobody reads the rest of it.
    if (request.method === 'HEAD') lines.destroy()
    return { answer: { status: 200, body: '', csv: { name: `${operation.id}.csv`, lines } }, replayed: false }
  }

  /** The handler keeps the key in the commit of its own work. Undefined: it cannot now, and nothing was done. */
  async function performOnce(
    request: Incoming,
    asked: IdempotentRequest,
    tenant: TenantDatabase,
    handle: (call: Call<Operation>) => Promise<Outcome>,
  ): Promise<Performed | undefined> {
    const kept: { answer?: Answer; refusal?: Answer | null } = {}
    const once: Once = {
      operation: operation.id,
      key: asked.key,
      fingerprint: asked.fingerprint,
      answered: (data) => {
        kept.answer = answerOf(request, { data })
        return kept.answer
      },
      refused: (error) => {
        kept.refusal = refusalOf(request, error)
        return kept.refusal
      },
    }
    try {
      await handle({ ...reading.callOf(request, asked.caller, tenant), once })
    } catch (error) {
      if (error instanceof ReplayedAnswer) return { answer: replayOf(error, asked), replayed: true }
      if (error instanceof NotKeptOnce) return undefined
      // Whatever else went wrong, nothing may have been committed.
      if (!(error instanceof AppError)) throw error
      if (kept.refusal) return { answer: kept.refusal, replayed: false }
      // What was refused before it came to the commit is kept like any other refusal.
      const refuse = () => Promise.reject(error)
      return runIdempotent(tenant, asked, refuse, () => refusalOf(request, error))
    }
    if (!kept.answer) throw new Error(`${operation.id} did not keep its answer`)
    return { answer: kept.answer, replayed: false }
  }

  /** Whoever builds in a browser may lose the page before it is signed, and finds it again; somebody else may have to approve it. */
  async function afterBuild(request: Incoming, caller: Caller, tenant: TenantDatabase, result: Outcome) {
    const { url: path, body } = request
    const { calls = [], data } = result
    const kept =
      caller.session && legOf(operation, body) === 'build'
        ? await parts.onBuilt?.(tenant, { caller, operation, path, body, calls, data })
        : undefined
    if (!kept) return answerOf(request, result)
    const { transactionId, withheld } = kept
    const headers = { ...result.headers, 'x-transaction-id': transactionId }
    if (!withheld) return answerOf(request, { ...result, headers })
    return { ...successAnswer(withheld, contextOf(request, parts.clock.now())), status: 202, headers }
  }

  /** Where every field of a body may be left out, so may the body. */
  function fillBody(request: Incoming): void {
    if (request.body === undefined && operation.body && !needsBody(operation)) request.body = {}
  }

  async function performFor(request: Incoming, handle: (call: Call<Operation>) => Promise<Outcome>) {
    const caller = instanceCallerOf(request)
    const form = operation.method === 'GET' ? wantedForm(request.headers.accept) : 'json'
    if (form !== 'json' && operation.csv) return performAsCsv(request, operation.csv, handle)
    if (form === 'only csv') throw new AppError('NOT_ACCEPTABLE')
    fillBody(request)
    if (operation.method !== 'GET' && holdsKeyMaterial(request.body, takenByRelayer(operation)))
      throw new AppError('KEY_MATERIAL_REJECTED')
    const idempotencyKey = operation.method === 'GET' ? undefined : request.headers['idempotency-key']
    if (typeof idempotencyKey === 'string') checkIdempotencyKey(idempotencyKey)

    const run = async (tenant: TenantDatabase) => {
      const result = await handle(reading.callOf(request, caller, tenant))
      const { act } = result
      const whose = { caller, operation: operation.id, requestId: request.id }
      if (act) await tenant.transaction((sql) => recordActOfKey(sql, whose, act))
      return afterBuild(request, caller, tenant, result)
    }
    const tenant = parts.database.tenant(caller.grant, operation.method === 'GET' ? 'standby' : 'primary')
    if (typeof idempotencyKey !== 'string') {
      const answer = await (operation.administrative ? runInOneCommit(tenant, run) : run(tenant))
      return { answer, replayed: false }
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
    const done =
      route.serves === 'instances' && route.keepsKeys ? await performOnce(request, asked, tenant, handle) : undefined
    return done ?? runIdempotent(tenant, asked, run, (error) => refusalOf(request, error))
  }

  async function performForAnybody(request: Incoming, handle: (call: OpenCall<Operation>) => Promise<Outcome>) {
    fillBody(request)
    if (holdsKeyMaterial(request.body)) throw new AppError('KEY_MATERIAL_REJECTED')
    reading.validate(request)
    const origin = originFor(request, consoleOrigin)
    // The door has let nobody else in.
    if (!origin) throw new AppError('ORIGIN_REFUSED')
    const result = await handle({
      body: request.body as undefined,
      origin,
      userAgent: request.headers['user-agent'],
      session: sessionOf(request, consoleOrigin),
    })
    return { answer: answerOf(request, result), replayed: false }
  }

  return async (request: Incoming): Promise<Performed> => {
    if (route.serves === 'instances') return performFor(request, route.handle)
    if (route.serves === 'anybody') return performForAnybody(request, route.handle)
    const caller = callerOf(request)
    const { database } = parts
    if (wantedForm(request.headers.accept) === 'only csv') throw new AppError('NOT_ACCEPTABLE')
    const rows = isOfInstance(caller) ? database.tenant(caller.grant, 'standby') : database.shared(caller.keyId)
    reading.validate(request)
    const result = await route.handle({ rows, params: request.params, query: request.query })
    return { answer: answerOf(request, result), replayed: false }
  }
}
