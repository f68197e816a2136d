import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { actAs, Grant } from '../src/platform/db/database.ts'
import { contract, fillChain, fillRegister, fillTenant } from './policy-rows.ts'
import { connectSuperuser } from './superuser.ts'
import { createWorld, type TestInstance, type World } from './world.ts'

const FORBIDDEN = { code: '42501' }

/** Row-level security alone must keep rows apart: no query here has a `where` that would. */
describe('the policies of the database', () => {
  let world: World
  let superuser: Sql
  let mine: TestInstance
  let theirs: TestInstance
  const units = [randomUUID(), randomUUID()] as const

  beforeAll(async () => {
    world = await createWorld({ poolSize: 2 })
    superuser = connectSuperuser(world.databaseUrl)
    mine = await world.createInstance()
    theirs = await world.createInstance()
    for (const [index, { instanceId }] of [mine, theirs].entries())
      await fillTenant(superuser, instanceId, contract(String(index)))
    await fillChain(superuser)
    await fillRegister(superuser)
    // As migrations do it: the owner creates the table, then classes it.
    const owner = world.database.owner
    await owner`create table venue_private (unit_id uuid not null, note text not null)`
    await owner`select tally_venue_table('venue_private')`
    await owner`create table venue_public (unit_id uuid not null, instance_id uuid not null, note text not null)`
    await owner`select tally_venue_table('venue_public', 'instance_id = tally_instance()')`
    for (const [index, unit] of units.entries()) {
      await superuser`insert into venue_private values (${unit}, ${`unit ${index}`})`
      for (const { instanceId } of [mine, theirs])
        await superuser`insert into venue_public values (${unit}, ${instanceId}, 'x')`
    }
  })
  afterAll(async () => {
    await superuser.end()
    await world.close()
  })

  async function grantOf({ instanceId }: TestInstance): Promise<Grant> {
    const [row] = await superuser`
      select key_id, k.epoch as key_epoch, i.epoch as instance_epoch from api_keys k join instances i using (instance_id)
      where instance_id = ${instanceId} order by k.created_at limit 1`
    const epochs = { keyEpoch: BigInt(row?.key_epoch), instanceEpoch: BigInt(row?.instance_epoch) }
    return { keyId: row?.key_id, instanceId, ...epochs }
  }
  const tenant = async (instance: TestInstance) => world.database.tenant(await grantOf(instance))
  const tables = async (condition: string): Promise<string[]> => {
    const rows = await superuser.unsafe(`
      select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations' and ${condition} order by 1`)
    return rows.map(({ relname }) => relname as string)
  }
  const withInstance = `exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'instance_id' and not a.attisdropped)`
  const readableBy = (role: string) => `has_table_privilege('${role}', c.oid, 'select')`

  it('are enabled and forced on every table', async () => {
    expect(await tables('not (c.relrowsecurity and c.relforcerowsecurity)')).toEqual([])
    expect((await tables('true')).length).toBeGreaterThan(14)
  })

  it('bind every role that this product uses: none is a superuser, bypasses them, or can log in by itself', async () => {
    const roles = await superuser`
      select rolname, rolsuper or rolbypassrls or rolcreatedb or rolcreaterole or rolreplication as mighty, rolcanlogin, rolinherit
      from pg_roles where rolname like 'tally\\_%' order by 1`
    expect([...roles]).toEqual(
      ['api', 'auth', 'chain', 'lane', 'operator', 'register', 'relayer', 'venue'].map((name) => ({
        rolname: `tally_${name}`,
        mighty: false,
        rolcanlogin: false,
        rolinherit: false,
      })),
    )
    const [owner] = await world.database.owner`
      select rolsuper or rolbypassrls as mighty from pg_roles where rolname = current_user`
    expect(owner).toEqual({ mighty: false })
  })

  it('show the owner of the tables nothing until it takes a role', async () => {
    for (const table of await tables('true')) {
      const [row] = await world.database.owner.unsafe(`select count(*)::int as seen from ${table}`)
      expect([table, row?.seen]).toEqual([table, 0])
    }
  })

  it('let functions run as somebody else only as tally_auth, for nobody but tally_api, with a fixed search path', async () => {
    const functions = await superuser`
      select p.proname, r.rolname as owner, p.proconfig, has_function_privilege('tally_api', p.oid, 'execute') as api,
             (select array_agg(other) from unnest(array['tally_chain', 'tally_venue', 'tally_register', 'tally_relayer', 'tally_operator', 'public']) other
              where has_function_privilege(other, p.oid, 'execute')) as others
      from pg_proc p join pg_roles r on r.oid = p.proowner join pg_namespace n on n.oid = p.pronamespace
      where p.prosecdef and n.nspname = 'public' order by 1`
    expect(functions.map(({ proname }) => proname)).toEqual([
      'tally_enter',
      'tally_enter_register',
      'tally_find_key',
      'tally_find_key_of_gone_instance',
      'tally_find_register_key',
      'tally_stale_keys',
    ])
    const keepsItsPlan = (name: string) => name === 'tally_stale_keys'
    for (const one of functions)
      expect(one).toMatchObject({
        owner: 'tally_auth',
        api: true,
        others: null,
        proconfig: [
          'search_path=public, pg_temp',
          ...(keepsItsPlan(one.proname) ? ['plan_cache_mode=force_generic_plan'] : []),
        ],
      })
    const [auth] = await superuser`select has_schema_privilege('tally_auth', 'public', 'create') as may_create`
    expect(auth).toEqual({ may_create: false })
  })

  describe('on tenant rows', () => {
    it('show an instance its own rows in every table, and no others', async () => {
      const database = await tenant(mine)
      const searched = await tables(`${withInstance} and ${readableBy('tally_api')}`)
      expect(searched).toEqual(
        expect.arrayContaining(['api_keys', 'instances', 'token_imports', 'recordings', 'wallets']),
      )
      for (const table of searched) {
        const owners = await database.transaction(async (sql) => [
          ...(await sql.unsafe(`select distinct instance_id from ${table}`)),
        ])
        expect([table, owners]).toEqual([table, [{ instance_id: mine.instanceId }]])
        const read = await database.read((sql) => sql.unsafe(`select distinct instance_id from ${table}`))
        expect([table, ...read]).toEqual([table, { instance_id: mine.instanceId }])
      }
    })

    it('refuse loudly to write a row of another instance, or to give one away', async () => {
      const database = await tenant(mine)
      const writable = await tables(`${withInstance} and has_table_privilege('tally_api', c.oid, 'update')`)
      expect(writable.length).toBeGreaterThan(6)
      for (const table of writable) {
        const giveAway = database.transaction((sql) =>
          sql.unsafe(`update ${table} set instance_id = '${theirs.instanceId}'`),
        )
        await expect(giveAway, table).rejects.toMatchObject(FORBIDDEN)
        // A generated column cannot be copied; its table had its turn above.
        if (table === 'token_imports') continue
        const copy = `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('instance_id', '${theirs.instanceId}'))).* from ${table} t`
        await expect(
          database.transaction((sql) => sql.unsafe(copy)),
          table,
        ).rejects.toMatchObject(FORBIDDEN)
      }
      const foreign = database.transaction(
        (sql) => sql`insert into wallets values (${theirs.instanceId}, ${contract('3')}, null, false, 'EIP191', now())`,
      )
      await expect(foreign).rejects.toMatchObject(FORBIDDEN)
    })

    it('let no update or delete without a condition touch another instance', async () => {
      const database = await tenant(mine)
      const undo = new Error('undo')
      const changed = database.transaction(async (sql) => {
        expect((await sql`update wallets set label = 'x'`).count).toBe(1)
        expect((await sql`delete from wallets`).count).toBe(1)
        expect((await sql`delete from token_imports`).count).toBe(1)
        throw undo
      })
      await expect(changed).rejects.toBe(undo)
    })

    it('let an instance change nothing about itself or about register keys', async () => {
      const database = await tenant(mine)
      for (const text of [
        `update instances set lender_approved = true`,
        `insert into instances select * from instances`,
        `delete from instances`,
        `select * from register_keys`,
        `select * from schema_migrations`,
      ])
        await expect(
          database.transaction((sql) => sql.unsafe(text)),
          text,
        ).rejects.toMatchObject(FORBIDDEN)
    })

    it('show tally_api nothing at all before it has entered', async () => {
      for (const table of await tables(`${withInstance} and ${readableBy('tally_api')}`)) {
        const rows = await world.database.lookUp((sql) => sql.unsafe(`select * from ${table}`))
        expect([table, rows.length]).toEqual([table, 0])
      }
    })

    it('do not let anybody enter with a key that is not true any more', async () => {
      const grant = await grantOf(mine)
      const other = await grantOf(theirs)
      for (const wrong of [
        { ...grant, keyEpoch: grant.keyEpoch + 1n },
        { ...grant, instanceEpoch: grant.instanceEpoch - 1n },
        { ...grant, instanceId: theirs.instanceId },
        { ...grant, instanceId: theirs.instanceId, instanceEpoch: other.instanceEpoch },
        { ...grant, keyId: randomUUID() },
      ]) {
        const database = world.database.tenant(wrong)
        await expect(database.read((sql) => sql`select 1`)).rejects.toMatchObject({ name: 'StaleGrantError' })
        await expect(database.transaction((sql) => sql`select 1`)).rejects.toMatchObject({ name: 'StaleGrantError' })
      }
    })
  })

  describe('on chain rows', () => {
    const readable = ['chain_facts', 'chain_logs', 'chain_notices'] as const

    it('show an instance the facts of contracts it has access to, and no others', async () => {
      const database = await tenant(mine)
      for (const table of readable) {
        const column = table === 'chain_logs' ? 'address' : 'subject'
        const rows = await database.read((sql) => sql.unsafe(`select ${column} as contract from ${table}`))
        expect([table, ...rows]).toEqual([table, { contract: contract('0') }])
      }
      const live = await database.read((sql) => sql`select subject from chain_live_facts`)
      expect([...live]).toEqual([{ subject: contract('0') }])
    })

    it('do not let tally_api write any of them', async () => {
      const database = await tenant(mine)
      const chainTables = await tables(`has_table_privilege('tally_chain', c.oid, 'delete') and not ${withInstance}`)
      expect(chainTables).toEqual(
        expect.arrayContaining([...readable, 'chain_blocks', 'chain_cursors', 'watched_contracts']),
      )
      for (const table of [...chainTables, 'deployed_contracts']) {
        for (const text of [
          `insert into ${table} default values`,
          `update ${table} set chain_id = 1`,
          `delete from ${table}`,
        ])
          await expect(
            database.transaction((sql) => sql.unsafe(text)),
            text,
          ).rejects.toMatchObject(FORBIDDEN)
      }
    })

    it('give tally_chain all facts but no keys, wallets or tokens of anybody', async () => {
      const [row] = await world.database.as('tally_chain', (sql) => sql`select count(*)::int as seen from chain_facts`)
      expect(row).toEqual({ seen: 2 })
      const reach = await tables(`${readableBy('tally_chain')} and ${withInstance}`)
      expect(reach).toEqual(['contract_access', 'recordings'])
    })
  })

  describe('on relayer rows', () => {
    it('let an instance set limits and freeze, but neither choose a key nor hand out nonces', async () => {
      const database = await tenant(mine)
      for (const text of [
        `update relayers set keystore_file = 'mine.json'`,
        `update relayers set next_nonce = 0`,
        `insert into relayers select * from relayers`,
        `delete from relayers`,
        `update relays set nonce = 1`,
        `insert into relays select * from relays`,
        `delete from relays`,
        `update relay_attempts set raw = '0x00'`,
        `delete from relay_attempts`,
      ])
        await expect(
          database.transaction((sql) => sql.unsafe(text)),
          text,
        ).rejects.toMatchObject(FORBIDDEN)
      const changed = await database.transaction((sql) => sql`update relayers set frozen_at = now()`)
      expect(changed.count).toBe(1)
    })

    it('give tally_relayer the relayers of all instances and nothing else', async () => {
      expect(await tables(readableBy('tally_relayer'))).toEqual(['relay_attempts', 'relayers', 'relays'])
      const [row] = await world.database.as('tally_relayer', (sql) => sql`select count(*)::int as seen from relayers`)
      expect(row).toEqual({ seen: 2 })
    })
  })

  describe('on register rows', () => {
    const registerTables = () => tables(`c.relname like 'register\\_%' and c.relname <> 'register_keys'`)

    it('show them to every instance, which can write none', async () => {
      const database = await tenant(mine)
      expect(await registerTables()).toContain('register_entities')
      for (const table of await registerTables()) {
        const rows = await database.read((sql) => sql.unsafe(`select count(*)::int as seen from ${table}`))
        expect([table, ...rows]).toEqual([table, { seen: 1 }])
        for (const text of [`insert into ${table} select * from ${table}`, `delete from ${table}`])
          await expect(
            database.transaction((sql) => sql.unsafe(text)),
            text,
          ).rejects.toMatchObject(FORBIDDEN)
      }
    })

    it('let tally_register write them and see nothing else', async () => {
      const reach = await tables(`${readableBy('tally_register')}`)
      expect(reach).toEqual(await registerTables())
      expect(await tables(`${readableBy('tally_chain')} and c.relname like 'register%'`)).toEqual([])
      const count = await world.database.as(
        'tally_register',
        async (sql) => (await sql`update register_entities set comments = 'x'`).count,
      )
      expect(count).toBe(1)
    })

    it('open to a register key only while it is good', async () => {
      const { keyId } = await world.operator.createRegisterKey('policies')
      const shared = world.database.shared(keyId)
      expect(await shared.read((sql) => sql`select 1 from register_entities`)).toHaveLength(1)
      expect(await shared.read((sql) => sql`select 1 from wallets`)).toHaveLength(0)
      await superuser`update register_keys set status = 'REVOKED' where key_id = ${keyId}`
      await expect(shared.read((sql) => sql`select 1`)).rejects.toMatchObject({ name: 'StaleGrantError' })
    })
  })

  describe('on venue rows', () => {
    const asUnit = <T>(unit: string, work: (sql: Parameters<typeof actAs>[0]) => Promise<T>) =>
      world.database.as('tally_venue', async (sql) => {
        await sql`select set_config('tally.unit_id', ${unit}, true)`
        return work(sql)
      })

    it('show a matching unit its own rows, and nothing without a unit', async () => {
      const seen = await asUnit(units[0], async (sql) => [...(await sql`select distinct unit_id from venue_private`)])
      expect(seen).toEqual([{ unit_id: units[0] }])
      const none = await world.database.as('tally_venue', (sql) => sql`select * from venue_private`)
      expect(none).toHaveLength(0)
    })

    it('refuse loudly to write a row of another unit, or to give one away', async () => {
      const insert = asUnit(units[0], (sql) => sql`insert into venue_private values (${units[1]}, 'x')`)
      await expect(insert).rejects.toMatchObject(FORBIDDEN)
      const update = asUnit(units[0], (sql) => sql`update venue_private set unit_id = ${units[1]}`)
      await expect(update).rejects.toMatchObject(FORBIDDEN)
      const count = await asUnit(units[0], async (sql) => (await sql`update venue_private set note = 'own'`).count)
      expect(count).toBe(1)
    })

    it('show instances what the table says they may read, which they can never write', async () => {
      const database = await tenant(mine)
      const rows = await database.read((sql) => sql`select distinct instance_id from venue_public`)
      expect([...rows]).toEqual([{ instance_id: mine.instanceId }])
      for (const text of [
        `select * from venue_private`,
        `insert into venue_public values ('${units[0]}', '${mine.instanceId}', 'x')`,
        `update venue_public set note = 'x'`,
        `delete from venue_public`,
      ])
        await expect(
          database.transaction((sql) => sql.unsafe(text)),
          text,
        ).rejects.toMatchObject(FORBIDDEN)
    })
  })

  describe('on the rows of lanes', () => {
    const LANE_TABLES = ['lanes', 'lane_projections', 'lane_groups']
    const inLane = <T>(laneId: string, work: (sql: Parameters<typeof actAs>[0]) => Promise<T>) =>
      world.database.as('tally_lane', async (sql) => {
        await sql`select set_config('tally.lane', ${laneId}, true)`
        return work(sql)
      })

    it('show a lane its own, and what its groups lead to; nothing without a lane', async () => {
      const tablesOfLane = await tables(readableBy('tally_lane'))
      expect(tablesOfLane).toEqual(
        expect.arrayContaining([...LANE_TABLES, 'ledger_balances', 'orders', 'unit_entries']),
      )
      for (const table of LANE_TABLES) {
        const seen = await inLane(mine.instanceId, (sql) => sql.unsafe(`select distinct lane_id from ${table}`))
        expect([table, ...seen]).toEqual([table, { lane_id: mine.instanceId }])
      }
      for (const table of tablesOfLane) {
        const none = await world.database.as('tally_lane', (sql) => sql.unsafe(`select 1 from ${table}`))
        expect([table, none.length]).toEqual([table, 0])
      }
      for (const table of [
        'orders',
        'ledger_balances',
        'ledger_entries',
        'client_order_ids',
        'trading_accounts',
        'order_books',
      ]) {
        const seen = await inLane(mine.instanceId, (sql) => sql.unsafe(`select distinct instance_id from ${table}`))
        expect([table, ...seen]).toEqual([table, { instance_id: mine.instanceId }])
      }
    })

    it('let nobody else see or write them', async () => {
      const database = await tenant(mine)
      for (const table of LANE_TABLES)
        for (const text of [`select * from ${table}`, `delete from ${table}`])
          await expect(
            database.transaction((sql) => sql.unsafe(text)),
            text,
          ).rejects.toMatchObject(FORBIDDEN)
    })

    it('refuse a balance, a token or a customer that is written without having entered the lane', async () => {
      const database = await tenant(mine)
      for (const text of [
        `update ledger_balances set available = available + 1`,
        `update ledger_tokens set symbol = 'x'`,
        `update trading_accounts set is_market_maker = true where holder like 'offchain:%'`,
      ]) {
        await expect(
          database.transaction((sql) => sql.unsafe(text)),
          text,
        ).rejects.toMatchObject(FORBIDDEN)
        const entered = await database.transaction(async (sql) => {
          await sql`select set_config('tally.lane', ${mine.instanceId}, true)`
          return (await sql.unsafe(text)).count
        })
        expect([text, entered]).toEqual([text, 1])
      }
    })
  })

  describe('on a connection that serves one after the other', () => {
    const settings = (sql: Parameters<typeof actAs>[0]) => sql<{ role: string; instance: string; unit: string }[]>`
      select current_user as role, coalesce(current_setting('tally.instance_id', true), '') as instance,
             coalesce(current_setting('tally.unit_id', true), '') as unit`

    it('leave no role and no instance behind, whether a transaction commits, fails or is refused', async () => {
      const database = await tenant(mine)
      const refused = world.database.tenant({ ...(await grantOf(mine)), keyEpoch: 99n })
      const steps = [
        () => database.transaction((sql) => sql`select 1`),
        () => database.transaction((sql) => sql`select 1 / 0`),
        () => refused.transaction((sql) => sql`select 1`),
        () => world.database.as('tally_venue', (sql) => sql`select set_config('tally.unit_id', ${units[0]}, true)`),
      ]
      for (const step of steps) {
        await step().catch(() => undefined)
        // With two connections in all, one serves the transactions.
        const [left] = await world.database.as('tally_chain', settings)
        expect(left).toEqual({ role: 'tally_chain', instance: '', unit: '' })
      }
      for (const step of [() => database.read((sql) => sql`select 1`), () => refused.read((sql) => sql`select 1`)]) {
        await step().catch(() => undefined)
        const [left] = await world.database.lookUp(settings)
        expect(left).toEqual({ role: 'tally_api', instance: '', unit: '' })
      }
    })

    it('never mix instances up when their reads travel together, some of them refused or failing', async () => {
      const [one, other] = [await tenant(mine), await tenant(theirs)]
      const refused = world.database.tenant({ ...(await grantOf(mine)), keyEpoch: 99n })
      const ask = (database: typeof one) => database.read((sql) => sql`select instance_id from wallets`)
      const asked = Array.from({ length: 200 }, async (_, turn) => {
        if (turn % 7 === 3) return expect(ask(refused)).rejects.toMatchObject({ name: 'StaleGrantError' })
        if (turn % 7 === 5) return expect(one.read((sql) => sql`select 1 / 0`)).rejects.toMatchObject({ code: '22012' })
        if (turn % 7 === 6)
          return expect(world.database.lookUp((sql) => sql`select * from wallets`)).resolves.toEqual([])
        const [database, owner] = turn % 2 === 0 ? [one, mine] : [other, theirs]
        return expect(ask(database)).resolves.toEqual([{ instance_id: owner.instanceId }])
      })
      await Promise.all(asked)
    })
  })
})
