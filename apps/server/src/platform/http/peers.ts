import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { Socket } from 'node:net'
import { DatabaseUnavailableError } from '../db/database.ts'
import type { Answer } from './answer.ts'
import type { Incoming } from './incoming.ts'
import {
  createLine,
  LINE_PATH,
  type Line,
  LONGEST_WAIT_MS,
  type PassedRequest,
  PROTOCOL,
  type Said,
  secretHeaders,
} from './peer-line.ts'

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
const CONNECT_MS = 1_000
/** How often whoever waits for an answer looks whether the other one still is the one to ask. */
const LOOK_EVERY_MS = 250

type StillBest = () => Promise<boolean>

interface Waiting {
  readonly since: number
  readonly isStillBest: StillBest
  /** Undefined: the other one does not take it. */
  readonly answered: (answer: Answer | undefined) => void
  readonly failed: (cause: Error) => void
}

/** One line to another server, as long as it lasts. */
interface Asking {
  /** Undefined: the other one does not take it. */
  ask(operation: string, request: Incoming, isStillBest: StillBest): Promise<Answer | undefined>
  isLeaving(): boolean
  /** Ends it once everything is answered that was asked. */
  leave(): void
}

/** Nothing was sent: nobody is there. */
class NobodyThere extends Error {}

function headersOf({ headers }: Incoming): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const name of PASSED_ON) {
    const value = headers[name]
    if (typeof value === 'string') passed[name] = value
  }
  return passed
}

const passedRequest = (number: number, operation: string, request: Incoming): PassedRequest => ({
  number,
  operation,
  hops: (request.hops ?? 0) + 1,
  route: request.routeOptions.url,
  id: request.id,
  ip: request.ip,
  protocol: request.protocol,
  method: request.method,
  url: request.url,
  headers: headersOf(request),
  params: request.params,
  query: request.query,
  body: request.body,
  traceId: request.traceId,
})

function connect(to: string, secret: string): Promise<{ socket: Socket; rest: Buffer }> {
  const url = new URL(LINE_PATH, to)
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
  const headers = { connection: 'upgrade', upgrade: PROTOCOL, ...secretHeaders(secret) }
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, agent: false })
    const refused = (cause: Error) => reject(new NobodyThere('a server cannot be reached', { cause }))
    const deadline = setTimeout(() => asked.destroy(new Error('it does not answer')), CONNECT_MS)
    asked.once('upgrade', (_response, socket, rest) => {
      clearTimeout(deadline)
      resolve({ socket: socket as Socket, rest })
    })
    asked.once('response', () => asked.destroy(new Error('it does not know the secret of this server')))
    asked.once('error', (cause) => {
      clearTimeout(deadline)
      refused(cause)
    })
    asked.end()
  })
}

/** Other servers of the same deployment, for requests that one of them serves best. */
export function createPeers(secret: string) {
  const lines = new Map<string, Promise<Asking>>()
  let isClosed = false

  async function open(to: string, onLeft: () => void): Promise<Asking> {
    const { socket, rest } = await connect(to, secret)
    const waiting = new Map<number, Waiting>()
    let asked = 0
    let isLeaving = false

    /** Nobody asks here any more. */
    function leave(): void {
      isLeaving = true
      onLeft()
      if (waiting.size === 0) line.end()
    }

    function take(number: number): Waiting | undefined {
      const one = waiting.get(number)
      waiting.delete(number)
      if (isLeaving && waiting.size === 0) line.end()
      return one
    }

    async function look(number: number, { since, isStillBest, failed }: Waiting): Promise<void> {
      const waitedMs = performance.now() - since
      if (waitedMs < LOOK_EVERY_MS) return
      // Whoever cannot look goes on waiting.
      const isLost = waitedMs > LONGEST_WAIT_MS || !(await isStillBest().catch(() => true))
      if (isLost && take(number)) failed(new Error('it did not answer in time, or another server serves this now'))
    }

    const looking = setInterval(() => {
      for (const [number, one] of waiting) void look(number, one)
    }, LOOK_EVERY_MS)

    const line: Line<PassedRequest> = createLine<Said, PassedRequest>(socket, rest, {
      message(said) {
        if ('isGoodbye' in said) return leave()
        const one = take(said.number)
        if ('isNotTaken' in said) return one?.answered(undefined)
        one?.answered({ status: said.status, body: said.body, headers: said.headers })
      },
      closed() {
        clearInterval(looking)
        leave()
        for (const { failed } of waiting.values()) failed(new Error('the connection was lost'))
        waiting.clear()
      },
    })
    if (isClosed) leave()

    return {
      ask(operation: string, request: Incoming, isStillBest: StillBest): Promise<Answer | undefined> {
        const number = ++asked
        return new Promise((answered, failed) => {
          waiting.set(number, { since: performance.now(), isStillBest, answered, failed })
          line.send(passedRequest(number, operation, request))
        })
      },
      isLeaving: () => isLeaving,
      leave,
    }
  }

  function lineTo(to: string): Promise<Asking> {
    const known = lines.get(to)
    if (known) return known
    const forget = () => {
      if (lines.get(to) === line) lines.delete(to)
    }
    const line = open(to, forget)
    lines.set(to, line)
    line.catch(forget)
    return line
  }

  return {
    /** What the other server answers. Undefined: it is not there, and was asked for nothing. One that is not the best any more is not waited for. */
    async pass(to: string, operation: string, request: Incoming, isStillBest: StillBest): Promise<Answer | undefined> {
      try {
        const line = await lineTo(to)
        // Of a line that ended while it was waited for, nothing more is heard.
        if (line.isLeaving()) return undefined
        return await line.ask(operation, request, isStillBest)
      } catch (error) {
        if (error instanceof NobodyThere) return undefined
        // It was asked, and nobody knows what came of it: whoever sent a key may ask again.
        throw new DatabaseUnavailableError('the server that has the ledger was lost', { cause: error })
      }
    },

    /** Once the last request is answered that came to this server. */
    async close(): Promise<void> {
      isClosed = true
      for (const line of await Promise.allSettled(lines.values())) if (line.status === 'fulfilled') line.value.leave()
    },
  }
}

export type Peers = ReturnType<typeof createPeers>
