import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type Door, isMeant, isSameKey, keyOf } from './callers.rules.ts'
import { KeyRefused, type McpSettings, openMcpServer } from './server.ts'

export interface HttpSettings extends Omit<McpSettings, 'apiKey'> {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  readonly allowedHosts: readonly string[]
  /** Of callers who say none. */
  readonly apiKey?: string
}

interface Session {
  readonly apiKey: string
  readonly transport: StreamableHTTPServerTransport
  lastUsedAt: number
}

const PATH = '/mcp'
const MOST_SESSIONS = 100
const IDLE_MS = 30 * 60_000
const SWEEP_MS = 60_000

/** In the words of the protocol. */
function refuse(response: ServerResponse, status: number, message: string): void {
  const headers = { 'content-type': 'application/json', ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}) }
  response.writeHead(status, headers)
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }))
}

function createSessions(settings: HttpSettings) {
  const sessions = new Map<string, Session>()
  /** Asked for and not yet begun. */
  let opening = 0
  const close = async (id: string) => {
    const session = sessions.get(id)
    sessions.delete(id)
    await session?.transport.close()
  }

  /** A session of the protocol with the tools of its own key; kept once the caller has begun it as the protocol says. */
  async function open(apiKey: string): Promise<StreamableHTTPServerTransport> {
    const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js')
    const server = await openMcpServer({ ...settings, apiKey })
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { apiKey, transport, lastUsedAt: Date.now() }),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    // The package's own types disagree about optional fields.
    await server.connect(transport as Transport)
    return transport
  }

  return {
    /** Answers a request outside of any session: only one that begins a session gets anything. */
    async begin(apiKey: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
      if (sessions.size + opening >= MOST_SESSIONS) return refuse(response, 503, 'Too many sessions are open.')
      opening += 1
      try {
        const transport = await open(apiKey)
        await transport.handleRequest(request, response)
        if (transport.sessionId === undefined) await transport.close()
      } finally {
        opening -= 1
      }
    },
    find(id: string, apiKey: string): StreamableHTTPServerTransport | undefined {
      const session = sessions.get(id)
      if (!session || !isSameKey(session.apiKey, apiKey)) return undefined
      session.lastUsedAt = Date.now()
      return session.transport
    },
    async closeIdle(): Promise<void> {
      const since = Date.now() - IDLE_MS
      for (const [id, { lastUsedAt }] of sessions) if (lastUsedAt < since) await close(id)
    },
    async closeAll(): Promise<void> {
      for (const id of sessions.keys()) await close(id)
    },
  }
}

/** Speaks the Model Context Protocol over streamable HTTP until the program is told to end. */
export async function serveMcpOverHttp(settings: HttpSettings): Promise<void> {
  const sessions = createSessions(settings)

  async function answer(request: IncomingMessage, response: ServerResponse, door: Door): Promise<void> {
    if (!isMeant(request.headers, door)) return refuse(response, 403, 'This host or origin is not answered.')
    if (request.url?.split('?')[0] !== PATH) return refuse(response, 404, `There is only ${PATH}.`)
    const apiKey = keyOf(request.headers) ?? settings.apiKey
    if (!apiKey) return refuse(response, 401, 'Send the API key of an instance as Authorization: Bearer.')
    const id = request.headers['mcp-session-id']
    if (id !== undefined) {
      const known = sessions.find(String(id), apiKey)
      return known ? known.handleRequest(request, response) : refuse(response, 404, 'Session not found')
    }
    return sessions.begin(apiKey, request, response)
  }

  const server = createServer(async (request, response) => {
    const { port } = server.address() as AddressInfo
    try {
      await answer(request, response, { port, allowedHosts: settings.allowedHosts })
    } catch (error) {
      if (error instanceof KeyRefused) refuse(response, 401, error.message)
      else if (!response.headersSent) refuse(response, 502, 'The service cannot be reached.')
      else response.end()
    }
  })
  server.listen(settings.port, settings.host)
  await once(server, 'listening')
  const { address, family, port } = server.address() as AddressInfo
  process.stdout.write(`http://${family === 'IPv6' ? `[${address}]` : address}:${port}${PATH}\n`)

  const sweep = setInterval(() => void sessions.closeIdle(), SWEEP_MS)
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  clearInterval(sweep)
  await sessions.closeAll()
  server.close()
  server.closeAllConnections()
}
