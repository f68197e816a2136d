import { type McpSettings, openMcpServer } from './server.ts'

/** Speaks the Model Context Protocol over standard input and output until the other side ends it. */
export async function serveMcp(settings: McpSettings): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const server = await openMcpServer(settings)
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve
    process.stdin.once('end', resolve)
  })
  await server.connect(new StdioServerTransport())
  await ended
}
