import { setTimeout as sleep } from 'node:timers/promises'
import type { SeededRandom } from '@tallystick/testkit'

export interface OrderClient {
  /** By clientOrderId: the order that was acknowledged. */
  readonly acknowledged: ReadonlyMap<string, string>
  readonly refused: ReadonlySet<string>
  readonly faults: readonly string[]
  readonly attempts: () => number
  /** Acknowledgements that were found again by asking twice. */
  readonly foundAgain: () => number
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
  readonly body: any
}

const OFFCHAIN = '/orderbooks/stocks/api/offchain'
const REQUEST_TIMEOUT_MS = 15_000
const GIVE_UP_MS = 90_000

/** Sends orders one request after the other, each again and again until it knows what became of it. */
export function startOrderClient(parts: {
  readonly name: string
  readonly apiKey: string
  readonly apiUrls: readonly string[]
  readonly books: readonly string[]
  readonly random: SeededRandom
}): OrderClient {
  const { name, apiKey, apiUrls, books, random } = parts
  const acknowledged = new Map<string, string>()
  const refused = new Set<string>()
  const faults: string[] = []
  let [attempts, foundAgain, count] = [0, 0, 0]
  let stopped = false
  let paused: { resolve(): void } | undefined

  async function send(method: string, path: string, body: object, headers: Record<string, string>): Promise<Answer> {
    const response = await fetch(`${random.pick(apiUrls)}${OFFCHAIN}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    return { status: response.status, body: await response.json() }
  }

  async function untilAnswered(method: string, path: string, body: object): Promise<Answer> {
    // With a key the answer itself comes back; without one the order is known by the name its client gave it.
    const headers = random.chance(0.4) ? { 'idempotency-key': `crash-${name}-${count}` } : {}
    for (const deadline = Date.now() + GIVE_UP_MS; ; ) {
      attempts += 1
      try {
        const answer = await send(method, path, body, headers as Record<string, string>)
        const isPassing = answer.status >= 500 || answer.body.error?.code === 'IDEMPOTENCY_IN_FLIGHT'
        if (!isPassing) return answer
      } catch {
        // Killed in the middle, or not up yet: whether it happened is unknown, which is the point.
      }
      if (Date.now() > deadline) throw new Error(`${method} ${path} was never answered`)
      await sleep(random.integer(10, 60))
    }
  }

  const newOrder = () => ({
    customerRef: `${name}-${random.integer(1, 3)}`,
    side: random.pick(['BUY', 'SELL']),
    orderType: 'LIMIT',
    price: String(random.integer(98, 102) * 10_000),
    quantity: String(random.integer(1, 50) * 10_000),
    timeInForce: random.pick(['GTC', 'GTC', 'IOC']),
    clientOrderId: `${name}-${++count}`,
  })

  function note(clientOrderId: string, code: string | undefined, orderId: string | undefined): void {
    if (code === 'DUPLICATE_CLIENT_ORDER_ID') foundAgain += 1
    if (orderId !== undefined) acknowledged.set(clientOrderId, orderId)
    else refused.add(clientOrderId)
  }

  async function step(): Promise<void> {
    const orderBookId = random.pick(books)
    const dice = random.next()
    if (dice < 0.6) {
      const order = newOrder()
      const { status, body } = await untilAnswered('POST', '/orders', { orderBookId, ...order })
      note(order.clientOrderId, body.error?.code, status === 200 ? body.data.order.orderId : body.error.orderId)
    } else if (dice < 0.85) {
      const orders = Array.from({ length: random.integer(2, 15) }, newOrder)
      const { status, body } = await untilAnswered('POST', '/orders/batch', { orderBookId, orders })
      if (status !== 200) throw new Error(`a batch was refused: ${JSON.stringify(body.error)}`)
      for (const [index, result] of body.data.results.entries())
        note(orders[index]?.clientOrderId ?? '', result.error?.code, result.order?.orderId ?? result.error?.orderId)
    } else if (acknowledged.size > 0) {
      count += 1
      const [, orderId] = random.pick([...acknowledged])
      const path = `/orders/${orderId}`
      const { status, body } = await untilAnswered('DELETE', path, { customerRef: `${name}-${random.integer(1, 3)}` })
      if (status !== 200 && body.error.code !== 'ORDER_NOT_FOUND')
        throw new Error(`cancel: ${JSON.stringify(body.error)}`)
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      if (paused) {
        paused.resolve()
        await sleep(10)
        continue
      }
      try {
        await step()
      } catch (error) {
        faults.push(`${name}: ${(error as Error).message}`)
      }
      await sleep(random.integer(0, 10))
    }
  }

  const running = run()
  return {
    acknowledged,
    refused,
    faults,
    attempts: () => attempts,
    foundAgain: () => foundAgain,
    pause: () =>
      new Promise((resolve) => {
        paused = { resolve }
      }),
    resume() {
      paused = undefined
    },
    async stop() {
      stopped = true
      await running
    },
  }
}
