import type { Operation } from '@tallystick/wire'
import type { FastifyReply } from 'fastify'
import { AppError } from '../app-error.ts'
import { StaleGrantError } from '../db/database.ts'
import type { Admission } from './admission.ts'
import { type AnyCaller, type Caller, isOfInstance, type Presented } from './caller.ts'
import { isOfConsole, type SessionOrigin, sessionOf } from './console-origin.ts'
import type { Incoming } from './incoming.ts'
import type { LimitStore } from './limit-store.ts'
import type { Desk } from './peer-desk.ts'
import type { Peers } from './peers.ts'
import { countFailure, countRequest, countVisit, judgeAddress, type RateVerdict } from './rate-limit.ts'
import { isSameSecret } from './same-secret.ts'
import type { HttpParts } from './server.ts'

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
    /** Who made the ticket that the request came with, once that is used up. */
    holder?: Presented
    stay?: Stay
    rateHeaders?: Readonly<Record<string, string>>
  }
}

export interface DoorParts extends HttpParts {
  readonly peers: Peers | undefined
  readonly desk: Desk | undefined
  readonly limits: LimitStore
  readonly admission: Admission
  readonly consoleOrigin: SessionOrigin
}

/** Calls back once nobody waits for the answer any more. */
type WhenGone = (isGone: () => void) => void

const first = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

/** When several are sent the key rules, and a ticket before the session that its page has anyway. */
function presentedBy(request: Incoming, origin: SessionOrigin): Presented | undefined {
  const key = first(request.headers['x-api-key'])
  if (key) return { as: 'key', text: key, connection: request.raw?.socket }
  if (request.holder) return request.holder
  const session = sessionOf(request, origin)
  return session === undefined ? undefined : { as: 'session', text: session }
}

/** A page of others cannot set this header, whatever it makes the browser send along. */
const showsToken = (request: Incoming, token: string) =>
  isSameSecret(first(request.headers['x-csrf-token']) ?? '', token)

const isNotProven = (error: unknown) =>
  error instanceof AppError && (error.code === 'AUTH_REQUIRED' || error.code === 'AUTH_FAILED')

export function callerOf({ caller }: Incoming): AnyCaller {
  if (!caller) throw new Error('a request reached its handler without passing the door')
  return caller
}

/** The door has let nobody else in; should it ever, this is what is said. */
export function instanceCallerOf(request: Incoming): Caller {
  const caller = callerOf(request)
  if (!isOfInstance(caller)) throw new AppError('INSTANCE_REQUIRED')
  return caller
}

