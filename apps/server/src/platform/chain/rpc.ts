import { Pool } from 'undici'
import type { Clock } from '../clock.ts'
import { type SpanRequest, traced } from '../trace.ts'
import { requireNoTransaction } from '../transaction-scope.ts'

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}
export interface RpcFault {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}
export type RpcAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: RpcFault }

/** No node could be asked: a failed read, which must never look like a value. */
export class ChainUnavailableError extends Error {
  override readonly name = 'ChainUnavailableError'
}

export interface RpcEndpoint {
  readonly url: string
  /** One HTTP round trip for all calls together. Throws `ChainUnavailableError` when the node gave no usable answer. */
  batch(calls: readonly RpcCall[]): Promise<RpcAnswer[]>
  close(): Promise<void>
}

/** A node that is over its limits answers so per call; another node may serve. */
const OVER_LIMIT = -32005

export function createEndpoint(url: string, timeoutMs: number): RpcEndpoint {
  const { origin, pathname, search, username, password } = new URL(url)
  const pool = new Pool(origin, {
    connections: 32,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connectTimeout: timeoutMs,
  })
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (username)
    headers.authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
  let lastId = 0

  async function post(body: string): Promise<unknown> {
    try {
      const response = await pool.request({
        method: 'POST',
        path: pathname + search,
        headers,
        body,
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (response.statusCode !== 200) {
        await response.body.dump()
        throw new Error(`HTTP ${response.statusCode}`)
      }
      return await response.body.json()
    } catch (cause) {
      throw new ChainUnavailableError(`a chain node gave no usable answer: ${(cause as Error).message}`, { cause })
    }
  }

  return {
    url,
    async batch(calls) {
      const first = lastId + 1
      lastId += calls.length
      const body = JSON.stringify(
        calls.map((call, index) => ({ jsonrpc: '2.0', id: first + index, method: call.method, params: call.params })),
      )
      const parsed = await post(body)
      if (!Array.isArray(parsed)) throw new ChainUnavailableError('a chain node refused a batch of calls')
      const byId = new Map(
        parsed.map((answer: { id: number }) => [answer.id, answer as { result?: unknown; error?: RpcFault }]),
      )
      return calls.map((_, index): RpcAnswer => {
        const answer = byId.get(first + index)
        if (!answer || answer.error?.code === OVER_LIMIT)
          throw new ChainUnavailableError('a chain node left a call unanswered')
        return answer.error ? { ok: false, fault: answer.error } : { ok: true, value: answer.result }
      })
    },
    close: () => pool.close(),
  }
}

export interface Rpc {
  batch(calls: readonly RpcCall[]): Promise<RpcAnswer[]>
  readonly endpoints: readonly RpcEndpoint[]
  close(): Promise<void>
}

/** The host alone: paths and passwords of a node's address are secrets. */
function rpcSpan({ url }: RpcEndpoint, calls: readonly RpcCall[]): SpanRequest {
  const methods = [...new Set(calls.map(({ method }) => method))].join(' ')
  const attributes = { 'rpc.system': 'jsonrpc', 'rpc.method': methods, 'rpc.batch': calls.length }
  return {
    name: `jsonrpc ${methods}`,
    kind: 'client',
    attributes: { ...attributes, 'server.address': new URL(url).host },
  }
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/** Several nodes of one chain: the first healthy one serves; one that failed rests for a while before it is asked first again. */
export function createRpc(urls: readonly string[], options: { timeoutMs: number; clock: Clock }): Rpc {
  const endpoints = urls.map((url) => createEndpoint(url, options.timeoutMs))
  const health = endpoints.map(() => ({ restUntil: 0, failures: 0 }))

  function inOrder(): number[] {
    const now = options.clock.now().getTime()
    const rested = (index: number) => (health[index]?.restUntil ?? 0) <= now
    const all = endpoints.map((_, index) => index)
    return [...all.filter(rested), ...all.filter((index) => !rested(index))]
  }

  return {
    endpoints,
    async batch(calls) {
      requireNoTransaction('the chain was asked')
      let last: unknown
      for (const index of inOrder()) {
        const state = health[index]
        const endpoint = endpoints[index]
        if (!state || !endpoint) continue
        try {
          const answers = await traced(
            () => rpcSpan(endpoint, calls),
            () => endpoint.batch(calls),
          )
          state.failures = 0
          state.restUntil = 0
          return answers
        } catch (error) {
          last = error
          state.failures += 1
          state.restUntil =
            options.clock.now().getTime() + Math.min(FIRST_PAUSE_MS * 2 ** (state.failures - 1), LONGEST_PAUSE_MS)
        }
      }
      throw last instanceof ChainUnavailableError
        ? last
        : new ChainUnavailableError('no chain node answered', { cause: last })
    },
    close: async () => {
      await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    },
  }
}
