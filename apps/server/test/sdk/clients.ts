import { createServer, type Server } from 'node:http'
import { createTally, type Tally, type TallyOptions } from '@tallystick/sdk'
import type { World } from '../world.ts'

/** A client that reaches the product in this process: every answer is held against the document, as in all tests. */
export function clientOf(world: World, apiKey: string, options: Partial<TallyOptions> = {}): Tally {
  const inProcess: typeof fetch = async (input, init = {}) => {
    const { pathname, search } = new URL(String(input))
    const headers = Object.fromEntries(new Headers(init.headers))
    const { 'content-type': type, ...others } = headers
    const raw = typeof init.body === 'string' ? { raw: { text: init.body, type: type ?? '' } } : {}
    const answer = await world.call(init.method ?? 'GET', pathname + search, { headers: others, ...raw })
    return new Response(answer.text, { status: answer.status, headers: answer.headers as Record<string, string> })
  }
  return createTally({ baseUrl: 'http://in.process', apiKey, fetch: inProcess, ...options })
}

export interface Forgetful {
  readonly url: string
  /** So many of the next answers are lost: the service has done the work, and the connection breaks. */
  loseAnswers: number
  /** The Idempotency-Key of every request that came. */
  readonly keys: (string | undefined)[]
  stop(): Promise<void>
}

/** Stands before the service on a real connection, and breaks it when told. */
export async function forgetfulProxy(targetUrl: string): Promise<Forgetful> {
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    proxy.keys.push(headers['idempotency-key'] as string | undefined)
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
    const answer = await fetch(`${targetUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...body,
    })
    const text = await answer.text()
    if (proxy.loseAnswers > 0) {
      proxy.loseAnswers -= 1
      request.socket.resetAndDestroy()
      return
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const proxy: Forgetful = {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    loseAnswers: 0,
    keys: [],
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}
