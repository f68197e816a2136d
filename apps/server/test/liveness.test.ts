import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { DatabaseUnavailableError } from '../src/platform/db/database.ts'
import { type RpcProxy, rpcProxy } from './rpc-proxy.ts'
import { createOffchainWorld, OFFCHAIN, type OffchainWorld, ONE, type TestBook } from './trading/offchain-world.ts'
import { startVenue } from './trading/venue-world.ts'
import type { TestAnswer, TestInstance } from './world.ts'

const PATIENCE = { statementMs: 3_000, lockMs: 1_000, venueMs: 1_200, jobMs: 60_000 }
/** Long enough for a slow machine to serve a neighbour ten times while others wait. */
const LONG_PATIENCE = { statementMs: 12_000, lockMs: 6_000, venueMs: 7_000, jobMs: 60_000 }
const code = ({ status, body }: TestAnswer) => (status === 200 ? 200 : body.error.code)

/** The first of two to come, by name. */
const first = (entries: Record<string, Promise<unknown>>) =>
  Promise.race(Object.entries(entries).map(([name, one]) => one.then(() => name)))

describe('a lock that somebody holds and does not let go', () => {
  let world: OffchainWorld
  let neighbour: TestInstance
  let books: TestBook[]
  let neighboursBook: TestBook

  beforeAll(async () => {
    world = await createOffchainWorld({ patience: LONG_PATIENCE })
    neighbour = await world.createInstance()
    books = []
    for (let count = 0; count < 8; count++) books.push(await world.createBook())
    for (const book of books) await book.fund('anna')
    neighboursBook = await world.createBook({}, neighbour)
    await neighboursBook.fund('bert')
  })
  afterAll(() => world.close())

  const unitOf = async (book: TestBook) => {
    const [row] = await world.superuser`select unit_id from order_books where book_id = ${book.id}`
    return row?.unit_id as string
  }

  /** As long as `meanwhile` takes. */
  const holdingLane = <T>(meanwhile: () => Promise<T>) =>
    world.superuser.begin(async (sql) => {
      await sql`select from lanes where lane_id = ${world.instance.instanceId} for update`
      return meanwhile()
    })

  it('keeps nobody from reading the book, and an order is answered instead of waiting for ever', async () => {
    const [book] = books as [TestBook]
    expect((await book.sell('anna', 40n * ONE, ONE)).status).toBe(200)
    const unitId = await unitOf(book)
    const answer = await holdingLane(async () => {
      const order = book.sell('anna', 41n * ONE, ONE)
      // A process that knows nothing of the book yet, and one whose own group waits for the lock.
      const venue = startVenue(world)
      const [depth, elsewhere] = await Promise.all([book.get('/snapshot'), venue.units.stateHash(unitId)])
      expect(depth.body.data.depth.asks).toEqual([{ price: '40000000', quantity: '1000000', orderCount: 1 }])
      expect(elsewhere).toMatch(/^(0x)?[0-9a-f]+$/)
      await venue.close()
      return order
    })
    expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([503, 'OVERLOADED', '1'])
    expect((await book.sell('anna', 41n * ONE, ONE)).status).toBe(200)
    expect((await book.get('/snapshot')).body.data.depth.asks).toHaveLength(2)
  })

  it('stalls no order and no ledger of another instance, however many wait for it', async () => {
    await holdingLane(async () => {
      const stuck = Promise.race([
        ...books.map((book) => book.sell('anna', 40n * ONE, ONE)),
        ...books.map((book) => world.credit('anna', book.base, ONE).catch(() => undefined)),
        ...books.map((book, index) => book.submit('anna', {}, { 'idempotency-key': `stuck-order-${index}` })),
      ])
      await sleep(100)
      const served = (async () => {
        for (let count = 0; count < 5; count++) {
          expect(code(await neighboursBook.sell('bert', 50n * ONE, ONE))).toBe(200)
          await world.credit('bert', neighboursBook.base, ONE, neighbour)
        }
      })()
      expect(await first({ stuck, served })).toBe('served')
    })
  })
})

describe('a process that is stopped while it holds a book', () => {
  it('loses it, notices when it wakes up, and the others go on', async () => {
    const world = await createOffchainWorld({ patience: PATIENCE })
    const book = await world.createBook()
    await book.fund('anna')
    const [row] = await world.superuser`select unit_id from order_books where book_id = ${book.id}`
    let wake: () => void = () => undefined
    const asleep = new Promise<void>((resolve) => {
      wake = resolve
    })
    let hasLock: () => void = () => undefined
    const locked = new Promise<void>((resolve) => {
      hasLock = resolve
    })
    const stopped = world.database.as('tally_venue', async (sql) => {
      await sql`select set_config('tally.unit_id', ${row?.unit_id}, true)`
      await sql`select from matching_units where unit_id = ${row?.unit_id} for update`
      hasLock()
      await asleep
      await sql`select 1`
    })
    const noticed = expect(stopped).rejects.toThrow(DatabaseUnavailableError)
    await locked
    expect(code(await book.sell('anna', 40n * ONE, ONE))).toBe(200)
    wake()
    await noticed
    await world.close()
  })
})

