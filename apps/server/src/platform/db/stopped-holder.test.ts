import { connect, createServer, type Server, type Socket } from 'node:net'
import { createTestCluster, type TestCluster } from '@tallystick/testkit'
import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type Database } from './database.ts'
import { migrate } from './migrate.ts'

const VENUE_MS = 4_000
const instance = '00000000-0000-4000-8000-000000000001'

/** Stands between a process and its database, and lets nothing pass any more once it saw a word: as if the process was stopped there. */
async function startFreezer(to: { port: number }) {
  let word: string | undefined
  const frozen = new Set<Socket>()
  const open = new Set<Socket>()
  const server: Server = createServer((client) => {
    const upstream = connect(to.port, '127.0.0.1')
    for (const socket of [client, upstream]) open.add(socket)
    const pass = (from: Socket, into: Socket) =>
      from.on('data', (chunk) => {
        if (frozen.has(client)) return
        if (word !== undefined && chunk.includes(word)) frozen.add(client)
        // What the process said before it stood still arrives; what it was told does not.
        if (!frozen.has(client) || from === client) into.write(chunk)
      })
    pass(client, upstream)
    pass(upstream, client)
    client.on('error', () => {}).on('close', () => frozen.has(client) || upstream.destroy())
    upstream
      .on('error', () => {})
      .on('close', () => {
        frozen.delete(client)
        client.destroy()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    freezeAt(next: string) {
      word = next
    },
    /** Whether it came to that; the next connections pass again. */
    hasFrozen(): boolean {
      if (frozen.size === 0) return false
      word = undefined
      return true
    },
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

describe('a process that is stopped while it holds a lock', () => {
  let cluster: TestCluster
  let admin: Sql
  let database: Database
  let freezer: Awaited<ReturnType<typeof startFreezer>>

  beforeAll(async () => {
    cluster = await createTestCluster()
    await cluster.createTemplate('stopped', async (url) => {
      await migrate(url)
    })
    const { url } = await cluster.cloneDatabase('stopped')
    const adminUrl = Object.assign(new URL(cluster.superuserUrl), { pathname: new URL(url).pathname }).href
    admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
    freezer = await startFreezer({ port: Number(new URL(url).port) })
    const through = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(freezer.port) }).href
    const patience = { statementMs: 60_000, lockMs: 60_000, venueMs: VENUE_MS, jobMs: 60_000 }
    // As behind a pooler: statements are not prepared.
    database = createDatabase({ url: through, directUrl: url, poolSize: 4, applicationName: 'stopped', patience })
    await admin`create table held (name text primary key, turn integer not null)`
    await admin`insert into held values ('lane', 0)`
    await admin`grant all on held to tally_lane, tally_operator`
  })
  afterAll(async () => {
    await database.close()
    await admin.end()
    await freezer.stop()
    await cluster.stop()
  })

  const open = async () =>
    (await admin`select from pg_stat_activity where application_name = 'stopped' and xact_start is not null`).length

  const holders: Record<string, (freezeAt: (word: string) => void) => Promise<unknown>> = {
    'after the statement of a journal': (freezeAt) => {
      freezeAt('UPDATE 1')
      return database.lane(instance).run((lane) => lane`update held set turn = turn + ${1} where name = 'lane'`)
    },
    'in the middle of a statement of a transaction': (freezeAt) =>
      database.as('tally_lane', async (lane) => {
        await lane`update held set turn = turn + ${1} where name = 'lane'`
        freezeAt('select turn as frozen')
        await lane`select turn as frozen from held where turn > ${0}`
      }),
    'in the middle of a statement of a request that entered a ledger': (freezeAt) =>
      database.as('tally_operator', async (request) => {
        await database.hurry(request)
        await request`update held set turn = turn + ${1} where name = 'lane'`
        freezeAt('select turn as frozen')
        await request`select turn as frozen from held where turn > ${0}`
      }),
  }

  for (const [when, hold] of Object.entries(holders))
    it(`${when} loses it`, async () => {
      const held = hold(freezer.freezeAt).catch((error: unknown) => error)
      await expect.poll(freezer.hasFrozen).toBe(true)
      expect(await open()).toBe(1)
      // Nobody else can tell that it is stopped: only the database takes the lock away.
      await expect.poll(open).toBe(0)
      await admin`update held set turn = 0 where name = 'lane'`
      expect(await held).toBeInstanceOf(Error)
    })
})
