import { createServer, type IncomingMessage } from 'node:http'
import { type Lag, laggingRpc } from '@tallystick/testkit'

/** What stands between the service and its node, and how it behaves. */
export type Manner = 'well' | 'lags' | 'other-height' | 'drops' | 'too-many' | 'gone'

export interface ChainFront {
  readonly url: string
  manner: Manner
  stop(): Promise<void>
}

/** How late each manner is: `other-height` tells new blocks at once and answers from old ones, as providers with many nodes do. */
const LAGS: Partial<Record<Manner, Lag>> = {
  lags: { blocksMs: 5_000, stateMs: 5_000, receiptsMs: 5_000, transactionsMs: 5_000, noncesMs: 5_000 },
  'other-height': { stateMs: 4_000, receiptsMs: 4_000 },
}

const LOOK_MS = 250

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** A node that misbehaves on demand, on a port that stays. */
export async function startChainFront(nodeUrl: string, port: number): Promise<ChainFront> {
  const lagging = await laggingRpc(nodeUrl)
  // It has to have seen a block come to know how old it is; one that it meets for the first time when it is asked to lag would be new to it.
  const looking = setInterval(() => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
    void fetch(lagging.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    )
  }, LOOK_MS)
  let turn = 0
  const server = createServer((request, response) => {
    const { manner } = front
    turn += 1
    lagging.lag = LAGS[manner] ?? {}
    if (manner === 'gone') return void request.socket.destroy()
    // Every other one: a node that drops all is one that is gone.
    if (manner === 'drops' && turn % 2 === 0) return void request.socket.destroy()
    if (manner === 'too-many' && turn % 2 === 0)
      return void response.writeHead(429, { 'retry-after': '1' }).end('{"error":"too many requests"}')
    const to = manner in LAGS ? lagging.url : nodeUrl
    bodyOf(request)
      .then(async (body) => {
        const answer = await fetch(to, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: new Uint8Array(body),
        })
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
      })
      .catch(() => response.writeHead(502).end())
  })
  const front: ChainFront = {
    url: `http://127.0.0.1:${port}`,
    manner: 'well',
    async stop() {
      clearInterval(looking)
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await lagging.stop()
    },
  }
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return front
}