describe('a node that does not answer', () => {
  let world: OffchainWorld
  let proxy: RpcProxy
  let neighbour: TestInstance
  let release: () => void

  beforeAll(async () => {
    proxy = await rpcProxy(inject('rpcUrl'))
    world = await createOffchainWorld({ patience: PATIENCE, rpcUrls: [proxy.url], rpcTimeoutMs: 20_000 })
    neighbour = await world.createInstance()
  })
  afterAll(async () => {
    await world.close()
    await proxy.stop()
  })

  it('keeps nobody else from the database, however many writes with a key wait for it', async () => {
    const book = await world.createBook({}, neighbour)
    const hung = new Promise<void>((resolve) => {
      release = resolve
    })
    proxy.afterCall = () => hung
    const body = { tokenAddress: `0x${'7'.repeat(40)}`, assetType: 'BOND' }
    const asked = Array.from({ length: 64 }, (_, index) =>
      world.instance.call('POST', '/external-tokens/api/import', {
        body,
        headers: { 'idempotency-key': `hung-node-${index}` },
      }),
    )
    await sleep(200)
    const served = world.credit('bert', book.base, ONE, neighbour)
    expect(await first({ asked: Promise.race(asked), served })).toBe('served')
    // Claims may still be on their way; a transaction that waited for the node would stay.
    const idle = async () => {
      const [open] = await world.superuser`
        select count(*)::int as count from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
      return open?.count
    }
    await expect.poll(idle).toBe(0)
    proxy.afterCall = undefined
    release()
    await Promise.all(asked)
  })
})

describe('more requests than a process can do', () => {
  it('are refused at once, those of one instance before those of all, and let in again when there is room', async () => {
    const world = await createOffchainWorld({ patience: PATIENCE, admission: { perInstance: 4, inAll: 6 } })
    const neighbour = await world.createInstance()
    const ask = (instance: TestInstance) => instance.call('GET', `${OFFCHAIN}/ledger/balances`)
    expect([await ask(world.instance), await ask(neighbour)].map(code)).toEqual([200, 200])
    const inside = await world.superuser.begin(async (sql) => {
      await sql`lock table ledger_balances in access exclusive mode`
      const own = Array.from({ length: 4 }, () => ask(world.instance))
      expect(code(await ask(world.instance))).toBe('OVERLOADED')
      const others = Array.from({ length: 2 }, () => ask(neighbour))
      expect(code(await ask(neighbour))).toBe('OVERLOADED')
      return [...own, ...others]
    })
    expect((await Promise.all(inside)).map(code)).toEqual([200, 200, 200, 200, 200, 200])
    expect(code(await ask(neighbour))).toBe(200)
    await world.close()
  })

  it('take no room when their callers have hung up, wherever they were by then', async () => {
    const world = await createOffchainWorld({ patience: PATIENCE, admission: { perInstance: 12, inAll: 24 } })
    const neighbour = await world.createInstance()
    const origin = await world.app.listen({ host: '127.0.0.1', port: 0 })
    const headers = { 'x-api-key': world.instance.apiKey }
    const ask = (signal?: AbortSignal) =>
      fetch(`${origin}${OFFCHAIN}/ledger/balances`, { headers, signal: signal ?? null })
    await Promise.all([ask(), neighbour.call('GET', `${OFFCHAIN}/ledger/balances`)])
    await world.superuser.begin(async (sql) => {
      await sql`lock table ledger_balances in access exclusive mode`
      // Eight are worked on, since another instance is there, and four wait for their turn.
      const impatient = new AbortController()
      const asked = Array.from({ length: 12 }, () => ask(impatient.signal).catch(() => 'hung up'))
      const isFull = () =>
        ask(AbortSignal.timeout(300)).then(
          ({ status }) => status === 503,
          () => false,
        )
      await expect.poll(isFull).toBe(true)
      impatient.abort()
      expect(new Set(await Promise.all(asked))).toEqual(new Set(['hung up']))
      // What was begun is finished first: the database still works on it.
      expect((await ask()).status).toBe(503)
    })
    const statuses = async () =>
      (await Promise.all(Array.from({ length: 12 }, () => ask()))).map(({ status }) => status)
    await expect.poll(statuses).toEqual(Array(12).fill(200))
    await world.close()
  })
})
