import { randomUUID } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { type KeyRights, type McpTool, NEVER_SIGNS, requestOf, toolsFor } from './tools.ts'

export interface McpSettings {
  readonly url: string
  readonly apiKey: string
  readonly version: string
  readonly features?: readonly string[]
  readonly readOnly?: boolean
}

/** The service knows no such key, or does not let it in. */
export class KeyRefused extends Error {}

const TIMEOUT_MS = 60_000

const INSTRUCTIONS = `These tools read a Tallystick deployment and build transactions for it: lending, trading, stock tokens, identity, the register.
They never sign, never send and never confirm anything, and hold no key of a wallet. ${NEVER_SIGNS} Show it to the person who decides; the answer
says who has to sign (requiredRole, signerAddress), whether it would succeed (simulation) and where its hash is reported (confirmWith).
Amounts are strings. Lists are paged: go on with nextCursor.`

interface Answer {
  readonly success: boolean
  readonly data?: unknown
  readonly error?: { readonly code: string; readonly message: string }
}

async function ask(
  { url, apiKey }: McpSettings,
  tool: Pick<McpTool, 'operation'>,
  request: ReturnType<typeof requestOf>,
) {
  const { method, path, body } = request
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      'x-api-key': apiKey,
      accept: 'application/json',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(tool.operation.needsKey ? { 'idempotency-key': randomUUID() } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return (await response.json()) as Answer
}

/** What the key may do, by its own word; null: it may not even read that. */
async function rightsOf(settings: McpSettings): Promise<KeyRights | null> {
  const [me] = toolsFor(null).filter(({ name }) => name === 'getInstance')
  if (!me) throw new Error('no operation says who a key is')
  const answer = await ask(settings, me, requestOf(me, {}))
  if (answer.success) {
    const { services, key } = answer.data as { services: string[]; key: { scopes: string[] } }
    return { services, scopes: key.scopes }
  }
  if (answer.error?.code === 'SCOPE_MISSING') return null
  throw new KeyRefused(`The service refused the key: ${answer.error?.code}: ${answer.error?.message}`)
}

const text = (words: string) => [{ type: 'text' as const, text: words }]

/** The tools that a key opens, to be connected to one that calls them. */
export async function openMcpServer(settings: McpSettings): Promise<Server> {
  const [{ Server }, { CallToolRequestSchema, ListToolsRequestSchema }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  const tools = new Map(toolsFor(await rightsOf(settings), settings).map((tool) => [tool.name, tool]))
  const server = new Server(
    { name: 'tallystick', version: settings.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )

  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [...tools.values()].map(({ name, title, description, inputSchema, leg }) => ({
      name,
      title,
      description,
      inputSchema: { ...inputSchema },
      annotations: { readOnlyHint: leg === 'read', destructiveHint: false, openWorldHint: false },
    })),
  }))

  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.get(params.name)
    if (!tool) return { isError: true, content: text(`There is no tool ${params.name} for this key.`) }
    try {
      const answer = await ask(settings, tool, requestOf(tool, params.arguments ?? {}))
      const isError = !answer.success
      return { isError, content: text(JSON.stringify(answer, null, 1)), structuredContent: { ...answer } }
    } catch (error) {
      return { isError: true, content: text(error instanceof Error ? error.message : String(error)) }
    }
  })
  return server
}
