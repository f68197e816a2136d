import { setTimeout as sleep } from 'node:timers/promises'
import { createTestCluster, type TcpProxy, type TestCluster, tcpProxy } from '@tallystick/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase, type Database, DatabaseBusyError, DatabaseUnavailableError } from './database.ts'
import { migrate } from './migrate.ts'

const POOL = 8
/** Readers and transactions of the pool; journals, asides and venues beside it; the owner, and the one that listens. */
const MOST_CONNECTIONS = POOL + 2 + 2 + 4 + 2
const CLIENTS = 40
const AWAY_MS = 2_000

const isUnavailable = (error: unknown) =>
  error instanceof DatabaseUnavailableError || error instanceof DatabaseBusyError

describe('a database that is away', () => {
  let cluster: TestCluster
  let proxy: TcpProxy
  let database: Database
  let isOver: boolean
  const outcomes = { answered: 0, unavailable: 0, strange: [] as unknown[] }

  beforeAll(async () => {
    cluster = await createTestCluster()
    await cluster.createTemplate('storm', async (url) => {
      await migrate(url)
    })
  })
  afterAll(() => cluster.stop())
  beforeEach(async () => {
    const { url } = await cluster.cloneDatabase('storm')
    proxy = await tcpProxy(url)
    database = createDatabase({ url: proxy.url, poolSize: POOL, applicationName: 'storm' })
    Object.assign(outcomes, { answered: 0, unavailable: 0, strange: [] })
    isOver = false
    return async () => {
      await database.close()
      await proxy.stop()
    }
  })

  /** Asks again as soon as it is answered, whatever the answer. */
  async function client(number: number): Promise<void> {
    while (!isOver) {
      try {
        if (number % 2 === 0) await database.lookUp((sql) => sql`select 1`)
        else await database.as('tally_operator', (sql) => sql`select 1`)
        outcomes.answered += 1
      } catch (error) {
        if (isUnavailable(error)) outcomes.unavailable += 1
        else outcomes.strange.push(error)
      }
      // A client is another process and needs a moment of its own.
      await sleep(2)
    }
  }

  it.each(['cut', 'turnAway'] as const)(
    'is asked a few times a second (%s), and served at once when it is back',
    async (how) => {
      database.signals.listen(
        'storm',
        () => {},
        () => {},
      )
      const clients = Array.from({ length: CLIENTS }, (_, number) => client(number))
      await sleep(300)
      expect(outcomes.answered).toBeGreaterThan(0)

      const before = { ...proxy.counts }
      await proxy[how]()
      await sleep(AWAY_MS)
      const tries = proxy.counts.connections - before.connections
      await proxy.restore()
      const backAt = performance.now()
      const { answered } = outcomes
      while (outcomes.answered === answered && performance.now() < backAt + 10_000) await sleep(5)
      const firstAfterMs = performance.now() - backAt
      await sleep(500)
      isOver = true
      await Promise.all(clients)
      expect(outcomes.strange).toEqual([])
      expect(outcomes.unavailable).toBeGreaterThan(0)
      // Whoever is refused by the machine itself is not counted.
      expect(tries).toBeLessThan(40)
      expect(firstAfterMs).toBeLessThan(1_000)
      // What was given up while it was connecting is not left behind.
      expect(proxy.standing()).toBeLessThanOrEqual(MOST_CONNECTIONS)
    },
  )
})
