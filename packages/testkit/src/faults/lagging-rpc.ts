import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long after a block has come the answers of each kind know of it, in milliseconds. What is not named is up to date. */
export interface Lag {
  /** Every answer takes so long. */
  answerMs?: number
  receiptsMs?: number
  /** Until then a mined transaction is said to wait. */
  transactionsMs?: number
  noncesMs?: number
  /** The newest block and its number. */
  blocksMs?: number
  /** Calls, estimates and balances. */
  stateMs?: number
  /** Transactions that wait are not known at all. */
  isForgetful?: boolean
}

export interface LaggingRpc {
  url: string
  /** May be changed at any time. */
  lag: Lag
  /** So many of the next transactions reach the node, and the answer is lost. */
  lostAnswers: number
  stop(): Promise<void>
}

interface Call {
  id: number
  method: string
  params?: unknown[]
}

interface Placed {
  blockHash: string | null
  blockNumber: string | null
  transactionIndex: string | null
}

const ABOUT_STATE = ['eth_call', 'eth_estimateGas', 'eth_getBalance']
const toHex = (value: number) => `0x${value.toString(16)}`
const NOWHERE: Placed = { blockHash: null, blockNumber: null, transactionIndex: null }

/**
 * Stands in front of a real node and answers like a provider with several nodes behind one address, of which some are late: each kind
 * of answer comes from its own past. Nothing is invented; what is answered was true once.
 */
export async function laggingRpc(targetUrl: string, lag: Lag = {}): Promise<LaggingRpc> {
  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      (error: unknown) => response.writeHead(502).end(String(error)),
    )
  })

  async function ask(method: string, params: unknown[] = []): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answered = await fetch(targetUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await answered.json()) as { result?: unknown; error?: object }
    if (error) throw new RefusedError(error)
    return result
  }

  /** When each block was first seen, by its number. Blocks from before count as old. */
  const seenAt = new Map<number, number>()
  let [oldest, head] = [0, 0]

  async function look(): Promise<void> {
    const newest = Number(await ask('eth_blockNumber'))
    for (let gone = newest + 1; gone <= head; gone += 1) seenAt.delete(gone)
    for (let number = head + 1; number <= newest; number += 1) seenAt.set(number, Date.now())
    head = newest
    oldest = Math.min(oldest, newest)
  }

  /** The newest block that answers know of which are so late. */
  function headBefore(lateMs = 0): number {
    const latest = Date.now() - lateMs
    let number = head
    while (number > oldest && (seenAt.get(number) ?? 0) > latest) number -= 1
    return number
  }

  async function answerOf({ method, params = [] }: Call): Promise<unknown> {
    const { receiptsMs, transactionsMs, noncesMs, blocksMs, stateMs, isForgetful } = proxy.lag
    const isMinedBefore = (placed: Placed | null, lateMs?: number): placed is Placed =>
      placed?.blockNumber != null && Number(placed.blockNumber) <= headBefore(lateMs)
    if (method === 'eth_blockNumber') return toHex(headBefore(blocksMs))
    if (method === 'eth_getTransactionCount' && !String(params[1]).startsWith('0x') && noncesMs)
      return ask(method, [params[0], toHex(headBefore(noncesMs))])
    if (ABOUT_STATE.includes(method) && stateMs) return ask(method, [params[0], toHex(headBefore(stateMs))])
    if (method === 'eth_getBlockByNumber') {
      const number = params[0] === 'latest' ? headBefore(blocksMs) : Number(params[0])
      if (number > headBefore(blocksMs)) return null
      return ask(method, Number.isNaN(number) ? params : [toHex(number), params[1]])
    }
    const result = await ask(method, params)
    if (method === 'eth_getTransactionReceipt') return isMinedBefore(result as Placed, receiptsMs) ? result : null
    if (method !== 'eth_getTransactionByHash' || !result || isMinedBefore(result as Placed, transactionsMs))
      return result
    return isForgetful ? null : { ...result, ...NOWHERE }
  }

  async function answer(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Call | Call[]
    await look()
    const answers: object[] = []
    for (const call of [asked].flat()) {
      const about = { jsonrpc: '2.0', id: call.id }
      try {
        answers.push({ ...about, result: (await answerOf(call)) ?? null })
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error
        answers.push({ ...about, error: error.told })
      }
    }
    await sleep(proxy.lag.answerMs ?? 0)
    if (proxy.lostAnswers > 0 && [asked].flat().some(({ method }) => method === 'eth_sendRawTransaction')) {
      proxy.lostAnswers -= 1
      request.socket.resetAndDestroy()
    }
    return JSON.stringify(Array.isArray(asked) ? answers : answers[0])
  }

  await look()
  seenAt.clear()
  oldest = head
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const proxy: LaggingRpc = {
    url: `http://127.0.0.1:${port}`,
    lag,
    lostAnswers: 0,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}

/** What the node itself refused; passed on as it is. */
class RefusedError extends Error {
  readonly told: object

  constructor(told: object) {
    super('the node refused')
    this.told = told
  }
}
