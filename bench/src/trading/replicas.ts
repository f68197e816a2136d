import { randomBytes } from 'node:crypto'
import { seededRandom } from '@tallystick/testkit'
import type { Sample } from '../measure.ts'
import { fireOrders, WARM_UP_SECONDS } from './load.ts'
import { OFFCHAIN } from './market.ts'
import { CUSTOMERS, createReplicaSet, type Ledger } from './replica-set.ts'

const LEDGERS = 16
const CONNECTIONS = 64
const random = seededRandom(5)

/** The same load on one server, and spread over two and more that share a database: the first are those of one, and so on. */
export async function measureReplicas(rounds: number, seconds: number, most: number): Promise<Sample[][]> {
  const { startReplica, openLedger, stop } = await createReplicaSet()

  const openLedgers = async (url: string): Promise<Ledger[]> => {
    const opened: Ledger[] = []
    while (opened.length < LEDGERS) opened.push(await openLedger(url))
    return opened
  }

  /** Any ledger, any server: nobody in front knows who has which. */
  async function fire(urls: readonly string[], ledgers: readonly Ledger[], forSeconds = seconds): Promise<Sample> {
    let turn = 0
    const next = () => {
      const { apiKey, orderBookId } = random.pick(ledgers)
      turn += 1
      const side = turn % 2 === 0 ? 'BUY' : 'SELL'
      const order = {
        customerRef: random.pick(CUSTOMERS),
        side,
        orderType: 'LIMIT',
        price: '100000000',
        quantity: '1000000',
      }
      return { headers: { 'x-api-key': apiKey }, body: JSON.stringify({ orderBookId, ...order }) }
    }
    const samples = await Promise.all(
      urls.map((url) =>
        fireOrders(
          { url: `${url}${OFFCHAIN}/orders`, headers: {}, body: () => '', next, orders: 1 },
          forSeconds,
          Math.floor(CONNECTIONS / urls.length),
        ),
      ),
    )
    return {
      answers: samples.reduce((sum, { answers }) => sum + answers, 0),
      perSecond: samples.reduce((sum, { perSecond }) => sum + perSecond, 0),
      p50Ms: Math.max(...samples.map(({ p50Ms }) => p50Ms)),
      p99Ms: Math.max(...samples.map(({ p99Ms }) => p99Ms)),
    }
  }

  try {
    const groups: { urls: string[]; ledgers: Ledger[]; samples: Sample[] }[] = []
    for (let size = 1; size <= most; size += 1) {
      const secret = size === 1 ? undefined : randomBytes(32).toString('hex')
      const urls: string[] = []
      while (urls.length < size) urls.push((await startReplica(secret)).url)
      // Each group has ledgers of its own, so that none has to take one from the other.
      groups.push({ urls, ledgers: await openLedgers(urls[0] ?? ''), samples: [] })
    }
    for (const { urls, ledgers } of groups) await fire(urls, ledgers, urls.length * WARM_UP_SECONDS)
    for (let round = 0; round < rounds; round += 1)
      for (const { urls, ledgers, samples } of groups) samples.push(await fire(urls, ledgers))
    return groups.map(({ samples }) => samples)
  } finally {
    await stop()
  }
}
