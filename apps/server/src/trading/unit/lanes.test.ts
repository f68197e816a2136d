import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLane, auditLedger, auditUnit, untilSettled } from '../../../test/trading/audit.ts'
import {
  createOffchainWorld,
  OFFCHAIN,
  type OffchainWorld,
  ONE,
  type TestBook,
} from '../../../test/trading/offchain-world.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import { withoutRows } from '../../../test/trading/without-rows.ts'

describe('a lane', () => {
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

  const books: string[] = []

  async function fundedBook(): Promise<TestBook> {
    const book = await world.createBook()
    books.push(book.id)
    for (const customer of ['anna', 'bert'])
      for (const token of [book.base, book.quote]) await world.credit(customer, token, 1_000n * ONE)
    return book
  }

  async function placer(venue: Venue, bookId: string) {
    const { caller, tenant } = await venue.as(world.instance)
    return (request: object = {}) => venue.orders.submit(tenant, caller, bookId, limit(request))
  }

  const laneOf = async () => {
    const [lane] = await world.superuser`
      select epoch::int, sequence::int, owner from lanes where lane_id = ${world.instance.instanceId}`
    return lane as { epoch: number; sequence: number; owner: string }
  }

  /** The lease of whoever has the lane is over. */
  const endLease = () => world.superuser`update lanes set lease_until = '-infinity'`

  async function auditAll(): Promise<number> {
    const { groups } = await auditLane(world.superuser, world.instance.instanceId)
    const engines = []
    for (const id of books) engines.push((await auditUnit(world.superuser, id)).engine)
    await auditLedger(world.superuser, world.instance.instanceId, engines)
    return groups
  }

  const withoutOwnRows = <T>(work: () => Promise<T>) => withoutRows(world, world.instance.instanceId, work)

  it('answers orders that are in its journal, before their rows are there; who reads waits for them', async () => {
    const book = await fundedBook()
    const venue = startVenue(world)
    const place = await placer(venue, book.id)
    await place()
    await place({ customerRef: 'bert' })
    await venue.units.drain()
    const before = await laneOf()
    let isRead = false
    const { orderId, read } = await withoutOwnRows(async () => {
      const placed = await place({ customerRef: 'bert', side: 'SELL' })
      expect(placed).toMatchObject({ order: { status: 'FILLED' } })
      expect(await world.superuser`select 1 from orders where order_id = ${placed.order.id}`).toHaveLength(0)
      expect(await laneOf()).toMatchObject({ epoch: before.epoch, sequence: before.sequence + 1 })
      const answer = world.instance.call('GET', `${OFFCHAIN}/orders/${placed.order.id}`).finally(() => {
        isRead = true
      })
      await sleep(150)
      expect(isRead).toBe(false)
      return { orderId: placed.order.id, read: answer }
    })
    expect((await read).body.data).toMatchObject({ id: orderId, status: 'FILLED' })
    expect(await auditAll()).toBe(before.sequence + 1)
    await venue.close()
  })

  it('goes on with orders while a snapshot waits for rows, and keeps it once they are there', async () => {
    const book = await fundedBook()
    const venue = startVenue(world, { snapshotEvery: 3 })
    await endLease()
    const place = await placer(venue, book.id)
    for (const customerRef of ['anna', 'bert']) await place({ customerRef, price: '1000' })
    await venue.units.drain()
    const newest = async () =>
      (
        await world.superuser<{ sequence: number }[]>`
          select coalesce(max(sequence), 0)::int as sequence from unit_snapshots where unit_id = ${book.id}`
      )[0]?.sequence ?? 0
    const before = await newest()
    await withoutOwnRows(async () => {
      for (let count = 0; count < 8; count += 1)
        expect(await place({ price: '1000' })).toMatchObject({ order: { status: 'OPEN' } })
      expect(await newest()).toBe(before)
    })
    await venue.units.drain()
    expect(await newest()).toBeGreaterThan(before)
    const late = startVenue(world)
    expect(await late.units.stateHash(book.id)).toBe((await auditUnit(world.superuser, book.id)).stateHash)
    await late.close()
    await auditAll()
    await venue.close()
  })

  it('writes an order once that was filled, or partly filled, before it had a row', async () => {
    const book = await fundedBook()
    const venue = startVenue(world)
    await endLease()
    const place = await placer(venue, book.id)
    const { caller, tenant } = await venue.as(world.instance)
    for (const customerRef of ['anna', 'bert']) await place({ customerRef, price: '1000' })
    await venue.units.drain()
    const statusOf = async (orderId: string) =>
      (await world.superuser`select status, filled_quantity::text as filled from orders where order_id = ${orderId}`)[0]
    await world.superuser.unsafe(`
      create function refuse_update() returns trigger language plpgsql as $$ begin raise exception 'written twice'; end $$;
      create trigger refuse_update before update on orders for each row execute function refuse_update()`)
    const [filled, partly, taker] = await withoutOwnRows(async () => {
      const first = await place({ quantity: String(ONE) })
      const second = await place({ quantity: String(4n * ONE) })
      await place({ customerRef: 'bert', side: 'SELL', quantity: String(ONE) })
      await place({ customerRef: 'bert', side: 'SELL', quantity: String(ONE) })
      return [first, second, await place({ customerRef: 'bert', side: 'SELL', quantity: String(ONE) })]
    })
    await venue.units.drain()
    expect(await statusOf(filled?.order.id ?? '')).toEqual({ status: 'FILLED', filled: String(ONE) })
    expect(await statusOf(partly?.order.id ?? '')).toEqual({ status: 'PARTIALLY_FILLED', filled: String(2n * ONE) })
    expect(await statusOf(taker?.order.id ?? '')).toEqual({ status: 'FILLED', filled: String(ONE) })
    await world.superuser.unsafe('drop trigger refuse_update on orders; drop function refuse_update()')
    await venue.orders.cancel(tenant, caller, partly?.order.id ?? '', 'anna')
    expect(await statusOf(partly?.order.id ?? '')).toEqual({ status: 'CANCELLED', filled: String(2n * ONE) })
    await auditAll()
    await venue.close()
  })

  it('is taken over from an owner that is gone, with all that it committed', async () => {
    const book = await fundedBook()
    const [gone, next] = [startVenue(world), startVenue(world)]
    await endLease()
    const [placeThere, placeHere] = [await placer(gone, book.id), await placer(next, book.id)]
    await placeThere({ price: '1000' })
    await gone.units.drain()
    const before = await laneOf()
    const resting = await withoutOwnRows(async () => {
      const placed = await placeThere({ clientOrderId: 'kept' })
      await gone.kill()
      return placed.order.id
    })
    await endLease()
    await expect(placeHere({ clientOrderId: 'kept' })).rejects.toMatchObject({
      code: 'DUPLICATE_CLIENT_ORDER_ID',
      extra: { orderId: resting },
    })
    const met = await placeHere({ customerRef: 'bert', side: 'SELL' })
    expect(met.trades).toMatchObject([{ makerOrderId: resting }])
    const after = await laneOf()
    expect(after.epoch).toBeGreaterThan(before.epoch)
    expect(after.owner).not.toBe(before.owner)
    await auditAll()
    await next.close()
  })

  it('takes nothing from an owner that slept while another one had it', async () => {
    const book = await fundedBook()
    const [first, second] = [startVenue(world), startVenue(world)]
    await endLease()
    const [placeFirst, placeSecond] = [await placer(first, book.id), await placer(second, book.id)]
    await placeFirst()
    const owned = await laneOf()
    await endLease()
    const taken = await placeSecond({ customerRef: 'bert', side: 'SELL' })
    expect(taken.trades).toHaveLength(1)
    const late = await placeFirst({ customerRef: 'bert', side: 'SELL' })
    // What it remembered, a resting bid, was gone.
    expect(late.trades).toHaveLength(0)
    expect((await laneOf()).epoch).toBeGreaterThan(owned.epoch + 1)
    await auditAll()
    await Promise.all([first.close(), second.close()])
  })

  it('sees credits, debits, suspensions and settings that were made beside it, from the next order on', async () => {
    const book = await fundedBook()
    await world.credit('carl', book.quote, ONE)
    const venue = startVenue(world)
    await endLease()
    const place = await placer(venue, book.id)
    await place({ customerRef: 'carl' })
    await expect(place({ customerRef: 'carl' })).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await world.credit('carl', book.quote, ONE)
    await place({ customerRef: 'carl' })
    const { accountId } = (await world.instance.call('GET', `/orderbooks/stocks/api/accounts?customerRef=carl`)).body
      .data.accounts[0]
    const account = `/orderbooks/stocks/api/accounts/${accountId}`
    await world.instance.call('PATCH', account, { body: { status: 'SUSPENDED' } })
    await expect(place({ customerRef: 'carl', side: 'SELL' })).rejects.toMatchObject({ code: 'MM_CONFIG_VIOLATION' })
    await world.instance.call('PATCH', `${OFFCHAIN}/order-books/${book.id}`, { body: { status: 'PAUSED' } })
    await expect(place()).rejects.toMatchObject({ code: 'ORDER_BOOK_NOT_FOUND' })
    await auditAll()
    await venue.close()
  })

  it('serves two processes that both want it, one after the other, and loses nothing', async () => {
    const book = await fundedBook()
    const venues = [startVenue(world), startVenue(world)]
    const placers = await Promise.all(venues.map((venue) => placer(venue, book.id)))
    const placed = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        placers[index % 2]?.({ customerRef: index % 3 ? 'anna' : 'bert', side: index % 3 ? 'BUY' : 'SELL' }),
      ),
    )
    await untilSettled(world.superuser)
    const stored = await world.superuser`select order_id from orders where unit_id = ${book.id}`
    expect(new Set(stored.map((row) => row.order_id))).toEqual(new Set(placed.map((one) => one?.order.id)))
    await auditAll()
    await Promise.all(venues.map((venue) => venue.close()))
  })

  it('makes rows of what was left behind, once, when several do it at the same time', async () => {
    const book = await fundedBook()
    const venues = [startVenue(world), startVenue(world), startVenue(world)]
    await endLease()
    const [venue] = venues
    if (!venue) throw new Error('no venue')
    const place = await placer(venue, book.id)
    await place({ customerRef: 'bert' })
    await venue.units.drain()
    await withoutOwnRows(async () => {
      for (let count = 0; count < 10; count += 1) await place({ side: count % 2 ? 'SELL' : 'BUY', customerRef: 'bert' })
    })
    await Promise.all(venues.map(({ units }) => units.projectLeft()))
    await untilSettled(world.superuser)
    await auditAll()
    await Promise.all(venues.map((one) => one.close()))
  })
})

