import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@tallystick/testkit'
import postgres from 'postgres'
import { listenTenaciously } from '../../../apps/server/test/streams/tenacious-listener.ts'
import { auditRows, replay } from '../soak/audit.ts'
import { startClient } from '../soak/client.ts'
import { followerFault } from '../soak/follower-check.ts'
import { prepareInstances } from '../soak/instances.ts'
import { createViolations } from '../soak/ledger.ts'
import { startOrderClient } from '../trading/crash-client.ts'
import { auditHeard, auditOrders, type OrderMarket, prepareMarket } from '../trading/order-flow.ts'
import { auditConfirms, type Confirms, startConfirms } from './confirms.ts'
import type { Cluster } from './start-cluster.ts'
import { until } from './until.ts'

export interface Load {
  readonly market: OrderMarket
  readonly confirms: Confirms
  /** Milliseconds without a single acknowledged order, the longest since then. */
  longestGap(since: number): number
  /** Acknowledged so far. */
  orders(): number
  writes(): number
  /** Times that a listener had to come back. */
  streams(): number
  /** Reads of standbys that were answered, and that were not. */
  standbyReads(): { answered: number; failed: number }
  /** Silence, and everything that was told compared with what is there. Answers what is wrong. */
  audit(): Promise<string[]>
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

const ORDER_CLIENTS = 4
const WRITE_CLIENTS = 2
const LOOK_MS = 20
const STANDBY_READ_MS = 200

/** Orders, writes with keys, confirmations, streams of books and of fills, and reads of standbys, all at the one address of the API. */
export async function startLoad(cluster: Cluster, seed: number): Promise<Load> {
  const { urls, chain } = cluster
  const apiUrls = [urls.api]
  const market = await prepareMarket({ databaseUrl: urls.primary, apiUrls }, ORDER_CLIENTS)
  const models = await prepareInstances({ databaseUrl: urls.primary, rpcUrl: chain.url }, WRITE_CLIENTS)
  const confirms = await startConfirms(cluster)
  const violations = createViolations()
  const orderClients = Array.from({ length: ORDER_CLIENTS }, (_, index) =>
    startOrderClient({
      name: `c${index}`,
      apiKey: market.apiKey,
      apiUrls,
      books: market.books,
      random: seededRandom(seed + index),
    }),
  )
  const writeClients = models.map((model, index) =>
    startClient({ name: `w${index}`, model, apiUrls, random: seededRandom(seed + 100 + index), violations }),
  )
  const clients = [...orderClients, ...writeClients, confirms]
  const listeners = market.books.map((bookId) => ({
    bookId,
    listener: listenTenaciously({ bookId, key: market.apiKey, pickServer: () => urls.api }),
  }))
  const orders = () => orderClients.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
  const acknowledgedAt: number[] = []
  let [seen, isStopped] = [0, false]
  const watch = setInterval(() => {
    if (orders() > seen) acknowledgedAt.push(Date.now())
    seen = orders()
  }, LOOK_MS)

  const standbys = { answered: 0, failed: 0 }
  async function readStandbys(): Promise<void> {
    while (!isStopped) {
      // A connection for each: what is asked is whether somebody who comes now is served.
      const sql = postgres(urls.replicas, { max: 1, fetch_types: false, connect_timeout: 2, onnotice: () => undefined })
      await sql`select max(version) from schema_migrations`.then(
        () => (standbys.answered += 1),
        () => (standbys.failed += 1),
      )
      await sql.end({ timeout: 1 })
      await sleep(STANDBY_READ_MS)
    }
  }
  const reading = readStandbys()

  const pause = async () => void (await Promise.all(clients.map((client) => client.pause())))
  const resume = () => {
    for (const client of clients) client.resume()
  }

  return {
    market,
    confirms,
    longestGap(since) {
      const moments = [since, ...acknowledgedAt.filter((at) => at > since), Date.now()]
      return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)))
    },
    orders,
    writes: () => models.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
    streams: () => listeners.reduce((sum, { listener }) => sum + listener.connections(), 0),
    standbyReads: () => ({ ...standbys }),
    async audit() {
      await pause()
      const found: string[] = []
      const sql = postgres(urls.superuser, { max: 1, onnotice: () => undefined, fetch_types: false })
      try {
        await until('the primary answers', 30_000, async () => sql`select 1`)
        await auditOrders(sql, market, orderClients, found)
        for (const { bookId, listener } of listeners) await auditHeard(sql, bookId, listener, found)
        for (const model of models) {
          await auditRows(sql, model, violations)
          await replay(model.acknowledged.slice(-20), apiUrls, seededRandom(seed), violations)
        }
        const fault = await followerFault(sql, chain.url)
        if (fault) found.push(fault)
        found.push(...(await auditConfirms(sql, chain.url, confirms.confirmed)))
      } finally {
        resume()
        await sql.end({ timeout: 5 })
      }
      for (const [kind, list] of Object.entries(violations))
        found.push(...list.splice(0).map((one: string) => `${kind}: ${one}`))
      for (const { faults } of [...orderClients, confirms, ...listeners.map(({ listener }) => listener)])
        found.push(...(faults as string[]).splice(0))
      return found
    },
    pause,
    resume,
    async stop() {
      isStopped = true
      clearInterval(watch)
      resume()
      await Promise.all([...clients, ...listeners.map(({ listener }) => listener)].map((one) => one.stop()))
      await reading
    },
  }
}
