import { timingSafeEqual } from 'node:crypto'
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http'
import { Agent as SecureAgent, request as sendSecurely } from 'node:https'
import type { FastifyRequest } from 'fastify'
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

/** Nothing was sent: nobody is there. */
class NobodyThere extends Error {}

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

/** Other servers of the same deployment, for requests that one of them serves best. */
export function createPeers(secret: string) {
  const own = Buffer.from(secret)
  const agents = { http: new Agent({ keepAlive: true }), https: new SecureAgent({ keepAlive: true }) }

  function open(url: URL, request: FastifyRequest, body: string | undefined): Promise<IncomingMessage> {
    const headers: Record<string, string> = { [PEER_HEADER]: secret, 'x-forwarded-for': request.ip }
    for (const name of PASSED_ON) {
      const value = request.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    if (body !== undefined) {
      headers['content-type'] = 'application/json'
      headers['content-length'] = String(Buffer.byteLength(body))
    }
    const isSecure = url.protocol === 'https:'
    return new Promise((resolve, reject) => {
      let isConnected = false
      const outgoing = (isSecure ? sendSecurely : sendRequest)(
        url,
        { method: request.method, headers, agent: isSecure ? agents.https : agents.http },
        resolve,
      )
      const patience = setTimeout(() => outgoing.destroy(new Error('no connection in time')), CONNECT_MS)
      const connected = () => {
        isConnected = true
        clearTimeout(patience)
      }
      outgoing.on('socket', (socket) => {
        if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', connected)
        else connected()
      })
      outgoing.setTimeout(ANSWER_MS, () => outgoing.destroy(new Error('no answer in time')))
      outgoing.on('error', (cause) => {
        clearTimeout(patience)
        reject(isConnected ? cause : new NobodyThere('a server cannot be reached', { cause }))
      })
      outgoing.end(body)
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

    /** What the other server answers. Undefined: it is not there, and was asked for nothing. */
    async pass(to: string, request: FastifyRequest): Promise<Answer | undefined> {
      try {
        const body = request.body === undefined ? undefined : JSON.stringify(request.body)
        const answer = await open(new URL(request.url, to), request, body)
        const headers: Record<string, string> = {}
        for (const name of PASSED_BACK) {
          const value = answer.headers[name]
          if (typeof value === 'string') headers[name] = value
        }
        return { status: answer.statusCode ?? 502, body: await textOf(answer), headers }
      } catch (error) {
        if (error instanceof NobodyThere) return undefined
        // It was asked, and nobody knows what came of it: whoever sent a key may ask again.
        throw new DatabaseUnavailableError('the server that has the ledger was lost', { cause: error })
      }
    },

    close(): void {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

export type Peers = ReturnType<typeof createPeers>
