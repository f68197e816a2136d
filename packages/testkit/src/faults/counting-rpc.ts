import { createServer, type IncomingMessage } from 'node:http'

export interface RpcCounts {
  /** HTTP requests; a batch of calls is one. */
  roundTrips: number
  calls: Record<string, number>
}

export interface CountingRpc {
  url: string
  counts: RpcCounts
  reset(): void
  stop(): Promise<void>
}

/** An HTTP proxy in front of a node that counts what passes. */
export async function countingRpc(targetUrl: string): Promise<CountingRpc> {
  const counts: RpcCounts = { roundTrips: 0, calls: {} }

  const server = createServer((request, response) => {
    forward(request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      (error: unknown) => response.writeHead(502).end(String(error)),
    )
  })

  async function forward(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    count(body)
    const answer = await fetch(targetUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return { status: answer.status, body: await answer.text() }
  }

  function count(body: string): void {
    counts.roundTrips++
    for (const { method } of [JSON.parse(body)].flat() as { method: string }[]) {
      counts.calls[method] = (counts.calls[method] ?? 0) + 1
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    reset() {
      counts.roundTrips = 0
      counts.calls = {}
    },
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
