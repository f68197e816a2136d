import { setTimeout as sleep } from 'node:timers/promises'
import { createTestCluster, type TestCluster } from '@tallystick/testkit'
import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDatabase, type Database, DatabaseBusyError, DatabaseUnavailableError } from './database.ts'
import { migrate } from './migrate.ts'

const STATEMENT_MS = 1_000
const instance = '00000000-0000-4000-8000-000000000001'

describe('a commit that waits for a standby', () => {
  let cluster: TestCluster
  let admin: Sql
  let probe: Sql
  let database: Database

  beforeAll(async () => {
    cluster = await createTestCluster({ synchronous_commit: 'on' })
    await cluster.createTemplate('unsure', async (url) => {
      await migrate(url)
    })
    const { url } = await cluster.cloneDatabase('unsure')
    const adminUrl = Object.assign(new URL(cluster.superuserUrl), { pathname: new URL(url).pathname }).href
    // The superuser does not wait for anybody.
    admin = postgres(adminUrl, { max: 1, onnotice: () => {}, connection: { synchronous_commit: 'local' } })
    const patience = { statementMs: STATEMENT_MS, lockMs: 200, venueMs: STATEMENT_MS, jobMs: STATEMENT_MS }
    database = createDatabase({ url, poolSize: 4, applicationName: 'unsure', patience })
    probe = postgres(adminUrl, { max: 1, onnotice: () => {} })
    await admin`create table probed (at timestamptz)`
    await admin`create table kept (name text)`
    await admin`grant all on kept to tally_operator, tally_lane`
  })
  afterAll(async () => {
    await database.close()
    await Promise.all([admin.end(), probe.end()])
    await cluster.stop()
  })

  async function setStandby(name: string): Promise<void> {
    await admin.unsafe(`alter system set synchronous_standby_names = '${name}'`)
    await admin`select pg_reload_conf()`
    await expect
      .poll(async () => (await admin`show synchronous_standby_names`)[0]?.synchronous_standby_names)
      .toBe(name)
    // One process of the server tells all others, a moment later: until then commits do not wait.
    if (name !== '') while (!(await doesWait())) await sleep(10)
  }
  async function doesWait(): Promise<boolean> {
    let isWritten = false
    const writing = probe`insert into probed values (now())`.then(() => {
      isWritten = true
    })
    while (!isWritten) {
      const [held] = await waiting()
      if (held) {
        await admin`select pg_cancel_backend(${held.pid})`
        await writing
        return true
      }
      await sleep(10)
    }
    return false
  }
  const waiting = () => admin<{ pid: number }[]>`select pid from pg_stat_activity where wait_event = 'SyncRep'`
  const names = async () => (await admin`select name from kept order by name`).map(({ name }) => name)

  const writers = {
    'a transaction': (name: string) =>
      database.as('tally_operator', async (sql) => void (await sql`insert into kept values (${name})`)),
    // Open for longer than the database allows, which must not count at the commit.
    'a transaction of the venue': (name: string) =>
      database.as('tally_lane', async (sql) => void (await sql`insert into kept values (${name})`)),
    'a journal': async (name: string) =>
      void (await database.lane(instance).run((sql) => sql`insert into kept values (${name})`)),
  }

  for (const [what, write] of Object.entries(writers)) {
    it(`is not called done when ${what} is out of time, and nobody sees it before the standby has it`, async () => {
      await setStandby('nobody')
      const written = write(`${what}, patient`).then(
        () => 'done',
        (error: unknown) => error,
      )
      await expect.poll(async () => (await waiting()).length).toBe(1)
      // Longer than a statement may take, shorter than a transaction.
      const early = await Promise.race([written, sleep(STATEMENT_MS * 1.3, 'still waiting')])
      expect([early, (await waiting()).length, await names()]).toEqual(['still waiting', 1, []])
      await setStandby('')
      expect(await written).toBe('done')
      expect(await names()).toEqual([`${what}, patient`])
      await admin`truncate kept`
    })

    it(`is unknown when no standby comes while ${what} may take, and its connection is free again`, async () => {
      await setStandby('nobody')
      const begun = Date.now()
      // As many as there are connections, and more.
      const written = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          write(`${what}, given up ${index}`).then(
            () => 'done',
            (error: unknown) => error,
          ),
        ),
      )
      expect(written.every((one) => one instanceof DatabaseUnavailableError || one instanceof DatabaseBusyError)).toBe(
        true,
      )
      expect(written.some((one) => one instanceof DatabaseUnavailableError)).toBe(true)
      expect(Date.now() - begun).toBeLessThan(STATEMENT_MS * 100)
      await setStandby('')
      // Again where a busy machine took longer than the short time that a transaction has here.
      await vi.waitFor(() => write('after'), { timeout: 60_000 })
      expect(await names()).toContain('after')
      await admin`truncate kept`
    })

    it(`is unknown when somebody cancels the wait of ${what}, although PostgreSQL says that it is done`, async () => {
      await setStandby('nobody')
      const written = write(`${what}, cancelled`).then(
        () => 'done',
        (error: unknown) => error,
      )
      await expect.poll(async () => (await waiting()).length).toBe(1)
      const [{ pid } = { pid: 0 }] = await waiting()
      await admin`select pg_cancel_backend(${pid})`
      expect(await written).toBeInstanceOf(DatabaseUnavailableError)
      await setStandby('')
      // Again where a busy machine took longer than the short time that a transaction has here.
      await vi.waitFor(() => write('after'), { timeout: 60_000 })
      expect(await names()).toContain('after')
      await admin`truncate kept`
    })
  }
})
