import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@tallystick/testkit'
import { createBookReplica } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOffchainWorld, OFFCHAIN, type OffchainWorld, ONE } from '../../../test/trading/offchain-world.ts'
import { tradeAtRandom } from '../../../test/trading/random-trading.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import { withoutRows } from '../../../test/trading/without-rows.ts'
import type { RunningStream, StreamMessage } from '../../platform/http/streams.ts'

const CUSTOMERS = ['anna', 'bert', 'carl', 'dora']
const BOOK_PATH = `${OFFCHAIN}/order-books/{orderBookId}/stream`
const FILLS_PATH = `${OFFCHAIN}/order-books/{orderBookId}/fills/stream`

describe('the feed of a unit', () => {
  let world: OffchainWorld
  const venues: Venue[] = []

  beforeAll(async () => {
    world = await createOffchainWorld()
  })
  afterAll(async () => {
    await Promise.all(venues.map((venue) => venue.close()))
    await world.close()
  })

  function venueWith(options: Parameters<typeof startVenue>[1] = {}): Venue {
    const venue = startVenue(world, options)
    venues.push(venue)
    return venue
  }

  async function fundedBook(): Promise<string> {
    const book = await world.createBook({ makerFeeBps: 7, takerFeeBps: 23 })
    await book.fund(...CUSTOMERS)
    return book.id
  }

  /** Follows a book through one server, and proves it message by message. */
  async function follow(venue: Venue, bookId: string) {
    const { tenant } = await venue.as(world.instance)
    const source = await venue.streams.book(tenant, BOOK_PATH, bookId)
    const replica = createBookReplica()
    const states = new Map<string, string>()
    const trades: string[] = []
    const reasons: string[] = []
    let fault: unknown
    const running: RunningStream = source.start({
      send({ data }: StreamMessage) {
        const message = JSON.parse(data)
        try {
          replica.take(message)
        } catch (error) {
          fault ??= error
        }
        for (const { tradeId } of message.trades ?? []) trades.push(tradeId)
        states.set(replica.sequence() ?? '', JSON.stringify([replica.headHash(), replica.bids(), replica.asks()]))
      },
      drained: async () => {},
      end: (reason) => void reasons.push(reason),
    })
    return { replica, states, trades, reasons, fault: () => fault, ...running }
  }

  it('has no gaps and the same book everywhere, while two servers trade on the unit at once', async () => {
    const bookId = await fundedBook()
    const [one, two] = [venueWith(), venueWith()]
    const listeners = [await follow(one, bookId), await follow(two, bookId)]
    const trading = tradeAtRandom({
      venues: [one, two],
      instance: world.instance,
      books: [bookId],
      customers: CUSTOMERS,
      tokens: [],
      random: seededRandom(4711),
      steps: 220,
      atOnce: 12,
    })
    const depths: { sequence: string; text: string }[] = []
    for (let late = 0; late < 6; late += 1) {
      await sleep(15)
      // Whoever comes in the middle of it gets the book as it is then.
      listeners.push(await follow(late % 2 === 0 ? one : two, bookId))
      const { tenant } = await one.as(world.instance)
      const { depth, journal } = await one.offchain.snapshot(tenant, bookId, '100')
      depths.push({ sequence: journal.sequence, text: JSON.stringify([journal.headHash, depth.bids, depth.asks]) })
    }
    await trading
    // What changes nothing in the book is not told: the last word has to be one that does.
    await submitTo(one, bookId)
    await one.units.settled(world.instance.instanceId)
    const [unit] = await world.superuser`select sequence::text from matching_units where unit_id = ${bookId}`
    // A wake-up may get lost: then the feed looks by itself, every two seconds.
    for (const { replica } of listeners) await expect.poll(() => replica.sequence()).toBe(unit?.sequence)
    expect(listeners.map(({ fault }) => fault())).toEqual(listeners.map(() => undefined))
    const [first] = listeners
    for (const { states } of listeners)
      for (const [sequence, state] of states) expect(first?.states.get(sequence) ?? state).toBe(state)
    const shown = depths.filter(({ sequence }) => first?.states.has(sequence))
    for (const { sequence, text } of shown) expect(first?.states.get(sequence)).toBe(text)
    expect(shown.length).toBeGreaterThan(0)
    const tape = await world.superuser`select trade_id from trades where unit_id = ${bookId} order by number`
    expect(first?.trades).toEqual(tape.map(({ trade_id }) => trade_id))
    expect(tape.length).toBeGreaterThan(20)
    for (const { stop } of listeners) stop()
  })

  const order = {
    customerRef: 'anna',
    side: 'BUY',
    orderType: 'LIMIT',
    price: String(ONE),
    quantity: String(ONE),
  } as const

  async function submitTo(venue: Venue, bookId: string): Promise<void> {
    const { caller, tenant } = await venue.as(world.instance)
    await venue.orders.submit(tenant, caller, bookId, order)
  }

  it('is woken by a commit of another server, long before it would look by itself', async () => {
    const bookId = await fundedBook()
    const [here, there] = [venueWith({ streamPollMs: 60_000 }), venueWith()]
    const listener = await follow(here, bookId)
    await expect.poll(() => listener.replica.sequence()).toBe('1')
    await submitTo(there, bookId)
    await expect.poll(() => listener.replica.sequence()).toBe('2')
    // The listening connection breaks: what was said meanwhile is looked up once it listens again.
    await world.superuser`
      select pg_terminate_backend(pid) from pg_stat_activity where query ilike '%listen tally_units%' and pid <> pg_backend_pid()`
    await submitTo(there, bookId)
    await expect.poll(() => listener.replica.sequence()).toBe('3')
    await submitTo(there, bookId)
    await expect.poll(() => listener.replica.sequence()).toBe('4')
    listener.stop()
  })

  it('hears of commits that are no rows yet, with their trades, and is found again at a place among them', async () => {
    const bookId = await fundedBook()
    const [here, there] = [venueWith({ streamPollMs: 60_000 }), venueWith()]
    const { caller, tenant } = await here.as(world.instance)
    // The server that had the ledger in the test before is no more.
    await world.superuser`update lanes set lease_until = '-infinity'`
    await submitTo(here, bookId)
    await here.orders.submit(tenant, caller, bookId, { ...order, customerRef: 'bert' })
    await here.units.settled(world.instance.instanceId)
    const listeners = [await follow(here, bookId), await follow(there, bookId)]
    for (const { replica } of listeners) await expect.poll(() => replica.sequence()).toBe('3')
    await withoutRows(world, world.instance.instanceId, async () => {
      const placed = await here.orders.submit(tenant, caller, bookId, { ...order, customerRef: 'bert', side: 'SELL' })
      expect(await world.superuser`select from trades where unit_id = ${bookId}`).toHaveLength(0)
      const tradeIds = placed.trades.map(({ tradeId }) => tradeId)
      expect(tradeIds).toHaveLength(1)
      for (const { trades, reasons } of listeners) await expect.poll(() => [trades, reasons]).toEqual([tradeIds, []])
      // Whoever comes now, or comes back to what it heard of just now.
      const late = await follow(there, bookId)
      await expect.poll(() => late.replica.sequence()).toBe('4')
      const fills: string[] = []
      for (const after of ['3', '4', '4.99']) {
        const source = await there.streams.fills(tenant, FILLS_PATH, bookId, { after, lastEventId: undefined })
        const running = source.start({
          send: ({ event, data }) => void (event === 'fill' && fills.push(JSON.parse(data).trade.tradeId)),
          drained: async () => {},
          end: () => {},
        })
        if (after === '3') await expect.poll(() => fills).toEqual(tradeIds)
        running.stop()
      }
      expect(fills).toEqual(tradeIds)
      await expect(
        there.streams.fills(tenant, FILLS_PATH, bookId, { after: '5', lastEventId: undefined }),
      ).rejects.toMatchObject({ code: 'INVALID_PARAM' })
      listeners.push(late)
    })
    // Once its rows are there, nothing is told a second time.
    await submitTo(here, bookId)
    await here.units.settled(world.instance.instanceId)
    for (const { replica } of listeners) await expect.poll(() => replica.sequence()).toBe('5')
    for (const { trades, fault } of listeners) expect([trades.length <= 1, fault()]).toEqual([true, undefined])
    for (const { stop } of listeners) stop()
  })

  it('finds what nobody told it', async () => {
    const bookId = await fundedBook()
    const [here, there] = [venueWith({ streamPollMs: 40 }), venueWith()]
    const listener = await follow(here, bookId)
    await expect.poll(() => listener.replica.sequence()).toBe('1')
    // Inside a transaction of somebody who does not know that there are streams.
    await there.database.as('tally_venue', async (sql) => {
      await there.units.runInside(sql, bookId, {
        grant: null,
        looks: { instanceId: world.instance.instanceId, holders: [], clientOrderIds: [] },
        perform: (turn) => turn.execute({ kind: 'updateBook', at: 0, book: bookId, status: 'PAUSED' }),
      })
    })
    await expect.poll(() => listener.replica.sequence()).toBe('2')
    listener.stop()
  })

  it('tells what was done with an Idempotency-Key once it is committed', async () => {
    const bookId = await fundedBook()
    const listener = await follow(venueWith({ streamPollMs: 60_000 }), bookId)
    await expect.poll(() => listener.replica.sequence()).toBe('1')
    const headers = { 'idempotency-key': 'streamed-0001' }
    const body = { orderBookId: bookId, ...order }
    expect((await world.instance.call('POST', `${OFFCHAIN}/orders`, { body, headers })).status).toBe(200)
    await expect.poll(() => listener.replica.sequence()).toBe('2')
    listener.stop()
  })

  it('ends, and says so, when the journal does not hold together', async () => {
    const bookId = await fundedBook()
    const venue = venueWith({ streamPollMs: 40 })
    const listener = await follow(venue, bookId)
    await expect.poll(() => listener.replica.sequence()).toBe('1')
    await world.superuser`
      insert into unit_journal (unit_id, sequence, entry, hash) values (${bookId}, 2, '{}', 'forged')`
    await world.superuser`
      insert into unit_groups (unit_id, version, group_id, last_sequence, committed_at)
      select unit_id, version + 1, gen_random_uuid(), 2, now() from matching_units where unit_id = ${bookId}`
    await expect.poll(() => listener.reasons).toEqual(['INTERNAL_ERROR'])
    expect(listener.fault()).toBeUndefined()
    listener.stop()
  })

  it('reads fills of long ago from the journal, page by page, beside those that come in', async () => {
    const bookId = await fundedBook()
    const venue = venueWith()
    const { caller, tenant } = await venue.as(world.instance)
    const batch = (side: 'BUY' | 'SELL', customerRef: string) =>
      venue.orders.submitBatch(
        tenant,
        caller,
        bookId,
        Array.from({ length: 100 }, () => ({ ...order, side, customerRef })),
      )
    // More entries than one page holds.
    for (let round = 0; round < 3; round += 1) {
      await batch('SELL', 'anna')
      await batch('BUY', 'bert')
    }
    const ids: string[] = []
    const source = await venue.streams.fills(tenant, FILLS_PATH, bookId, { after: '0', lastEventId: undefined })
    const running = source.start({
      send: ({ event, id }) => void (event === 'fill' && ids.push(id ?? '')),
      drained: () => sleep(5),
      end: () => {},
    })
    await batch('SELL', 'carl')
    await batch('BUY', 'dora')
    await expect.poll(() => ids.length).toBe(400)
    expect(new Set(ids).size).toBe(400)
    expect(ids.toSorted((a, b) => Number(a) - Number(b))).toEqual(ids)
    await venue.units.settled(world.instance.instanceId)
    const [unit] = await world.superuser`select sequence::text from matching_units where unit_id = ${bookId}`
    expect(JSON.parse(running.heartbeat().data)).toEqual({ type: 'heartbeat', at: unit?.sequence })
    running.stop()
  })
})
