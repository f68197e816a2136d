import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderMarket } from '../trading/order-flow.ts'

const OFFCHAIN = '/orderbooks/stocks/api/offchain'
const PACE_MS = 20
const RETRY_AFTER_MS = 250

/** Reads and keyed writes one after the other, each with one retry and no more. */
export class PatientClient {
  #isStopped = false
  readonly #counts = { asked: 0, retried: 0, failed: 0 }
  readonly #running: Promise<void>

  constructor(url: string, market: OrderMarket) {
    this.#running = this.#run(url, market)
  }

  async #run(url: string, { apiKey, books }: OrderMarket): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn += 1) {
      const order = {
        customerRef: 'c0-1',
        side: 'BUY',
        orderType: 'LIMIT',
        price: '10000',
        quantity: '10000',
        timeInForce: 'IOC',
      }
      const request: [string, RequestInit] =
        turn % 2 === 0
          ? [`${url}${OFFCHAIN}/order-books/${books[0]}`, { headers: { 'x-api-key': apiKey } }]
          : [
              `${url}${OFFCHAIN}/orders`,
              {
                method: 'POST',
                headers: {
                  'x-api-key': apiKey,
                  'content-type': 'application/json',
                  'idempotency-key': `rolling-${turn}-${Date.now()}`,
                },
                body: JSON.stringify({ orderBookId: books[0], ...order }),
              },
            ]
      this.#counts.asked += 1
      const trouble = await troubleWith(...request)
      if (trouble !== undefined) {
        console.log(`  asked again: ${request[1].method ?? 'GET'} got ${trouble}`)
        this.#counts.retried += 1
        await sleep(RETRY_AFTER_MS)
        if ((await troubleWith(...request)) !== undefined) this.#counts.failed += 1
      }
      await sleep(PACE_MS)
    }
  }

  async stop(): Promise<{ asked: number; retried: number; failed: number }> {
    this.#isStopped = true
    await this.#running
    return this.#counts
  }
}

/** Undefined: it was answered. */
const troubleWith = (url: string, request: RequestInit): Promise<string | undefined> =>
  fetch(url, { ...request, signal: AbortSignal.timeout(15_000) }).then(
    async (answer) => {
      const said = await answer.text()
      return answer.status < 500 ? undefined : `${answer.status} ${said}`
    },
    (error: Error) => `${error.message}: ${String(error.cause)}`,
  )
