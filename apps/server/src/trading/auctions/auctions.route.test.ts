import { seededRandom } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLedger, auditUnit } from '../../../test/trading/audit.ts'
import {
  createOffchainWorld,
  newToken,
  OFFCHAIN,
  type OffchainWorld,
  ONE,
  type TestBook,
} from '../../../test/trading/offchain-world.ts'
import { createPool } from '../../../test/trading/pool.ts'
import { tradeAtRandom } from '../../../test/trading/random-trading.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import { createLog } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { startTradingJobs } from '../index.ts'

const STOCKS = '/orderbooks/stocks/api'
const PERIODIC = { tradingMode: 'PERIODIC_AUCTION', auctionIntervalSeconds: 60 }
const HYBRID = { tradingMode: 'HYBRID', auctionIntervalSeconds: 30, hybridSwitchSpreadBps: 100 }

describe('auctions of a stock book', () => {
  let world: OffchainWorld
  let workers: Venue[]

  beforeAll(async () => {
    world = await createOffchainWorld()
    workers = [startVenue(world, { poolSize: 4 }), startVenue(world, { poolSize: 4 })]
  })
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.close()))
    await world.close()
  })

  async function stockBook(request: Record<string, unknown> = {}, settings?: object): Promise<TestBook> {
    const book = await world.createBook({ tokenType: 'STOCK_TOKEN', ...request })
    await book.fund('anna', 'bert', 'carl')
    if (settings) expect((await patch(book.id, settings)).status).toBe(200)
    return book
  }
  const patch = (id: string, body: object) => world.instance.call('PATCH', `${STOCKS}/order-books/${id}`, { body })
  const bookOf = async (id: string) => (await world.instance.call('GET', `${STOCKS}/order-books/${id}`)).body.data
  const auction = (id: string, auctionId = 'current') =>
    world.instance.call('GET', `${STOCKS}/order-books/${id}/auctions/${auctionId}`)
  const order = async (id: string) => (await world.instance.call('GET', `${OFFCHAIN}/orders/${id}`)).body.data
  /** The deadline passes: by the clock of the database, which nobody can turn. */
  async function elapse(bookId: string): Promise<void> {
    await world.superuser`update book_auctions set ends_at = now() - interval '1 second' where book_id = ${bookId} and status = 'COLLECTING'`
    await world.superuser`
      update order_books set current_auction_ends_at = now() - interval '1 second' where book_id = ${bookId} and current_auction_id is not null`
  }
  const race = () => Promise.all(workers.map((worker) => worker.auctionSchedule.pass()))
  const sum = (done: { cleared: number }[]) => done.reduce((total, { cleared }) => total + cleared, 0)

  it('have settings that must go together', async () => {
    const { id } = await stockBook()
    for (const settings of [
      { tradingMode: 'PERIODIC_AUCTION' },
      { tradingMode: 'HYBRID', auctionIntervalSeconds: 60 },
      { tradingMode: 'HYBRID', hybridSwitchSpreadBps: 50 },
    ])
      expect([(await patch(id, settings)).body.error.code, settings]).toEqual(['INVALID_CONFIG', settings])
    for (const settings of [
      { auctionIntervalSeconds: 29 },
      { auctionIntervalSeconds: 3601 },
      { hybridSwitchSpreadBps: 0 },
    ])
      expect((await patch(id, settings)).body.error.code).toBe('VALIDATION_ERROR')
    const changed = await patch(id, { ...HYBRID, auctionRollUnmatched: false })
    expect(changed.body.data).toMatchObject({ ...HYBRID, auctionRollUnmatched: false, currentAuctionId: null })
    const [worker] = workers
    if (!worker) throw new Error('no worker')
    const pool = await createPool(worker, 'commodities', [world.instance])
    const refused = await world.instance.call('PATCH', `/orderbooks/commodities/api/order-books/${pool.bookIds[0]}`, {
      body: PERIODIC,
    })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_CONFIG'])
  })

  it('run from the moment that a book is created with them', async () => {
    const pair = { tokenAddress: newToken(), quoteTokenAddress: newToken() }
    const body = { ...pair, name: 'Nordlicht', symbol: 'NORD', tokenType: 'STOCK_TOKEN', ...PERIODIC }
    const made = (await world.instance.call('POST', `${STOCKS}/order-books`, { body })).body.data
    expect(made).toMatchObject({ ...PERIODIC, settlementMode: 'OFF_CHAIN' })
    expect((await auction(made.id)).body.data).toMatchObject({ id: made.currentAuctionId, status: 'COLLECTING' })
  })

  it('collect orders, those that rest included, and say until when', async () => {
    const book = await stockBook()
    const resting = (await book.buy('anna', 10n * ONE, 2n * ONE)).body.data.order
    const { currentAuctionId } = (await patch(book.id, PERIODIC)).body.data
    expect(await order(resting.orderId)).toMatchObject({ status: 'AUCTION_PENDING', auctionId: currentAuctionId })
    const running = (await auction(book.id)).body.data
    expect(running).toMatchObject({
      id: currentAuctionId,
      orderBookId: book.id,
      status: 'COLLECTING',
      clearingPrice: null,
      matchedVolume: '0',
      orderCount: 0,
      indicative: null,
    })
    expect(Date.parse(running.endsAt) - Date.parse(running.startedAt)).toBe(60_000)
    const placed = (await book.sell('bert', 9n * ONE, ONE)).body.data
    expect(placed).toMatchObject({
      status: 'AUCTION_PENDING',
      trades: [],
      auctionId: currentAuctionId,
      auctionEndsAt: running.endsAt,
      order: { auctionId: currentAuctionId },
    })
    // Prices are not shown, but what they would come to is.
    expect((await auction(book.id)).body.data.indicative).toEqual({ price: '9000000', volume: '1000000' })
    expect((await book.get('/snapshot')).body.data.depth).toEqual({ bids: [], asks: [] })
    const market = await book.submit('carl', { side: 'BUY', orderType: 'MARKET', quantity: String(ONE) })
    expect([market.status, market.body.error]).toMatchObject([400, { code: 'PRICE_REQUIRED' }])
    expect((await book.buy('carl', ONE, ONE, { postOnly: true })).body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'timeInForce' }],
    })
    const cancelled = await world.instance.call('DELETE', `${OFFCHAIN}/orders/${placed.order.orderId}`, {
      body: { customerRef: 'bert' },
    })
    expect(cancelled.body.data).toMatchObject({
      status: 'CANCELLED',
      cancelReason: 'USER_CANCELLED',
      auctionId: currentAuctionId,
    })
    expect(await race()).toMatchObject([{ cleared: 0 }, { cleared: 0 }])
  })

  it('are cleared once at one price, however many workers come, and followed by the next', async () => {
    const book = await stockBook({ takerFeeBps: 10 }, PERIODIC)
    const first = (await auction(book.id)).body.data.id
    await book.buy('anna', 12n * ONE, 2n * ONE)
    await book.sell('bert', 10n * ONE, 3n * ONE)
    const left = (await book.buy('carl', 9n * ONE, ONE)).body.data.order.orderId
    const guarded = { selfTradePreventionMode: 'CANCEL_TAKER' }
    const own = (await book.sell('anna', 8n * ONE, 5n * ONE, guarded)).body.data.order.orderId
    await elapse(book.id)
    expect((await auction(book.id)).body.data.status).toBe('UNCROSSING')
    expect(sum(await race())).toBe(1)
    expect((await auction(book.id, first)).body.data).toMatchObject({
      status: 'CLEARED',
      clearingPrice: String(10n * ONE),
      matchedVolume: String(2n * ONE),
      orderCount: 3,
    })
    // It would have set the price, and met nobody but its own trader.
    expect(await order(own)).toMatchObject({ status: 'CANCELLED', cancelReason: 'SELF_TRADE_PREVENTION' })
    const { trades } = (await book.get('/trades')).body.data
    expect(trades).toMatchObject([{ origin: 'AUCTION', price: String(10n * ONE), quantity: String(2n * ONE) }])
    const next = (await auction(book.id)).body.data
    expect(next).toMatchObject({ status: 'COLLECTING', id: (await bookOf(book.id)).currentAuctionId })
    expect(next.id).not.toBe(first)
    expect(await order(left)).toMatchObject({ status: 'AUCTION_PENDING', auctionId: next.id })
    await elapse(book.id)
    expect(sum(await race())).toBe(1)
    expect((await auction(book.id, next.id)).body.data).toMatchObject({
      status: 'CLEARED',
      clearingPrice: null,
      orderCount: 2,
    })
    await auditUnit(world.superuser, book.id)
  })

  it('are served by the jobs of a worker', async () => {
    const book = await stockBook({}, PERIODIC)
    const { id } = (await auction(book.id)).body.data
    await elapse(book.id)
    const [worker] = workers
    if (!worker) throw new Error('no worker')
    const jobs = startTradingJobs(worker, { log: createLog({ level: 'silent' }), metrics: createMetrics() })
    await Promise.all(jobs.map((job) => job.stop()))
    expect((await auction(book.id, id)).body.data.status).toBe('CLEARED')
  })

  it('cancel what is left over where the book says so', async () => {
    const book = await stockBook({}, { ...PERIODIC, auctionRollUnmatched: false })
    const { orderId } = (await book.buy('anna', ONE, ONE)).body.data.order
    await elapse(book.id)
    await race()
    expect(await order(orderId)).toMatchObject({ status: 'CANCELLED', cancelReason: 'AUCTION_UNMATCHED' })
    expect(await book.balance('anna', book.quote)).toMatchObject({ reserved: '0' })
  })

  it('end when the book trades continuously again: what crosses is cleared, the rest goes to the book', async () => {
    const book = await stockBook({}, PERIODIC)
    const { id } = (await auction(book.id)).body.data
    await book.buy('anna', 11n * ONE, ONE)
    await book.sell('bert', 10n * ONE, ONE)
    await book.sell('bert', 20n * ONE, ONE)
    expect((await patch(book.id, { tradingMode: 'CONTINUOUS' })).body.data).toMatchObject({ currentAuctionId: null })
    expect((await auction(book.id)).body).toMatchObject({ success: true, data: null })
    expect((await auction(book.id, id)).body.data).toMatchObject({ status: 'CLEARED', matchedVolume: String(ONE) })
    expect((await book.get('/snapshot')).body.data.depth.asks).toMatchObject([{ price: String(20n * ONE) }])
  })

  it('wait while the book is paused, for a whole interval again, and end with a book that closes', async () => {
    const book = await stockBook({}, PERIODIC)
    const { id } = (await auction(book.id)).body.data
    const { orderId } = (await book.buy('anna', ONE, ONE)).body.data.order
    await patch(book.id, { status: 'PAUSED' })
    await elapse(book.id)
    expect(sum(await race())).toBe(0)
    const refused = await patch(book.id, { tradingMode: 'CONTINUOUS' })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_CONFIG'])
    await patch(book.id, { status: 'ACTIVE' })
    const resumed = (await auction(book.id)).body.data
    expect(resumed).toMatchObject({ id, status: 'COLLECTING' })
    expect(Date.parse(resumed.endsAt) - Date.now()).toBeGreaterThan(50_000)
    expect(sum(await race())).toBe(0)
    await patch(book.id, { status: 'CLOSED' })
    expect((await auction(book.id, id)).body.data).toMatchObject({ status: 'CANCELLED', clearingPrice: null })
    expect(await order(orderId)).toMatchObject({ status: 'CANCELLED', cancelReason: 'ORDER_BOOK_CLOSED' })
    expect((await patch(book.id, { status: 'ACTIVE' })).body.data.currentAuctionId).not.toBeNull()
  })

  it('are opened by a worker where one is missing, once', async () => {
    const { id } = await stockBook()
    await patch(id, { status: 'PAUSED' })
    await patch(id, PERIODIC)
    await world.superuser`update order_books set status = 'ACTIVE' where book_id = ${id}`
    const [worker] = workers
    if (!worker) throw new Error('no worker')
    const { caller, tenant } = await worker.as(world.instance)
    await worker.units.submit(tenant, id, {
      grant: caller.grant,
      looks: { instanceId: world.instance.instanceId, holders: [], clientOrderIds: [] },
      perform: (turn) => turn.execute({ kind: 'updateBook', at: 0, book: id, status: 'ACTIVE' }),
    })
    const done = await race()
    expect(done.reduce((total, { opened }) => total + opened, 0)).toBe(1)
    expect((await auction(id)).body.data).toMatchObject({ status: 'COLLECTING' })
  })

  describe('of a HYBRID book', () => {
    const minute = (id: string, seconds = 61) =>
      world.superuser`update book_spreads set sampled_at = sampled_at - make_interval(secs => ${seconds}) where book_id = ${id}`
    const counted = async (id: string) => {
      const [row] = await world.superuser`select wide, narrow from book_spreads where book_id = ${id}`
      return [row?.wide, row?.narrow]
    }

    it('begin after five wide samples in a row, and end after five narrow ones', async () => {
      const book = await stockBook({}, HYBRID)
      await book.buy('anna', 100n * ONE, ONE)
      await book.sell('bert', 102n * ONE, ONE)
      await race()
      expect(await counted(book.id)).toEqual([1, 0])
      for (const wide of [2, 3, 4]) {
        expect((await race()).map(({ sampled }) => sampled)).toEqual([0, 0])
        await minute(book.id)
        await race()
        expect(await counted(book.id)).toEqual([wide, 0])
      }
      expect((await bookOf(book.id)).currentAuctionId).toBeNull()
      await minute(book.id)
      expect((await race()).reduce((total, { opened }) => total + opened, 0)).toBe(1)
      const { currentAuctionId } = await bookOf(book.id)
      expect(currentAuctionId).not.toBeNull()
      // Exactly at the limit is narrow: 1 of 100 in the middle.
      await book.buy('carl', 100_500_000n, ONE)
      await book.sell('carl', 101_510_000n, ONE)
      for (let sample = 0; sample < 4; sample += 1) {
        await minute(book.id)
        await race()
      }
      expect(await counted(book.id)).toEqual([0, 4])
      await elapse(book.id)
      await race()
      expect((await bookOf(book.id)).currentAuctionId).not.toBeNull()
      await minute(book.id)
      await race()
      await elapse(book.id)
      expect(sum(await race())).toBe(1)
      expect((await bookOf(book.id)).currentAuctionId).toBeNull()
      expect((await book.get('/snapshot')).body.data.depth.bids).toHaveLength(2)
    })

    it('count anew after a gap, and take a side without orders for wide', async () => {
      const book = await stockBook({}, HYBRID)
      await book.buy('anna', 100n * ONE, ONE)
      await race()
      await minute(book.id)
      await race()
      expect(await counted(book.id)).toEqual([2, 0])
      await minute(book.id, 200)
      await race()
      expect(await counted(book.id)).toEqual([1, 0])
    })
  })

  it('lose nothing while customers trade on two servers', async () => {
    const books = [
      await stockBook({ takerFeeBps: 13 }, PERIODIC),
      await stockBook({}, { ...PERIODIC, auctionRollUnmatched: false }),
    ]
    let isTrading = true
    const clearing = (async () => {
      let cleared = 0
      while (isTrading) {
        for (const { id } of books) await elapse(id)
        cleared += sum(await race())
      }
      return cleared
    })()
    const { failed } = await tradeAtRandom({
      venues: workers,
      instance: world.instance,
      books: books.map(({ id }) => id),
      customers: ['anna', 'bert', 'carl'],
      tokens: books.flatMap(({ base, quote }) => [base, quote]),
      random: seededRandom(35),
      steps: 250,
      atOnce: 12,
    })
    isTrading = false
    expect(failed).toEqual([])
    expect(await clearing).toBeGreaterThan(2)
    const audits = []
    for (const { id } of books) audits.push(await auditUnit(world.superuser, id))
    expect(audits[0]?.trades).toBeGreaterThan(0)
    const [off] = await world.superuser`
      select count(*)::int as count from orders o join order_books b using (book_id)
      where o.status = 'AUCTION_PENDING' and o.auction_id is distinct from b.current_auction_id`
    expect(off?.count).toBe(0)
    const [open] = await world.superuser`
      select count(*)::int as count from book_auctions a join order_books b using (book_id)
      where (a.status = 'COLLECTING') <> (b.current_auction_id is not distinct from a.auction_id)`
    expect(open?.count).toBe(0)
    const instanceBooks =
      await world.superuser`select unit_id from order_books where instance_id = ${world.instance.instanceId} and settlement_mode = 'OFF_CHAIN'`
    const engines = []
    for (const { unit_id } of instanceBooks) engines.push((await auditUnit(world.superuser, unit_id)).engine)
    await auditLedger(world.superuser, world.instance.instanceId, engines)
  })

  it('are read by whoever may read the book', async () => {
    const { id } = await stockBook({}, PERIODIC)
    const stranger = await world.createInstance()
    const running = (await auction(id)).body.data.id
    for (const path of ['current', running]) {
      const refused = await stranger.call('GET', `${STOCKS}/order-books/${id}/auctions/${path}`)
      expect([refused.status, refused.body.error.code]).toEqual([404, 'ORDER_BOOK_NOT_FOUND'])
      const long = await auction('x'.repeat(101), path)
      expect([long.status, long.body.error.code]).toEqual([400, 'INVALID_PARAM'])
    }
    const other = await stockBook()
    for (const unknown of [running, 'none', other.id])
      expect((await auction(other.id, unknown)).body).toMatchObject({ success: true, data: null })
  })
})
