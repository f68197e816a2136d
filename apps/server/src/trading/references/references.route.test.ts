import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createOffchainWorld,
  OFFCHAIN,
  type OffchainWorld,
  ONE,
  type TestBook,
} from '../../../test/trading/offchain-world.ts'
import { createPool } from '../../../test/trading/pool.ts'
import { type PriceFeed, startPriceFeed } from '../../../test/trading/price-feed.ts'
import { newPair, startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import type { TestAnswer } from '../../../test/world.ts'

const STOCKS = '/orderbooks/stocks/api'
const COMMODITIES = '/orderbooks/commodities/api'

describe('a reference price', () => {
  let world: OffchainWorld
  let feed: PriceFeed
  let workers: Venue[]

  beforeAll(async () => {
    feed = await startPriceFeed()
    const feeds = {
      allowedHosts: feed.host,
      ca: feed.ca,
      timeoutMs: 300,
      stockFeedUrl: `https://${feed.host}/stocks/{symbol}?x=1`,
    }
    world = await createOffchainWorld({ trading: { feeds } })
    workers = [startVenue(world, { feeds, poolSize: 4 }), startVenue(world, { feeds, poolSize: 4 })]
  })
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.close()))
    await world.close()
    await feed.close()
  })

  const fed = (more: object = {}) => ({
    priceRefEnabled: true,
    priceRefMode: 'EXTERNAL_FEED',
    priceRefFeedUrl: feed.url,
    priceRefFeedPath: 'data.0.price',
    ...more,
  })
  const stockBook = (request: Record<string, unknown> = {}) =>
    world.createBook({ tokenType: 'STOCK_TOKEN', ...request })
  const patch = (id: string, body: object) => world.instance.call('PATCH', `${STOCKS}/order-books/${id}`, { body })
  const path = (id: string, more = '') => `${STOCKS}/order-books/${id}/price-reference${more}`
  const reference = async (id: string) => (await world.instance.call('GET', path(id))).body.data
  const set = (id: string, price: unknown) => world.instance.call('POST', path(id), { body: { price } })
  const history = async (id: string, query = '') =>
    (await world.instance.call('GET', path(id, `/history${query}`))).body.data
  const sources = async (id: string) =>
    (await history(id)).logs.map((log: { source: string; price: string }) => [log.source, log.price])
  const race = () => Promise.all(workers.map((worker) => worker.feedRefresh.pass()))
  const refreshed = (done: { refreshed: number }[]) => done.reduce((total, one) => total + one.refreshed, 0)
  /** The next turn of a feed has come. */
  const elapse = (id: string) =>
    world.superuser`update order_books set price_ref_due_at = now() - interval '1 second' where book_id = ${id}`
  const expectRefusal = ({ status, body }: TestAnswer, wanted: number, error: object) =>
    expect([status, body.error]).toMatchObject([wanted, error])

  async function quiet(book: TestBook): Promise<void> {
    await patch(book.id, { status: 'CLOSED' })
  }

  describe('set by hand', () => {
    it('makes a band, sweeps what rests outside, and is in the history', async () => {
      const book = await stockBook({ priceRefEnabled: true, priceRefSpreadBps: 1000 })
      await book.fund('anna')
      expect(await reference(book.id)).toMatchObject({
        enabled: true,
        mode: 'MANUAL',
        currentPrice: null,
        lowerBound: null,
        feedError: null,
      })
      expect((await set(book.id, '100.50')).body.data).toMatchObject({ price: '100.5' })
      const { orderId } = (await book.buy('anna', 95n * ONE, ONE)).body.data.order
      expect((await set(book.id, '120')).status).toBe(200)
      expect(await reference(book.id)).toMatchObject({ currentPrice: '120', lowerBound: '108', upperBound: '132' })
      const swept = await world.instance.call('GET', `${OFFCHAIN}/orders/${orderId}`)
      expect(swept.body.data).toMatchObject({ status: 'CANCELLED', cancelReason: 'PRICE_BAND_VIOLATION' })
      const { logs, ...page } = await history(book.id)
      expect(page).toEqual({ total: 2, limit: 50, offset: 0 })
      expect(logs[0]).toMatchObject({
        orderBookId: book.id,
        instanceId: world.instance.instanceId,
        price: '120',
        source: 'MANUAL',
        enforcementUsed: 'EVERY_TRADE',
      })
      expect(await history(book.id, '?limit=1&offset=1')).toMatchObject({
        logs: [{ price: '100.5' }],
        limit: 1,
        offset: 1,
      })
    })

    it('pauses the book when it moves too far, and the log says how far', async () => {
      const book = await stockBook({ priceRefEnabled: true })
      await patch(book.id, { priceRefCircuitBreakerBps: 500 })
      await set(book.id, '100')
      await set(book.id, '106')
      const { logs } = await history(book.id)
      expect(logs).toHaveLength(3)
      expect(logs).toContainEqual(
        expect.objectContaining({ source: 'CIRCUIT_BREAKER_TRIGGERED', enforcementUsed: '600bps_move', price: '106' }),
      )
      const { body } = await world.instance.call('GET', `${STOCKS}/order-books/${book.id}`)
      expect(body.data.status).toBe('PAUSED')
    })

    it('is refused where it makes no sense', async () => {
      const book = await stockBook({ priceRefEnabled: true })
      for (const price of ['0', '1.0000001', '-1', 'abc', '1e5'])
        expectRefusal(await set(book.id, price), 400, { code: 'INVALID_PRICE' })
      expectRefusal(await set(book.id, 1), 400, { code: 'VALIDATION_ERROR' })
      expectRefusal(await set(book.id, '1'.repeat(65)), 400, { code: 'VALIDATION_ERROR' })
      const plain = await stockBook()
      expectRefusal(await set(plain.id, '1'), 400, { code: 'PRICE_REF_DISABLED' })
      expect(await reference(plain.id)).toMatchObject({ enabled: false, currentPrice: null, lastUpdated: null })
      for (const [method, more] of [
        ['GET', ''],
        ['POST', ''],
        ['GET', '/history'],
      ] as const) {
        const body = method === 'POST' ? { body: { price: '1' } } : {}
        const long = await world.instance.call(method, path('x'.repeat(101), more), body)
        expectRefusal(long, 400, { code: 'INVALID_PARAM' })
        const elsewhere = `${COMMODITIES}/order-books/${book.id}/price-reference${more}`
        expectRefusal(await world.instance.call(method, elsewhere, body), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
      }
    })

    it('belongs to the owner; who imported the book reads it', async () => {
      const [worker] = workers
      if (!worker) throw new Error('no worker')
      const importer = await world.createInstance()
      const { bookIds } = await createPool(worker, 'commodities', [world.instance])
      const url = `${COMMODITIES}/order-books/${bookIds[0]}`
      await world.instance.call('PATCH', url, {
        body: { allowImport: true, priceRefEnabled: true, priceRefFeedHeaders: '{"X-Api-Key":"secret"}' },
      })
      await importer.call('POST', `${COMMODITIES}/imports`, { body: { orderBookId: bookIds[0] } })
      await world.instance.call('POST', `${url}/price-reference`, { body: { price: '7' } })
      expect((await importer.call('GET', `${url}/price-reference`)).body.data).toMatchObject({ currentPrice: '7' })
      expect((await importer.call('GET', `${url}/price-reference/history`)).body.data).toMatchObject({
        logs: [],
        total: 0,
      })
      expectRefusal(await importer.call('POST', `${url}/price-reference`, { body: { price: '8' } }), 404, {
        code: 'ORDER_BOOK_NOT_FOUND',
      })
      expect((await world.instance.call('GET', url)).body.data.priceRefFeedHeaders).toBe('{"X-Api-Key":"***"}')
      expect((await importer.call('GET', url)).body.data.priceRefFeedHeaders).toBeNull()
    })
  })

  describe('from a feed', () => {
    it('needs a feed that may be asked', async () => {
      const create = (request: object) =>
        world.instance.call('POST', `${OFFCHAIN}/order-books`, {
          body: { ...newPair(), name: 'n', symbol: 's', ...request },
        })
      for (const request of [
        { priceRefFeedUrl: undefined },
        { priceRefFeedPath: undefined },
        { priceRefFeedPath: 'a..b' },
        { priceRefFeedUrl: `http://${feed.host}/` },
        { priceRefFeedUrl: 'https://127.0.0.1:1/' },
        { priceRefFeedUrl: 'https://169.254.169.254/latest' },
        { priceRefFeedUrl: 'https://[::1]/' },
        { priceRefFeedUrl: 'https://user:pass@93.184.215.14/' },
        { priceRefFeedHeaders: 'X-Key: 1' },
        { priceRefFeedHeaders: '{"X-Key":1}' },
        { priceRefFeedHeaders: '{"X-Key":"a\\r\\nb"}' },
      ])
        expectRefusal(await create(fed(request)), 400, { code: 'INVALID_CONFIG' })
      expectRefusal(await create(fed({ priceRefMode: 'STOCK_FEED' })), 400, { code: 'VALIDATION_ERROR' })
      const plain = await stockBook()
      expectRefusal(await patch(plain.id, { priceRefMode: 'EXTERNAL_FEED' }), 400, { code: 'INVALID_CONFIG' })
      const without = startVenue(world, { poolSize: 2 })
      const { caller, tenant } = await without.as(world.instance)
      const row = await without.books.requireOffchain(tenant, plain.id)
      const request = { priceRefMode: 'STOCK_FEED' as const, priceRefFeedPath: 'NORD' }
      await expect(without.books.update(tenant, caller, row, request)).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
      await without.close()
    })

    it('is asked once by many workers, and again when it is due', async () => {
      feed.say('100.2500004')
      const headers = JSON.stringify({ 'X-Api-Key': 'secret', Host: 'evil', Cookie: 'a=b', authorization: 'Bearer x' })
      const book = await stockBook(fed({ priceRefFeedHeaders: headers, priceRefEnforcement: '5MIN' }))
      feed.asked.length = 0
      expect(refreshed(await race())).toBe(1)
      expect(feed.asked).toHaveLength(1)
      expect(feed.asked[0]?.headers).toMatchObject({ 'x-api-key': 'secret', host: feed.host })
      expect(feed.asked[0]?.headers).not.toHaveProperty('cookie')
      expect(feed.asked[0]?.headers).not.toHaveProperty('authorization')
      expect(await reference(book.id)).toMatchObject({ mode: 'EXTERNAL_FEED', currentPrice: '100.25', feedError: null })
      expectRefusal(await set(book.id, '1'), 400, { code: 'PRICE_REF_DISABLED' })
      expect(refreshed(await race())).toBe(0)
      const [due] = await world.superuser`
        select extract(epoch from price_ref_due_at - clock_timestamp())::int as seconds from order_books where book_id = ${book.id}`
      expect(due?.seconds).toBeGreaterThan(290)
      // The same price again is fresh, but no news.
      const before = (await reference(book.id)).lastUpdated
      await elapse(book.id)
      expect(refreshed(await race())).toBe(1)
      expect((await reference(book.id)).lastUpdated > before).toBe(true)
      feed.say(1e-7 + 99)
      await elapse(book.id)
      await race()
      expect(await sources(book.id)).toEqual([
        ['EXTERNAL_FEED', '99'],
        ['EXTERNAL_FEED', '100.25'],
      ])
      await quiet(book)
      await elapse(book.id)
      expect(refreshed(await race())).toBe(0)
    })

    it('keeps the last price when the feed fails, says why, and tries again soon', async () => {
      feed.say(50)
      const book = await stockBook(fed())
      await book.fund('anna')
      await race()
      const failures: [PriceFeed['answer'], RegExp][] = [
        [(response) => response.writeHead(503).end('{"data":[{"price":1}]}'), /answered 503/],
        [(response) => response.writeHead(302, { location: 'https://169.254.169.254/' }).end(), /answered 302/],
        [(response) => response.end('<html>'), /did not answer JSON/],
        [(response) => response.end('{"data":[]}'), /no price at data.0.price/],
        [(response) => response.end('{"data":[{"price":"-3"}]}'), /no price/],
        [(response) => response.end('{"data":[{"price":0}]}'), /out of range/],
        [
          (response) => response.end(JSON.stringify({ data: [{ price: 1 }], x: 'y'.repeat(70_000) })),
          /more than 64 KB/,
        ],
        [() => undefined, /in time/],
        [(response) => response.socket?.destroy(), /cannot be reached/],
      ]
      for (const [answer, reason] of failures) {
        feed.answer = answer
        await elapse(book.id)
        expect(refreshed(await race())).toBe(0)
        expect((await reference(book.id)).feedError).toMatch(reason)
      }
      expect(await reference(book.id)).toMatchObject({ currentPrice: '50' })
      expect(await sources(book.id)).toEqual([
        ['EXTERNAL_FEED_CACHED', '50'],
        ['EXTERNAL_FEED', '50'],
      ])
      expect((await book.buy('anna', ONE, ONE)).status).toBe(200)
      // Halting is the owner's choice: then an old price stops the book, and none at all does so too.
      await patch(book.id, { priceRefHaltOnStale: true })
      expect((await book.buy('anna', ONE, ONE)).status).toBe(200)
      await world.superuser`update order_books set price_ref_last_updated = now() - interval '301 seconds' where book_id = ${book.id}`
      // As whoever writes beside the journal does.
      await world.superuser`update lanes set epoch = epoch + 1`
      expectRefusal(await book.buy('anna', ONE, ONE), 503, { code: 'PRICE_REF_STALE' })
      feed.say(51)
      await elapse(book.id)
      await race()
      expect((await book.buy('anna', ONE, ONE)).status).toBe(200)
      expect((await reference(book.id)).feedError).toBeNull()
      await quiet(book)
      const silent = await stockBook(fed({ priceRefHaltOnStale: true }))
      await silent.fund('anna')
      expectRefusal(await silent.buy('anna', ONE, ONE), 503, { code: 'PRICE_REF_UNAVAILABLE' })
      await quiet(silent)
    })

    it('breaks the circuit and sweeps like a price set by hand', async () => {
      feed.say(100)
      const book = await stockBook(fed({ priceRefSpreadBps: 500 }))
      await book.fund('anna')
      await patch(book.id, { priceRefCircuitBreakerBps: 1000 })
      await race()
      const { orderId } = (await book.buy('anna', 95n * ONE, ONE)).body.data.order
      feed.say(105)
      await elapse(book.id)
      await race()
      const swept = await world.instance.call('GET', `${OFFCHAIN}/orders/${orderId}`)
      expect(swept.body.data.cancelReason).toBe('PRICE_BAND_VIOLATION')
      feed.say(200)
      await elapse(book.id)
      await race()
      expect((await sources(book.id)).slice(0, 2)).toContainEqual(['CIRCUIT_BREAKER_TRIGGERED', '200'])
      const { body } = await world.instance.call('GET', `${STOCKS}/order-books/${book.id}`)
      expect(body.data.status).toBe('PAUSED')
      await quiet(book)
    })

    it('of stocks is the deployment’s, by symbol', async () => {
      feed.say('12.5')
      const book = await stockBook()
      expectRefusal(await patch(book.id, { priceRefMode: 'STOCK_FEED' }), 400, { code: 'INVALID_CONFIG' })
      const request = { priceRefEnabled: true, priceRefMode: 'STOCK_FEED', priceRefFeedPath: 'NORD.DE' }
      expect((await patch(book.id, request)).status).toBe(200)
      await race()
      expect(feed.asked.at(-1)?.path).toBe('/stocks/NORD.DE?x=1')
      feed.answer = (response) => response.writeHead(500).end()
      await elapse(book.id)
      await race()
      expect(await sources(book.id)).toEqual([
        ['STOCK_FEED_CACHED', '12.5'],
        ['STOCK_FEED:NORD.DE', '12.5'],
      ])
      await quiet(book)
    })

    it('that was changed meanwhile does not count', async () => {
      let release: (() => void) | undefined
      const asked = new Promise<void>((resolve) => {
        feed.answer = (response) => {
          release = () => response.end('{"data":[{"price":1}]}')
          resolve()
        }
      })
      const book = await stockBook(fed())
      const [worker] = workers
      const pass = worker?.feedRefresh.pass()
      await asked
      await patch(book.id, { priceRefFeedPath: 'price' })
      release?.()
      expect(await pass).toMatchObject({ refreshed: 0 })
      expect((await reference(book.id)).currentPrice).toBeNull()
      feed.say(2)
      expect(refreshed(await race())).toBe(1)
      expect((await reference(book.id)).currentPrice).toBe('2')
      await quiet(book)
    })

    it('is taken over from a worker that died with it', async () => {
      feed.say(3)
      const book = await stockBook(fed())
      await world.superuser`
        update order_books set price_ref_claim = gen_random_uuid(), price_ref_claimed_until = now() + interval '1 minute' where book_id = ${book.id}`
      expect(refreshed(await race())).toBe(0)
      await world.superuser`update order_books set price_ref_claimed_until = now() - interval '1 second' where book_id = ${book.id}`
      expect(refreshed(await race())).toBe(1)
      await quiet(book)
    })
  })
})
