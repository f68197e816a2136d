import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, tcpProxy } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLedger, auditUnit } from '../../../test/trading/audit.ts'
import {
  createOffchainWorld,
  OFFCHAIN,
  type OffchainWorld,
  ONE,
  type TestBook,
} from '../../../test/trading/offchain-world.ts'
import { tradeAtRandom } from '../../../test/trading/random-trading.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'

const CUSTOMERS = ['anna', 'bert', 'carl', 'dora', 'emil', 'frida']

describe('a matching unit', () => {
  let world: OffchainWorld

  beforeAll(async () => {
    world = await createOffchainWorld()
  })
  afterAll(() => world.close())

  const limit = (request: object = {}) => ({
    customerRef: 'anna',
    side: 'BUY' as const,
    orderType: 'LIMIT' as const,
    price: String(ONE),
    quantity: String(ONE),
    ...request,
  })

  async function fundedBook(request: Record<string, unknown> = {}): Promise<TestBook> {
    const book = await world.createBook(request)
    for (const customer of CUSTOMERS)
      for (const token of [book.base, book.quote]) await world.credit(customer, token, 40n * ONE)
    return book
  }

  it('has one tape, one journal and one ledger, whichever of two servers serves it', async () => {
    const venues = [startVenue(world, { snapshotEvery: 150 }), startVenue(world, { snapshotEvery: 150 })]
    const books = [
      await fundedBook({ makerFeeBps: 7, takerFeeBps: 23 }),
      await fundedBook({ takerFeeBps: 31, mmMakerRebateBps: -20 }),
    ]
    await world.instance.call('GET', `/orderbooks/stocks/api/accounts?customerRef=anna`).then(({ body }) =>
      world.instance.call('PATCH', `/orderbooks/stocks/api/accounts/${body.data.accounts[0].accountId}`, {
        body: { isMarketMaker: true },
      }),
    )
    const { acknowledged, refused, failed } = await tradeAtRandom({
      venues,
      instance: world.instance,
      books: books.map(({ id }) => id),
      customers: CUSTOMERS,
      tokens: books.flatMap(({ base, quote }) => [base, quote]),
      random: seededRandom(20_261),
      steps: 900,
      atOnce: 24,
    })
    expect(failed).toEqual([])
    expect([...refused.keys()]).toEqual(expect.arrayContaining(['INSUFFICIENT_BALANCE', 'ORDER_NOT_FOUND']))
    const audits = []
    for (const { id } of books) {
      const audit = await auditUnit(world.superuser, id)
      audits.push(audit)
      for (const venue of venues) expect(await venue.units.stateHash(id)).toBe(audit.stateHash)
      // A server that starts now, from a snapshot.
      const late = startVenue(world)
      expect(await late.units.stateHash(id)).toBe(audit.stateHash)
      await late.close()
    }
    await auditLedger(
      world.superuser,
      world.instance.instanceId,
      audits.map(({ engine }) => engine),
    )
    const stored =
      await world.superuser`select order_id from orders where unit_id in ${world.superuser(books.map(({ id }) => id))}`
    expect(new Set(stored.map(({ order_id }) => order_id))).toEqual(acknowledged)
    expect(audits.reduce((sum, { trades }) => sum + trades, 0)).toBeGreaterThan(100)
    const snapshots = await world.superuser`select count(*)::int as count from unit_snapshots`
    expect(snapshots[0]?.count).toBeGreaterThan(0)
    await Promise.all(venues.map((venue) => venue.close()))
  })

  it('commits what arrives together together', async () => {
    const book = await fundedBook()
    const venue = startVenue(world)
    const { caller, tenant } = await venue.as(world.instance)
    await venue.orders.submit(tenant, caller, book.id, limit())
    await venue.units.drain()
    const [before] = await world.superuser`select version::int from matching_units where unit_id = ${book.id}`
    const orders = Array.from({ length: 30 }, (_, index) =>
      venue.orders.submit(tenant, caller, book.id, limit({ customerRef: CUSTOMERS[index % 6] })),
    )
    await Promise.all(orders)
    await venue.units.drain()
    const [after] =
      await world.superuser`select version::int, sequence::int from matching_units where unit_id = ${book.id}`
    expect(after?.version - before?.version).toBeLessThan(5)
    expect(after?.sequence).toBe(32)
    await venue.close()
  })

  it('takes snapshots of a book the less often the more orders it holds', async () => {
    const book = await fundedBook()
    const venue = startVenue(world, { snapshotEvery: 2 })
    const { caller, tenant } = await venue.as(world.instance)
    for (let index = 0; index < 36; index += 1) {
      await venue.orders.submit(tenant, caller, book.id, limit({ customerRef: CUSTOMERS[index % 6] }))
      await venue.units.drain()
    }
    const taken = await world.superuser<{ sequence: number }[]>`
      select sequence::int from unit_snapshots where unit_id = ${book.id} order by sequence desc`
    const [newest = 0, one = 0] = taken.map(({ sequence }) => sequence)
    // Half of the twenty and more that it held by then.
    expect(newest).toBeGreaterThan(20)
    expect(newest - one).toBeGreaterThanOrEqual(10)
    const late = startVenue(world)
    expect(await late.units.stateHash(book.id)).toBe((await auditUnit(world.superuser, book.id)).stateHash)
    await late.close()
    await venue.close()
  })

  it('lets a command that cannot be written fail alone', async () => {
    const book = await fundedBook()
    const venue = startVenue(world)
    const { caller, tenant } = await venue.as(world.instance)
    await world.superuser.unsafe(`
      create function refuse_poison() returns trigger language plpgsql as $$ begin raise exception 'poison'; end $$;
      create trigger poison before insert on orders for each row when (new.client_order_id = 'poison') execute function refuse_poison();
      create trigger poison before insert on lane_groups for each row when (new.orders like '%,poison,%') execute function refuse_poison()`)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        venue.orders.submit(
          tenant,
          caller,
          book.id,
          limit({ clientOrderId: index === 7 ? 'poison' : `fine-${index}` }),
        ),
      ),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(
      outcomes.map((_, index) => (index === 7 ? 'rejected' : 'fulfilled')),
    )
    await world.superuser.unsafe(
      `drop trigger poison on orders; drop trigger poison on lane_groups; drop function refuse_poison()`,
    )
    const audit = await auditUnit(world.superuser, book.id)
    expect(audit.orders).toBe(19)
    expect(await venue.units.stateHash(book.id)).toBe(audit.stateHash)
    // What it failed with, it can do now: nothing of it was left behind.
    expect((await venue.orders.submit(tenant, caller, book.id, limit({ clientOrderId: 'poison' }))).status).toBe('OPEN')
    await venue.close()
  })

  it('refuses one whose key was revoked meanwhile, and serves the others of its group', async () => {
    const book = await fundedBook()
    const venue = startVenue(world)
    const key = await world.createKey(world.instance, ['trading:write'])
    const [mine, theirs] = [await venue.as(world.instance), await venue.as({ ...world.instance, apiKey: key })]
    await world.superuser`update api_keys set status = 'REVOKED', epoch = epoch + 1 where key_id = ${theirs.caller.keyId}`
    const warm = venue.orders.submit(mine.tenant, mine.caller, book.id, limit())
    const [first, second] = await Promise.allSettled([
      venue.orders.submit(theirs.tenant, theirs.caller, book.id, limit()),
      venue.orders.submit(mine.tenant, mine.caller, book.id, limit()),
    ])
    await warm
    expect(first).toMatchObject({ status: 'rejected', reason: { name: 'StaleGrantError' } })
    expect(second.status).toBe('fulfilled')
    await venue.close()
  })

  describe('whose commit gets no answer', () => {
    let book: TestBook
    let venue: Venue
    let proxy: Awaited<ReturnType<typeof tcpProxy>>

    beforeAll(async () => {
      proxy = await tcpProxy(world.databaseUrl)
      venue = startVenue(world, { databaseUrl: proxy.url })
      book = await fundedBook()
      // The commit of a group takes long enough to break its connection meanwhile.
      await world.superuser.unsafe(`
        create function linger() returns trigger language plpgsql as $$ begin perform pg_sleep(1.5); return null; end $$;
        create constraint trigger linger after insert on unit_groups deferrable initially deferred
          for each row when (new.unit_id = '${book.id}') execute function linger()`)
    })
    afterAll(async () => {
      await world.superuser.unsafe(`drop trigger linger on unit_groups; drop function linger()`)
      await venue.close()
      await proxy.stop()
    })

    const depthOf = async () => (await book.get('/snapshot')).body.data.depth.bids
    /** Only once the commit is under way may its connection break: before, nothing was done and the caller is told so. */
    async function isCommitting(): Promise<void> {
      const ask = () => world.superuser`
        select from pg_stat_activity
        where application_name = 'tally-venue' and wait_event = 'PgSleep' and datname = current_database()`
      while ((await ask()).length === 0) await sleep(20)
    }

    it('finds out that it was committed, and does nothing twice', async () => {
      const { caller, tenant } = await venue.as(world.instance)
      const [order] = [venue.orders.submit(tenant, caller, book.id, limit({ clientOrderId: 'lost-answer' }))]
      await isCommitting()
      await proxy.cut()
      await proxy.restore()
      expect((await order).order.clientOrderId).toBe('lost-answer')
      expect(await depthOf()).toEqual([{ price: String(ONE), quantity: String(ONE), orderCount: 1 }])
    })

    it('finds out that it was not, and does it again', async () => {
      const { caller, tenant } = await venue.as(world.instance)
      const order = venue.orders.submit(tenant, caller, book.id, limit({ clientOrderId: 'lost-commit' }))
      await isCommitting()
      await world.superuser`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'tally-venue' and wait_event = 'PgSleep' and datname = current_database()`
      expect((await order).order.clientOrderId).toBe('lost-commit')
      expect(await depthOf()).toEqual([{ price: String(ONE), quantity: String(2n * ONE), orderCount: 2 }])
      expect((await auditUnit(world.superuser, book.id)).orders).toBe(2)
    })
  })

  it('loses and doubles nothing when connections break at any moment', async () => {
    const book = await fundedBook()
    const venues = [startVenue(world), startVenue(world)]
    let isOver = false
    const breaking = (async () => {
      while (!isOver) {
        await sleep(120)
        await world.superuser`
          select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tally-venue' and datname = current_database()`
      }
    })()
    const { acknowledged, failed } = await tradeAtRandom({
      venues,
      instance: world.instance,
      books: [book.id],
      customers: CUSTOMERS,
      tokens: [book.base, book.quote],
      random: seededRandom(7),
      steps: 400,
      atOnce: 12,
    })
    isOver = true
    await breaking
    for (const error of failed) expect(error).toMatchObject({ name: 'DatabaseUnavailableError' })
    const audit = await auditUnit(world.superuser, book.id)
    const stored = await world.superuser`select order_id from orders where unit_id = ${book.id}`
    const ids = new Set(stored.map(({ order_id }) => order_id as string))
    expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([])
    for (const venue of venues) {
      expect(await venue.units.stateHash(book.id)).toBe(audit.stateHash)
      await venue.close()
    }
    const units = await world.superuser`select unit_id from matching_units`
    const engines = []
    for (const { unit_id } of units) engines.push((await auditUnit(world.superuser, unit_id)).engine)
    await auditLedger(world.superuser, world.instance.instanceId, engines)
  })

  it('says that the database went away also inside of a transaction that somebody else has opened', async () => {
    const book = await fundedBook()
    const venue = startVenue(world)
    const { caller, tenant } = await venue.as(world.instance)
    const open = await tenant.begin()
    const [{ pid } = { pid: 0 }] = await open.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    await world.superuser`select pg_terminate_backend(${pid})`
    const placed = venue.orders.submit({ ...tenant, joined: async () => open.sql }, caller, book.id, {
      customerRef: 'anna',
      side: 'BUY',
      orderType: 'LIMIT',
      price: String(ONE),
      quantity: String(ONE),
    })
    await expect(placed).rejects.toMatchObject({ name: 'DatabaseUnavailableError' })
    await open.rollback()
    await venue.close()
  })

  it('is read as it was committed last, whoever committed it', async () => {
    const book = await fundedBook()
    const [one, other] = [startVenue(world), startVenue(world)]
    const { caller, tenant } = await one.as(world.instance)
    const seen = async () => {
      const { caller: _caller, tenant: theirs } = await other.as(world.instance)
      // As every route that reads does.
      await other.units.settled(world.instance.instanceId)
      const row = await other.books.requireOffchain(theirs, book.id)
      return (await other.reads.snapshot(theirs, row, undefined)).depth.bids.map(({ quantity }) => quantity)
    }
    expect(await seen()).toEqual([])
    for (let count = 1n; count <= 3n; count += 1n) {
      await one.orders.submit(tenant, caller, book.id, limit())
      expect(await seen()).toEqual([String(count * ONE)])
    }
    expect(
      (await world.instance.call('GET', `${OFFCHAIN}/order-books/${book.id}/snapshot?levels=x`)).body.data.journal,
    ).toMatchObject({ sequence: '4' })
    await Promise.all([one.close(), other.close()])
  })
})
