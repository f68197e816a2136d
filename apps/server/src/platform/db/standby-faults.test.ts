import { createTestCluster, type TestCluster, type TestStandby } from '@tallystick/testkit'
import postgres, { type Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { BUSY_MACHINE } from '../../../test/busy-machine.ts'
import { createOperatorService } from '../../access/index.ts'
import { createApp } from '../../app.ts'
import { type Chains, connectChains } from '../chain/chains.ts'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { type Read, reads } from '../measure.ts'
import { systemRandom } from '../random.ts'
import { createDatabase } from './database.ts'
import { migrate } from './migrate.ts'

describe('a read that meets a fault of standbys', () => {
  let cluster: TestCluster
  let chains: Chains
  let databaseUrl: string
  let apiKey: string
  let served: Record<Read['from'], number>
  const count = (message: unknown) => {
    served[(message as Read).from] += 1
  }
  /** What a test opened, the last one first. */
  let closes: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    // What was answered is in the flushed log, which the standbys have.
    cluster = await createTestCluster({ synchronous_commit: 'on' })
    await cluster.createTemplate('standby-faults', async (url) => {
      await migrate(url)
    })
    ;({ url: databaseUrl } = await cluster.cloneDatabase('standby-faults'))
    chains = await connectChains([{ chainId: undefined, urls: [inject('rpcUrl')] }], {
      timeoutMs: BUSY_MACHINE.rpcTimeoutMs,
      clock: systemClock,
    })
    const database = createDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'standby-faults-setup' })
    const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
    const request = { name: 'faults', chainId: chains.all[0]?.chainId ?? 0, services: ['external-tokens'] as const }
    const created = await operator.createInstance({
      ...request,
      services: [...request.services],
      environment: 'DEVELOPMENT',
    })
    apiKey = created.apiKey
    await database.close()
    reads.subscribe(count)
  })
  afterAll(async () => {
    reads.unsubscribe(count)
    await chains.close()
    await cluster.stop()
  })
  beforeEach(() => {
    served = { standby: 0, primary: 0 }
  })
  afterEach(async () => {
    for (const close of closes.reverse()) await close()
    closes = []
  })

  function connect(superuserUrl: string): Sql {
    const url = Object.assign(new URL(superuserUrl), { pathname: new URL(databaseUrl).pathname })
    const sql = postgres(url.href, { max: 1, onnotice: () => undefined })
    closes.push(() => sql.end({ timeout: 1 }))
    return sql
  }

  /** A server of ours that writes to one and reads from the other. */
  async function serve(url: string, readUrl: string) {
    const given = { poolSize: 8, applicationName: 'standby-faults', ...BUSY_MACHINE.database }
    const database = createDatabase({ url, readUrl, ...given })
    const log = createLog({ level: 'silent' })
    const app = createApp({ log, clock: systemClock, random: systemRandom, database, chains })
    await app.ready()
    closes.push(async () => {
      await app.close()
      await database.close()
    })
    return async (method: 'GET' | 'POST', path: string, body?: object) => {
      const headers = { 'x-api-key': apiKey }
      const response = await app.inject({ method, url: path, headers, ...(body ? { payload: body } : {}) })
      return { status: response.statusCode, data: response.json().data }
    }
  }
  type Ask = Awaited<ReturnType<typeof serve>>

  const KEYS = '/access/api/keys'
  const namesOf = async (ask: Ask): Promise<string[]> => {
    const { status, data } = await ask('GET', KEYS)
    expect(status).toBe(200)
    return data.map(({ name }: { name: string }) => name)
  }
  const createKey = async (ask: Ask, name: string) =>
    expect(await ask('POST', KEYS, { name, scopes: ['access:read'] })).toMatchObject({ status: 200, data: { name } })
  const fromStandby = (ask: Ask) =>
    expect
      .poll(async () => {
        const before = served.standby
        await namesOf(ask)
        return served.standby - before
      })
      .toBe(1)

  it('answers from the primary what a standby cancels because it has to replay', async () => {
    const standby = await cluster.addStandby({ max_standby_streaming_delay: '0' })
    const ask = await serve(databaseUrl, standby.urlOf(databaseUrl))
    const [holder, changer] = [connect(cluster.superuserUrl), connect(cluster.superuserUrl)]
    const replica = connect(standby.superuserUrl)
    const locksOf = async (granted: boolean) =>
      replica`select mode from pg_locks where relation = 'wallets'::regclass and granted = ${granted}`
    await fromStandby(ask)

    // Whoever reads wallets waits, on the primary and on the standby, and has read the keys before.
    await holder`begin`
    await holder`lock table wallets in access exclusive mode`
    await changer`select pg_logical_emit_message(true, 'test', 'written to the disk')`
    await expect.poll(() => locksOf(true)).toEqual([{ mode: 'AccessExclusiveLock' }])
    served = { standby: 0, primary: 0 }
    const asked = ask('GET', '/access/api/wallets')
    await expect.poll(() => locksOf(false)).toEqual([{ mode: 'AccessShareLock' }])
    // The standby cannot replay this while somebody reads keys there.
    await changer`begin`
    await changer`lock table api_keys in access exclusive mode`
    await changer`commit`
    await expect.poll(() => locksOf(false)).toEqual([])
    await holder`commit`

    expect(await asked).toEqual({ status: 200, data: [] })
    expect(served).toEqual({ standby: 0, primary: 1 })
    await fromStandby(ask)
    // A connection counts what happened to it when it is used again.
    await expect
      .poll(async () => {
        await namesOf(ask)
        return replica`select confl_lock from pg_stat_database_conflicts where datname = current_database()`
      })
      .toEqual([{ confl_lock: '1' }])
  })

  it('does not believe a standby that follows the old log, and is ahead with what the new primary never had', async () => {
    const [successor, straggler]: TestStandby[] = [await cluster.addStandby(), await cluster.addStandby()]
    if (!successor || !straggler) throw new Error('no standbys')
    const old = await serve(databaseUrl, straggler.urlOf(databaseUrl))
    const [oldAdmin, newAdmin] = [connect(cluster.superuserUrl), connect(successor.superuserUrl)]
    const replica = connect(straggler.superuserUrl)
    await createKey(old, 'before the fork')
    const [fork] = await oldAdmin<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`
    const has = (sql: Sql, lsn = '') => sql`select from (select pg_last_wal_replay_lsn() as at) a where at >= ${lsn}`
    await expect.poll(() => has(newAdmin, fork?.lsn)).toHaveLength(1)
    await newAdmin`select pg_promote()`

    // The old primary has not heard of it.
    await createKey(old, 'lost with the old primary')
    for (const _ of [1, 2, 3]) {
      await oldAdmin`select pg_logical_emit_message(true, 'test', 'own way')`
      await oldAdmin`select pg_switch_wal()`
    }
    const [end] = await oldAdmin<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`
    await expect.poll(() => has(replica, end?.lsn)).toHaveLength(1)

    const ask = await serve(successor.urlOf(databaseUrl), straggler.urlOf(databaseUrl))
    await createKey(ask, 'after the fork')
    const [place] = await newAdmin`select pg_current_wal_insert_lsn() < ${end?.lsn ?? ''}::pg_lsn as "isBehind"`
    expect(place).toEqual({ isBehind: true })
    served = { standby: 0, primary: 0 }
    const names = await namesOf(ask)
    expect(names).toEqual(expect.arrayContaining(['before the fork', 'after the fork']))
    expect(names).not.toContain('lost with the old primary')
    expect(served).toEqual({ standby: 0, primary: 1 })
  })
})