/** Who may use an operation, and when: proves the key, holds it against scope and service, counts it, and waits for its turn. */
export function createDoor(operation: Operation, parts: DoorParts) {
  const { consoleOrigin } = parts
  const presentedKey = (request: Incoming) => presentedBy(request, consoleOrigin)
  const isWrite = operation.method !== 'GET'

  function whyNot(caller: AnyCaller): AppError | undefined {
    if (!isOfInstance(caller)) return operation.registerKeys ? undefined : new AppError('INSTANCE_REQUIRED')
    if (!caller.scopes.includes(operation.scope))
      return new AppError('SCOPE_MISSING', {
        detail: `This ${caller.session ? 'session' : 'API key'} lacks the scope ${operation.scope}.`,
        extra: { requiredScope: operation.scope },
      })
    if (operation.service && !caller.instance.services.includes(operation.service))
      return new AppError('SERVICE_NOT_ENABLED', { extra: { service: operation.service } })
    return undefined
  }

  function hold(request: Incoming, { headers, retryAfterSeconds }: RateVerdict, detail?: string): void {
    request.rateHeaders = headers
    if (retryAfterSeconds !== null)
      throw new AppError('RATE_LIMIT_EXCEEDED', { extra: { retryAfterSeconds }, ...(detail ? { detail } : {}) })
  }

  /** A key that was proven before is let in from anywhere: whoever guesses keys shuts out nobody who has one. */
  async function holdGuesser(request: Incoming): Promise<void> {
    const limit = parts.authFailuresPerMinute ?? 0
    if (limit === 0 || parts.keys.isKnown(presentedKey(request))) return
    const verdict = await judgeAddress(parts.limits.counters, request.ip, limit, parts.clock.now())
    if (verdict.retryAfterSeconds !== null)
      hold(request, verdict, 'Too many keys that are not valid came from this address. Wait and try again.')
  }

  async function identify(request: Incoming): Promise<AnyCaller> {
    const key = presentedKey(request)
    if (parts.authFailuresPerMinute) await holdGuesser(request)
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

  const ticketOf = (request: Incoming): string | undefined => {
    const { ticket } = request.query as { ticket?: unknown }
    const isAsked = operation.stream && !request.holder && !first(request.headers['x-api-key'])
    return isAsked && typeof ticket === 'string' ? ticket : undefined
  }

  /** Used up here, once: from then on its holder is asked, for as long as the stream lasts. */
  async function redeem(request: Incoming): Promise<void> {
    const ticket = ticketOf(request)
    if (ticket === undefined) return
    await holdGuesser(request)
    const holder = await parts.keys.redeem(ticket, request.url.split('?')[0] ?? '')
    if (holder) request.holder = holder
    else {
      if (parts.authFailuresPerMinute) await countFailure(parts.limits.counters, request.ip, parts.clock.now())
      throw new AppError('STREAM_TICKET_INVALID')
    }
  }

  /** What only a browser can be made to do: sessions are held against the page that uses them, before anything else. */
  function holdStranger(request: Incoming): void {
    if (presentedKey(request)?.as === 'session' && !isOfConsole(request, consoleOrigin, isWrite))
      throw new AppError('ORIGIN_REFUSED')
  }

  function holdForgery(request: Incoming, caller: AnyCaller): void {
    if (isWrite && isOfInstance(caller) && caller.session && !showsToken(request, caller.session.csrfToken))
      throw new AppError('CSRF_TOKEN_INVALID')
  }

  async function authorize(request: Incoming): Promise<AnyCaller> {
    if (operation.stream) await redeem(request)
    holdStranger(request)
    let caller = await identify(request)
    if (request.holder && isOfInstance(caller) && caller.session && !isOfConsole(request, consoleOrigin, isWrite))
      throw new AppError('ORIGIN_REFUSED')
    holdForgery(request, caller)
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

  async function enter(owner: string, whenGone?: WhenGone): Promise<Stay> {
    const stay: Stay = { leave: () => undefined, isWorkedOn: false, isAbandoned: false }
    // A caller that hangs up gets no answer, so nothing else would end its stay.
    whenGone?.(() => {
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

  /** Nobody is known yet: the address is counted, whatever comes of it. */
  async function admitAnybody(request: Incoming, whenGone?: WhenGone): Promise<void> {
    if (!isOfConsole(request, consoleOrigin, isWrite)) throw new AppError('ORIGIN_REFUSED')
    const limit = parts.authFailuresPerMinute ?? 0
    if (limit > 0) hold(request, await countVisit(parts.limits.counters, request.ip, limit, parts.clock.now()))
    request.stay ??= await enter(request.ip, whenGone)
  }

  async function admit(request: Incoming, whenGone?: WhenGone): Promise<void> {
    if (operation.open) return admitAnybody(request, whenGone)
    const caller = await authorize(request)
    // Whoever let it in first has counted it, and keeps a place for it: two servers that pass on to each other would wait for each other's places.
    if (request.hops) return
    const owner = isOfInstance(caller) ? caller.instance.instanceId : caller.keyId
    request.stay ??= await enter(owner, whenGone)
    // It stays for hours, and is counted by a limit of its own.
    if (operation.stream) request.stay.leave()
    if (caller.rateLimitPerMinute === null) return
    hold(request, await countRequest(parts.limits.counters, caller.keyId, caller.rateLimitPerMinute, parts.clock.now()))
  }

  /** A cached key can be out of date; the database says so inside the transaction, before anything happened. */
  async function retryOnce<T>(request: Incoming, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StaleGrantError)) throw error
      parts.keys.forget(presentedKey(request))
      await authorize(request)
      return work()
    }
  }

  return {
    /** True: its caller hung up while it waited for its turn, and there is nobody to work for. */
    async letIn(request: Incoming, reply: FastifyReply): Promise<boolean> {
      const whenGone: WhenGone = (isGone) => reply.raw.once('close', isGone)
      try {
        await retryOnce(request, () => admit(request, whenGone))
      } finally {
        if (request.rateHeaders) reply.headers(request.rateHeaders)
      }
      if (!request.stay?.isAbandoned) return false
      request.stay.leave()
      return true
    },

    /** The server that passed it on knows its caller, and waits for it. */
    letInPassedOn: (request: Incoming): Promise<void> => retryOnce(request, () => admit(request)),

    retryOnce,

    async workingOn<T>(request: Incoming, work: () => Promise<T>): Promise<T> {
      const { stay } = request
      if (stay) stay.isWorkedOn = true
      try {
        return await retryOnce(request, work)
      } finally {
        if (stay) stay.isWorkedOn = false
        if (stay?.isAbandoned) stay.leave()
      }
    },

    letOut: (request: Incoming): void => request.stay?.leave(),
  }
}

export type Door = ReturnType<typeof createDoor>
