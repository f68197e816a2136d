import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type Dispatcher, Pool } from 'undici'
import { DatabaseUnavailableError } from '../db/database.ts'
import type { Answer } from './answer.ts'

/** Says that a request comes from another server of the deployment, which has let it in and counted it. */
const PEER_HEADER = 'x-tally-peer'
/** What a client sends that the answer depends on. */
const PASSED_ON = [
  'x-api-key',
  'idempotency-key',
  'accept',
  'cookie',
  'x-csrf-token',
  'origin',
  'sec-fetch-site',
  'host',
]
const PASSED_BACK = ['x-request-id', 'idempotent-replay', 'retry-after', 'cache-control']
const CONNECT_MS = 1_000
/** The other one refuses what waited for longer than five seconds. */
const ANSWER_MS = 6_000
/** How often whoever waits for an answer looks whether the other one still is the one to ask. */
const LOOK_EVERY_MS = 250

type StillBest = () => Promise<boolean>

/** Nothing was sent: nobody is there. */
class NobodyThere extends Error {}

/** Other servers of the same deployment, for requests that one of them serves best. */
export function createPeers(secret: string) {
  const own = Buffer.from(secret)
  const pools = new Map<string, Pool>()

  function poolOf(to: string): Pool {
    let pool = pools.get(to)
    if (!pool) {
      pool = new Pool(new URL(to).origin, {
        connect: { timeout: CONNECT_MS },
        headersTimeout: ANSWER_MS,
        bodyTimeout: ANSWER_MS,
      })
      pools.set(to, pool)
    }
    return pool
  }

  function headersOf(request: FastifyRequest, hasBody: boolean): Record<string, string> {
    const headers: Record<string, string> = { [PEER_HEADER]: secret, 'x-forwarded-for': request.ip }
    for (const name of PASSED_ON) {
      const value = request.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    if (hasBody) headers['content-type'] = 'application/json'
    return headers
  }

  /** Without the streams of a request and an answer: what is passed on is short, and half of all orders may be. */
  function ask(to: string, request: FastifyRequest, isStillBest: StillBest): Promise<Answer> {
    const body = request.body === undefined ? null : JSON.stringify(request.body)
    const options = {
      path: request.url,
      method: request.method as Dispatcher.HttpMethod,
      headers: headersOf(request, body !== null),
      body,
    }
    return new Promise((resolve, reject) => {
      let isSent = false
      let status = 502
      const headers: Record<string, string> = {}
      const parts: Buffer[] = []
      let giveUp: (reason: Error) => void = () => {}
      const looking = setInterval(async () => {
        // Whoever cannot look goes on waiting.
        if (!(await isStillBest().catch(() => true))) giveUp(new Error('another server serves this now'))
      }, LOOK_EVERY_MS)
      poolOf(to).dispatch(options, {
        onRequestStart: (controller) => {
          isSent = true
          giveUp = (reason) => controller.abort(reason)
        },
        onResponseStart: (_controller, statusCode, found) => {
          status = statusCode
          for (const name of PASSED_BACK) {
            const value = found[name]
            if (typeof value === 'string') headers[name] = value
          }
        },
        onResponseData: (_controller, part) => parts.push(part),
        onResponseEnd: () => {
          clearInterval(looking)
          resolve({ status, body: Buffer.concat(parts).toString('utf8'), headers })
        },
        onResponseError: (_controller, cause) => {
          clearInterval(looking)
          reject(isSent ? cause : new NobodyThere('a server cannot be reached', { cause }))
        },
      })
    })
  }

  return {
    /** Whether another server sent it. Believed only with the secret. */
    isFromPeer(request: FastifyRequest): boolean {
      const said = request.headers[PEER_HEADER]
      if (typeof said !== 'string') return false
      const given = Buffer.from(said)
      return given.length === own.length && timingSafeEqual(given, own)
    },

    /** What the other server answers. Undefined: it is not there, and was asked for nothing. One that is not the best any more is not waited for. */
    async pass(to: string, request: FastifyRequest, isStillBest: StillBest): Promise<Answer | undefined> {
      try {
        return await ask(to, request, isStillBest)
      } catch (error) {
        if (error instanceof NobodyThere) return undefined
        // It was asked, and nobody knows what came of it: whoever sent a key may ask again.
        throw new DatabaseUnavailableError('the server that has the ledger was lost', { cause: error })
      }
    },

    async close(): Promise<void> {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

export type Peers = ReturnType<typeof createPeers>
