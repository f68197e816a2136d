import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@tallystick/testkit'
import postgres from 'postgres'
import { listenTenaciously, type TenaciousListener } from '../../../apps/server/test/streams/tenacious-listener.ts'
import { type Servers, startDeployment } from '../soak/deployment.ts'
import { type OrderClient, startOrderClient } from './crash-client.ts'
import { auditHeard, auditOrders, prepareMarket } from './order-flow.ts'

export interface CrashOptions {
  /** Kills of an API process while orders are sent. */
  readonly trials: number
  /** Kills of PostgreSQL, spread over the run. */
  readonly databaseKills: number
  readonly seed: number
  readonly clients?: number
  readonly auditEvery?: number
  readonly servers?: Servers
  readonly onProgress?: (line: string) => void
}

export interface CrashFigures {
  readonly acknowledged: number
  readonly refused: number
  readonly attempts: number
  readonly foundAgain: number
  readonly trades: number
  /** How often somebody who listens had to come back. */
  readonly streams: number
  readonly seconds: number
  readonly violations: string[]
}

/** Kills the servers over and over while orders are sent to both, and compares what was answered with what is there. */
export async function runOrderCrashes(options: CrashOptions): Promise<CrashFigures> {
  const { trials, databaseKills, seed, clients: count = 4, auditEvery = 100, servers = 'peers' } = options
  const { onProgress = () => {} } = options
  const begun = Date.now()
  const random = seededRandom(seed)
  const violations: string[] = []
  const deployment = await startDeployment({ servers })
  const sql = postgres(deployment.superuserUrl, { max: 1, onnotice: () => undefined, fetch_types: false })
  let clients: OrderClient[] = []
  let listeners: { bookId: string; listener: TenaciousListener }[] = []
  let trades = 0
  try {
    const market = await prepareMarket(deployment, count)
    clients = Array.from({ length: count }, (_, index) =>
      startOrderClient({
        name: `c${index}`,
        apiKey: market.apiKey,
        apiUrls: deployment.apiUrls,
        books: market.books,
        random: seededRandom(seed + index + 1),
      }),
    )
    const dice = seededRandom(seed + 1_000)
    listeners = market.books.map((bookId) => ({
      bookId,
      listener: listenTenaciously({ bookId, key: market.apiKey, pickServer: () => dice.pick(deployment.apiUrls) }),
    }))
    async function check(): Promise<void> {
      await Promise.all(clients.map((client) => client.pause()))
      trades = await auditOrders(sql, market, clients, violations)
      for (const { bookId, listener } of listeners) await auditHeard(sql, bookId, listener, violations)
      for (const client of clients) client.resume()
    }
    let killed = 0
    for (let trial = 1; trial <= trials; trial += 1) {
      await sleep(random.integer(0, 200))
      await deployment.killAndRestartApi(random.chance(0.5) ? 0 : 1)
      if ((killed + 1) * trials <= trial * databaseKills) {
        killed += 1
        await deployment.killAndRestart('postgres')
      }
      if (trial % auditEvery === 0 && trial < trials) {
        await check()
        onProgress(`${trial} trials, ${Math.round((Date.now() - begun) / 1000)} s, ${violations.length} violations`)
      }
    }
    await check()
    violations.push(
      ...deployment.ownDeaths,
      ...[...clients, ...listeners.map(({ listener }) => listener)].flatMap(({ faults }) => faults),
    )
    const sum = (of: (client: OrderClient) => number) => clients.reduce((total, client) => total + of(client), 0)
    return {
      acknowledged: sum(({ acknowledged }) => acknowledged.size),
      refused: sum(({ refused }) => refused.size),
      attempts: sum((client) => client.attempts()),
      foundAgain: sum((client) => client.foundAgain()),
      trades,
      streams: listeners.reduce((total, { listener }) => total + listener.connections(), 0),
      seconds: (Date.now() - begun) / 1000,
      violations,
    }
  } finally {
    await Promise.all([...clients, ...listeners.map(({ listener }) => listener)].map((one) => one.stop()))
    await sql.end({ timeout: 5 })
    await deployment.stop()
  }
}
