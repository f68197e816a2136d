import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type Door, isMeant, keyOf } from './callers.rules.ts'
import { holdSessions, type SessionLimits } from './held-sessions.ts'
import { KeyRefused, type McpSettings, openMcpServer } from './server.ts'

export interface HttpSettings extends Omit<McpSettings, 'apiKey'> {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  readonly allowedHosts: readonly string[]
  /** Of callers who say none. */
  readonly apiKey?: string
}

const PATH = '/mcp'
const LIMITS: SessionLimits = { most: 100, mostOfKey: 10, idleMs: 30 * 60_000 }
const SWEEP_MS = 60_000

/** In the words of the protocol. */
function refuse(response: ServerResponse, status: number, message: string): void {
  const headers = { 'content-type': 'application/json', ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}) }
  response.writeHead(status, headers)
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }))
}

function createSessions(settings: HttpSettings) {
  const held = holdSessions<StreamableHTTPServerTransport>(LIMITS, Date.now)

  /** A session of the protocol with the tools of its own key; kept once the caller has begun it as the protocol says. */
  async function open(apiKey: string): Promise<StreamableHTTPServerTransport> {
    const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js')
    const server = await openMcpServer({ ...settings, apiKey })
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => held.add(id, apiKey, transport),
      onsessionclosed: held.forget,
    })
    // The package's own types disagree about optional fields.
    await server.connect(transport as Transport)
    return transport
  }

  return {
    ...held,
    /** Answers a request outside of any session: only one that begins a session gets anything. */
    async begin(apiKey: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
      const hasRoom = await held.opening(apiKey, async () => {
        const transport = await open(apiKey)
        await transport.handleRequest(request, response)
        if (transport.sessionId === undefined) await transport.close()
      })
      if (!hasRoom) refuse(response, 503, 'Too many sessions are open.')
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