describe('the audit of a lane', () => {
  /** An owner, a debit beside it, and the owner again. What it answers then does not matter: what is there does. */
  async function trade(world: OffchainWorld): Promise<TestBook> {
    const book = await world.createBook()
    for (const token of [book.base, book.quote]) await world.credit('anna', token, 3n * ONE)
    const venue = startVenue(world)
    const { caller, tenant } = await venue.as(world.instance)
    const buy = () =>
      venue.orders.submit(tenant, caller, book.id, {
        customerRef: 'anna',
        side: 'BUY',
        orderType: 'LIMIT',
        price: String(ONE),
        quantity: String(ONE),
      })
    await buy()
    await world.instance.call('POST', `${OFFCHAIN}/ledger/debit`, {
      body: { customerRef: 'anna', tokenAddress: book.quote, amount: String(2n * ONE) },
    })
    await buy().catch(() => undefined)
    await venue.units.drain().catch(() => undefined)
    await venue.kill()
    return book
  }

  /** The database does what is asked of it with one text replaced by another. */
  async function plant(world: OffchainWorld, name: string, right: string, wrong: string): Promise<void> {
    const [found] = await world.superuser`select pg_get_functiondef(${name}::regproc) as text`
    expect(found?.text).toContain(right)
    await world.superuser.unsafe(found?.text.replace(right, wrong))
  }

  async function audited(world: OffchainWorld, { id }: TestBook): Promise<void> {
    await auditLane(world.superuser, world.instance.instanceId, 1_000)
    const { engine } = await auditUnit(world.superuser, id)
    await auditLedger(world.superuser, world.instance.instanceId, [engine])
  }

  it('finds nothing where nothing is wrong', async () => {
    const world = await createOffchainWorld()
    await audited(world, await trade(world))
    await world.close()
  })

  it.each([
    ['an owner may commit whose epoch is over', 'tally_commit_group', ' and l.epoch = seen_epoch', ''],
    [
      'who writes beside the journal leaves the epoch as it was',
      'tally_enter_lane',
      'epoch = held.epoch + 1 where',
      'epoch = held.epoch where',
    ],
    [
      'rows are written and the position stays',
      'tally_project',
      'set sequence = upto where',
      'set sequence = done where',
    ],
  ])('finds that %s', async (_what, name, right, wrong) => {
    const world = await createOffchainWorld()
    await plant(world, name, right, wrong)
    await expect(trade(world).then((book) => audited(world, book))).rejects.toThrow()
    await world.close()
  })
})
