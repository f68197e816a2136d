import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { postJson } from '@tallystick/testkit'

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

export interface RpcProxy {
  readonly url: string
  /** The method of every call that came, one list per HTTP request. */
  readonly requests: string[][]
  readonly headers: IncomingHttpHeaders[]
  /** Runs after the node answered a call and before the next call of the same request reaches it. */
  afterCall: ((method: string) => Promise<void>) | undefined
  /** What to answer in the node's place; undefined: what the node says. */
  replaceAnswer: ((call: Call) => { result: unknown } | { error: object } | 'nothing' | undefined) | undefined
  /** What to ask the node instead. */
  changeCall: ((call: Call) => Call) | undefined
  /** What to make of the node's result. */
  changeResult: ((call: Call & { readonly result: unknown }) => unknown) | undefined
  /** The whole HTTP answer in the node's place. */
  replaceResponse: { status: number; body: string } | undefined
  stop(): Promise<void>
}

/** Stands in front of a real node, which behaves like another one wherever a test says so. */
export async function rpcProxy(targetUrl: string): Promise<RpcProxy> {
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      (error: unknown) => response.writeHead(502).end(String(error)),
    )
  })

  async function answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const parsed = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Call | Call[]
    const calls = [parsed].flat()
    proxy.requests.push(calls.map(({ method }) => method))
    proxy.headers.push(request.headers)
    if (proxy.replaceResponse) return proxy.replaceResponse
    const answers: unknown[] = []
    for (const call of calls) {
      const other = proxy.replaceAnswer?.(call)
      if (other !== 'nothing') answers.push(other ? { jsonrpc: '2.0', id: call.id, ...other } : await forward(call))
      await proxy.afterCall?.(call.method)
    }
    return { status: 200, body: JSON.stringify(Array.isArray(parsed) ? answers : answers[0]) }
  }

  async function forward(asked: Call): Promise<unknown> {
    const call = proxy.changeCall?.(asked) ?? asked
    const answer = (await postJson(targetUrl, JSON.stringify(call))) as { result?: unknown }
    if (!proxy.changeResult || !('result' in answer)) return answer
    return { ...answer, result: proxy.changeResult({ ...call, result: answer.result }) }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const proxy: RpcProxy = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    headers: [],
    afterCall: undefined,
    replaceAnswer: undefined,
    changeCall: undefined,
    changeResult: undefined,
    replaceResponse: undefined,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}
