import { createTestCluster, type TcpProxy, type TestCluster, type TestStandby, tcpProxy } from '@tallystick/testkit'
import type { FastifyInstance } from 'fastify'
import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { BUSY_MACHINE } from '../../../test/busy-machine.ts'
import { createOperatorService } from '../../access/index.ts'
import { createApp } from '../../app.ts'
import { type Chains, connectChains } from '../chain/chains.ts'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { type Read, reads } from '../measure.ts'
import { systemRandom } from '../random.ts'
import { createDatabase, type Database } from './database.ts'
import { migrate } from './migrate.ts'
import { createShared } from './standby.ts'

const KEYS = '/access/api/keys'
/** So late is the standby with every commit: whoever does not wait for it does not see the last one. */
const LATE_MS = 15

interface Server {
  readonly app: FastifyInstance
  readonly database: Database
}

describe('a list that a standby serves', () => {
  let cluster: TestCluster
  let standby: TestStandby
  let proxy: TcpProxy
  let chains: Chains
  let servers: Server[]
  let primaryAdmin: Sql
  let standbyAdmin: Sql
  let admin: string
  let served = { standby: 0, primary: 0 }
  const count = (message: unknown) => {
    served[(message as Read).from] += 1
  }

  beforeAll(async () => {
    cluster = await createTestCluster({ synchronous_commit: 'on' })
    await cluster.createTemplate('standby', async (url) => {
      await migrate(url)
    })
    const { url } = await cluster.cloneDatabase('standby')
    standby = await cluster.addStandby({ recovery_min_apply_delay: `${LATE_MS}ms` })
    proxy = await tcpProxy(standby.urlOf(url))
    chains = await connectChains([{ chainId: undefined, urls: [inject('rpcUrl')] }], {
      timeoutMs: BUSY_MACHINE.rpcTimeoutMs,
      clock: systemClock,
    })
    servers = [1, 2].map(() => {
      const database = createDatabase({
        url,
        readUrl: proxy.url,
        poolSize: 8,
        applicationName: 'standby-test',
        ...BUSY_MACHINE.database,
      })
      const log = createLog({ level: 'silent' })
      return { database, app: createApp({ log, clock: systemClock, random: systemRandom, database, chains }) }
    })
    await Promise.all(servers.map(({ app }) => app.ready()))
    primaryAdmin = postgres(cluster.superuserUrl, { max: 1, onnotice: () => undefined })
    standbyAdmin = postgres(standby.superuserUrl, { max: 1, onnotice: () => undefined })
    const operator = createOperatorService(at(0).database, { clock: systemClock, random: systemRandom })
    const created = await operator.createInstance({
      name: 'standby',
      chainId: chains.all[0]?.chainId ?? 0,
      environment: 'DEVELOPMENT',
      services: ['external-tokens'],
    })
    admin = created.apiKey
    reads.subscribe(count)
  })
  afterAll(async () => {
    reads.unsubscribe(count)
    await Promise.all(servers.map(({ app }) => app.close()))
    await Promise.all(servers.map(({ database }) => database.close()))
    await Promise.all([chains.close(), primaryAdmin.end(), standbyAdmin.end({ timeout: 1 }), proxy.stop()])
    await cluster.stop()
  })
  beforeEach(() => {
    served = { standby: 0, primary: 0 }
  })

  function at(index: number): Server {
    const server = servers[index % servers.length]
    if (!server) throw new Error('there is no such server')
    return server
  }
  async function call(index: number, method: 'GET' | 'POST' | 'DELETE', path: string, key = admin, body?: object) {
    const response = await at(index).app.inject({
      method,
      url: path,
      headers: { 'x-api-key': key },
      ...(body ? { payload: body } : {}),
    })
    return { status: response.statusCode, data: response.json().data }
  }
  const createKey = async (index: number, name: string): Promise<{ keyId: string; apiKey: string }> =>
    (await call(index, 'POST', KEYS, admin, { name, scopes: ['access:read'] })).data
  const revoke = (index: number, keyId: string) => call(index, 'DELETE', `${KEYS}/${keyId}`)
  async function activeNames(index: number): Promise<string[]> {
    const { status, data } = await call(index, 'GET', KEYS)
    expect(status).toBe(200)
    return data.filter((one: { status: string }) => one.status === 'ACTIVE').map(({ name }: { name: string }) => name)
  }
  /** One that was away or behind is left alone for a second. */
  const fromStandbyAgain = () =>
    expect
      .poll(async () => {
        const before = served.standby
        await activeNames(0)
        await activeNames(1)
        return served.standby - before
      })
      .toBe(2)
  async function pauseReplay(): Promise<void> {
    await standbyAdmin`select pg_wal_replay_pause()`
    await expect
      .poll(async () => (await standbyAdmin`select pg_get_wal_replay_pause_state() as state`)[0]?.state)
      .toBe('paused')
  }

  it('shows what another server was told a moment ago, each time', async () => {
    for (let round = 0; round < 8; round++) {
      const { keyId, apiKey } = await createKey(round, `key ${round}`)
      expect(await activeNames(round + 1)).toContain(`key ${round}`)
      // The other one knows the key from now on.
      expect((await call(round + 1, 'GET', KEYS, apiKey)).status).toBe(200)
      await revoke(round, keyId)
      expect(await activeNames(round + 1)).not.toContain(`key ${round}`)
      expect((await call(round + 1, 'GET', KEYS, apiKey)).status).toBe(401)
    }
    expect(served.standby).toBeGreaterThan(0)
  })

  // Again where the machine was too busy for a standby to be heard in time.
  it('is served by one that has everything, also when the log ends where a segment does', { retry: 3 }, async () => {
    await fromStandbyAgain()
    await primaryAdmin`select pg_switch_wal()`
    const [end] = await primaryAdmin<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`
    await expect
      .poll(
        async () => standbyAdmin`select from (select pg_last_wal_replay_lsn() as lsn) a where lsn >= ${end?.lsn ?? ''}`,
      )
      .toHaveLength(1)
    const before = served.standby
    await activeNames(0)
    await activeNames(1)
    expect(served.standby - before).toBe(2)
  })

  it('comes from the primary while the standby stands still: rows are seen and revoked keys refused at once', async () => {
    await fromStandbyAgain()
    const old = await createKey(0, 'old')
    expect((await call(1, 'GET', KEYS, old.apiKey)).status).toBe(200)
    await pauseReplay()
    served = { standby: 0, primary: 0 }
    await createKey(0, 'new')
    await revoke(0, old.keyId)
    expect((await call(1, 'GET', KEYS, old.apiKey)).status).toBe(401)
    expect(await Promise.all([activeNames(0), activeNames(1)])).toEqual([
      expect.arrayContaining(['new']),
      expect.arrayContaining(['new']),
    ])
    expect(served.standby).toBe(0)
    expect(served.primary).toBeGreaterThanOrEqual(2)
    await standbyAdmin`select pg_wal_replay_resume()`
    await fromStandbyAgain()
  })

  it('is answered while the standby says nothing, and while nobody is there', async () => {
    await fromStandbyAgain()
    proxy.delay(600_000)
    expect(await activeNames(0)).toContain('new')
    await proxy.cut()
    proxy.delay(0)
    expect(await activeNames(1)).toContain('new')
    await proxy.restore()
    await fromStandbyAgain()
  })

  it('does not come from a server that has taken another way, however far it got', async () => {
    await fromStandbyAgain()
    await standbyAdmin`select pg_promote()`
    for (const _ of [1, 2, 3]) {
      await standbyAdmin`select pg_logical_emit_message(true, 'test', 'own way')`
      await standbyAdmin`select pg_switch_wal()`
    }
    await createKey(0, 'after the fork')
    served = { standby: 0, primary: 0 }
    for (const index of [0, 1]) expect(await activeNames(index)).toContain('after the fork')
    expect(served).toEqual({ standby: 0, primary: 2 })
  })

  it('goes on when the standby is killed', async () => {
    await standby.kill9()
    await createKey(0, 'without standby')
    for (const index of [0, 1]) expect(await activeNames(index)).toContain('without standby')
  })
})

describe('a shared question', () => {
  it('is asked after whoever gets its answer came, and once for all who wait', async () => {
    const answers: ((value: number) => void)[] = []
    const ask = createShared(() => new Promise<number>((resolve) => answers.push(resolve)))
    const first = [ask(), ask()]
    await Promise.resolve()
    const later = [ask(), ask(), ask()]
    expect(answers).toHaveLength(1)
    answers[0]?.(1)
    expect(await Promise.all(first)).toEqual([1, 1])
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.(2)
    expect(await Promise.all(later)).toEqual([2, 2, 2])
  })
})
