import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql as Connection } from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectSuperuser } from '../../../test/superuser.ts'
import { createWorld, type World } from '../../../test/world.ts'
import { DatabaseUnavailableError, type Sql } from './database.ts'

const insertInstance = (sql: Sql, name: string) => sql`
  insert into instances (instance_id, name, chain_id, environment, services, created_at)
  values (gen_random_uuid(), ${name}, 31337, 'DEVELOPMENT', '{}', now())`

describe('a transaction whose connection breaks', () => {
  let world: World
  let admin: Connection

  beforeAll(async () => {
    // One connection for transactions, so that the next one takes the place of the broken one.
    world = await createWorld({ poolSize: 1 })
    admin = connectSuperuser(world.databaseUrl)
  })
  afterAll(async () => {
    await admin.end()
    await world.close()
  })

  async function breakConnection(sql: Sql): Promise<void> {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    await admin`select pg_terminate_backend(${row?.pid ?? 0})`
    await sleep(100)
  }
  const names = async () =>
    (await world.operator.listInstances()).map(({ name }) => name).filter((name) => name.startsWith('lost '))

  it('fails as unavailable at its next statement, and the next transaction works', async () => {
    for (let round = 1; round <= 3; round++) {
      const broken = world.database.as('tally_operator', async (sql) => {
        await breakConnection(sql)
        await sql`select 1`
      })
      await expect(broken).rejects.toThrow(DatabaseUnavailableError)
    }
    expect(await names()).toEqual([])
  })

  it('fails as unavailable when only its commit was left', async () => {
    const broken = world.database.as('tally_operator', async (sql) => {
      await insertInstance(sql, 'lost at commit')
      await breakConnection(sql)
    })
    await expect(broken).rejects.toThrow(DatabaseUnavailableError)
    expect(await names()).not.toContain('lost at commit')
  })

  it('fails as unavailable when it breaks during a statement', async () => {
    const broken = world.database.as('tally_operator', async (sql) => {
      const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
      const sleeping = sql`select pg_sleep(10)`.execute()
      await sleep(50)
      // Awaited together: the statement may fail before the answer to the termination arrives.
      await Promise.all([sleeping, admin`select pg_terminate_backend(${row?.pid ?? 0})`])
    })
    await expect(broken).rejects.toThrow(DatabaseUnavailableError)
  })

  it('neither writes into nor undoes the transaction that took its place', async () => {
    let replace = () => {}
    const replaced = new Promise<void>((resolve) => {
      replace = resolve
    })
    const broken = world.database.as('tally_operator', async (sql) => {
      await breakConnection(sql)
      replace()
      await sleep(200)
      await insertInstance(sql, 'lost and late')
    })
    const refused = expect(broken).rejects.toThrow(DatabaseUnavailableError)
    await replaced
    await world.database.as('tally_operator', async (sql) => {
      await insertInstance(sql, 'lost successor')
      await refused
    })
    expect(await names()).toEqual(['lost successor'])
  })

  it('is not the same as a statement that failed: that one rolls back and leaves the connection usable', async () => {
    const refused = world.database.as('tally_operator', async (sql) => {
      await insertInstance(sql, 'lost to an error')
      await sql`select 1 / 0`
    })
    await expect(refused).rejects.toThrow('division by zero')
    const swallowed = world.database.as('tally_operator', async (sql) => {
      await insertInstance(sql, 'lost to a swallowed error')
      await sql`select 1 / 0`.catch(() => {})
    })
    await expect(swallowed).rejects.toThrow('cannot be committed')
    expect(await names()).not.toContain('lost to an error')
    expect(await names()).not.toContain('lost to a swallowed error')
  })

  it('can take a failed statement back to a savepoint and still commit', async () => {
    await world.database.as('tally_operator', async (sql) => {
      await insertInstance(sql, 'lost nothing')
      await sql`savepoint here`
      await sql`select 1 / 0`.catch(() => {})
      await sql`rollback to savepoint here`
    })
    expect(await names()).toContain('lost nothing')
  })
})

describe('a read whose connection breaks', () => {
  it('answers all rows or fails as unavailable, but never answers fewer and never hangs', async () => {
    const world = await createWorld({ poolSize: 3 })
    const admin = connectSuperuser(world.databaseUrl)
    const { instanceId, apiKey } = await world.createInstance()
    const [, ref = ''] = apiKey.split('_')
    const [found] = await world.database.lookUp((sql) => sql`select * from tally_find_key(${ref})`)
    const tenant = world.database.tenant({
      instanceId,
      instanceEpoch: found?.instance_epoch as bigint,
      keyId: found?.key_id as string,
      keyEpoch: found?.key_epoch as bigint,
    })
    const outcomes = { whole: 0, unavailable: 0 }
    async function readOnce(): Promise<void> {
      try {
        expect(await tenant.read((sql) => sql`select name from instances`)).toHaveLength(1)
        outcomes.whole += 1
      } catch (error) {
        expect(error).toBeInstanceOf(DatabaseUnavailableError)
        outcomes.unavailable += 1
      }
    }
    for (let round = 1; round <= 40; round++) {
      const reads = Array.from({ length: 12 }, readOnce)
      if (round % 2 === 0) await sleep(round % 7)
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tally-test' and datname = current_database()`
      await Promise.all([...reads, readOnce()])
    }
    expect(outcomes.whole).toBeGreaterThan(0)
    expect(outcomes.unavailable).toBeGreaterThan(0)
    await admin.end()
    await world.close()
  })
})
