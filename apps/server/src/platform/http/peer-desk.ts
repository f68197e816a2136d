import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../log.ts'
import type { Answer } from './answer.ts'
import type { Incoming } from './incoming.ts'
import {
  createLine,
  hasSecret,
  LINE_PATH,
  type Line,
  LONGEST_WAIT_MS,
  type PassedRequest,
  PROTOCOL,
  type Said,
} from './peer-line.ts'

/** Serves a request that another server passed on. A refusal is an answer too. */
export type Taker = (request: Incoming) => Promise<Answer>

/** The same id as at the server that it came to: one request, wherever it is told of. */
function arrived(passed: PassedRequest, log: Log): Incoming {
  return {
    id: passed.id,
    ip: passed.ip,
    protocol: passed.protocol,
    method: passed.method,
    url: passed.url,
    headers: passed.headers,
    params: passed.params,
    query: passed.query,
    body: passed.body,
    routeOptions: { url: passed.route },
    // One of a release that does not count them was the first.
    hops: passed.hops ?? 1,
    ...(passed.traceId === undefined ? {} : { traceId: passed.traceId }),
    log: log.child({ requestId: passed.id }) as unknown as Incoming['log'],
  }
}

/** Where other servers of the deployment hand in what this one serves best. */
export function createDesk(secret: string, log: Log) {
  const takers = new Map<string, Taker>()
  const lines = new Map<Line<Said>, Promise<void>>()
  let isClosing = false

  async function take(line: Line<Said>, request: PassedRequest): Promise<void> {
    const { number, operation } = request
    const taker = takers.get(operation)
    if (!taker) return line.send({ number, isNotTaken: true })
    const { status, body, headers = {} } = await taker(arrived(request, log))
    line.send({ number, status, body, headers })
  }

  function welcome(socket: Socket, rest: Buffer): void {
    let hasClosed = () => {}
    const closed = new Promise<void>((resolve) => {
      hasClosed = resolve
    })
    const line: Line<Said> = createLine<PassedRequest, Said>(socket, rest, {
      message(request) {
        take(line, request).catch((error: unknown) => {
          log.error({ err: error }, 'a request that was passed on got no answer')
          // Whoever waits for it must not take the silence for a slow answer.
          line.destroy()
        })
      },
      closed() {
        lines.delete(line)
        hasClosed()
      },
    })
    lines.set(line, closed)
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nupgrade: ${PROTOCOL}\r\nconnection: upgrade\r\n\r\n`)
  }

  return {
    takes(operation: string, taker: Taker): void {
      takers.set(operation, taker)
    },

    /** Whether the connection is one of another server, and taken care of. */
    opens(request: IncomingMessage, socket: Socket, rest: Buffer): boolean {
      const isAsked = request.headers.upgrade?.toLowerCase() === PROTOCOL && request.url === LINE_PATH
      if (!isAsked || !hasSecret(request, secret)) return false
      if (isClosing) socket.destroy()
      else welcome(socket, rest)
      return true
    },

    /** Answers what is under way; the others are told to ask elsewhere. */
    async close(): Promise<void> {
      isClosing = true
      for (const line of lines.keys()) line.send({ isGoodbye: true })
      const deadline = setTimeout(() => {
        for (const line of lines.keys()) line.destroy()
      }, LONGEST_WAIT_MS)
      await Promise.all(lines.values())
      clearTimeout(deadline)
    },
  }
}

export type Desk = ReturnType<typeof createDesk>
