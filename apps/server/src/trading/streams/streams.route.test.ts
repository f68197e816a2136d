import type { AddressInfo } from 'node:net'
import { createBookReplica, type Operation, operations, tradingOperations } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInWithKey } from '../../../test/browser.ts'
import { startReplica } from '../../../test/replica.ts'
import { must } from '../../../test/signing.ts'
import { type Listener, listenEvents, listenSocket } from '../../../test/streams/listener.ts'
import {
  createOffchainWorld,
  OFFCHAIN,
  type OffchainWorld,
  ONE,
  type TestBook,
} from '../../../test/trading/offchain-world.ts'
import { createPool } from '../../../test/trading/pool.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import type { TestInstance } from '../../../test/world.ts'

const { streamFills, streamOffchainBook, streamOffchainFills, streamOrderBook } = tradingOperations
const CLASSES = ['stocks', 'commodities', 'external-securities'] as const
const everyWay = Object.entries({ 'server-sent events': listenEvents, 'a WebSocket': listenSocket })
const everyStream = operations.filter(({ stream }) => stream).map((operation) => [operation.id, operation] as const)
const STREAMS_PER_KEY = 6

describe('streams of order books', () => {
  let world: OffchainWorld
  let other: TestInstance
  let venue: Venue
  let base: string

  beforeAll(async () => {
    world = await createOffchainWorld({ streamSettings: { perKey: STREAMS_PER_KEY, recheckMs: 50, heartbeatMs: 600 } })
    other = await world.createInstance()
    venue = startVenue(world)
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    base = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await venue.close()
    await world.close()
  })

  const request = (operation: Operation, of = world.instance) => ({ key: of.apiKey, operation })
  const bookUrl = (id: string) => `${base}${OFFCHAIN}/order-books/${id}/stream`
  const fillsUrl = (id: string, query = '') => `${base}${OFFCHAIN}/order-books/${id}/fills/stream${query}`

  async function fundedBook(): Promise<TestBook> {
    const book = await world.createBook({ takerFeeBps: 15 })
    await book.fund('anna', 'bert')
    return book
  }

  /** Builds the book of a stream up to a journal entry. */
  async function replicaAt(listener: Listener, sequence: string) {
    const replica = createBookReplica()
    const messages = []
    while (replica.sequence() !== sequence) {
      const message = await listener.next()
      messages.push(message)
      replica.take(message)
    }
    return { replica, messages }
  }

  describe.each(everyWay)('over %s', (_name, listen) => {
    it('show a book and all that happens to it, as the depth shows it', async () => {
      const book = await fundedBook()
      await book.sell('anna', 41n * ONE, 2n * ONE)
      const listener = await listen(bookUrl(book.id), request(streamOffchainBook))
      expect(await listener.next()).toMatchObject({
        type: 'snapshot',
        orderBookId: book.id,
        sequence: '2',
        isPooled: false,
        status: 'ACTIVE',
        auctionId: null,
        bids: [],
        asks: [{ price: '41000000', quantity: '2000000', orderCount: 1 }],
        trades: [],
      })
      await book.sell('anna', 40n * ONE, 5n * ONE)
      expect(await listener.next()).toMatchObject({
        type: 'update',
        firstSequence: '3',
        lastSequence: '3',
        bids: [],
        asks: [{ price: '40000000', quantity: '5000000', orderCount: 1 }],
      })
      await book.buy('bert', 41n * ONE, 6n * ONE)
      const traded = await listener.next()
      const tape = (await book.get('/trades')).body.data.trades
      expect(traded.trades).toEqual(tape.toReversed())
      expect(traded.asks).toEqual([
        { price: '40000000', quantity: '0', orderCount: 0 },
        { price: '41000000', quantity: '1000000', orderCount: 1 },
      ])
      await world.instance.call('PATCH', `${OFFCHAIN}/order-books/${book.id}`, { body: { status: 'PAUSED' } })
      expect(await listener.next()).toMatchObject({ type: 'update', firstSequence: '5', status: 'PAUSED', asks: [] })
      listener.close()
      const again = await listen(bookUrl(book.id), request(streamOffchainBook))
      const { depth, journal } = (await book.get('/snapshot')).body.data
      const { replica } = await replicaAt(again, journal.sequence)
      expect([replica.bids(), replica.asks(), replica.headHash()]).toEqual([depth.bids, depth.asks, journal.headHash])
      again.close()
    })

    it('tell own fills, and go on where they were left', async () => {
      const book = await fundedBook()
      const first = await listen(fillsUrl(book.id), request(streamOffchainFills))
      expect(await first.next()).toEqual({ type: 'ready', id: '1' })
      await book.sell('anna', 40n * ONE, 3n * ONE)
      await book.buy('bert', 40n * ONE, ONE)
      const fill = await first.next('fill')
      expect(fill).toMatchObject({ event: 'TRADE', own: ['MAKER', 'TAKER'], id: expect.stringMatching(/^3\.\d+$/) })
      expect(fill.trade).toEqual((await book.get('/trades')).body.data.trades[0])
      first.close()
      // While nobody listens, one order that trades twice in one entry.
      await book.sell('anna', 40n * ONE, 3n * ONE)
      await book.buy('bert', 40n * ONE, 3n * ONE)
      const later = { headers: { 'last-event-id': fill.id } }
      // What was seen last counts more than what the address says.
      const second = await listen(fillsUrl(book.id, '?after=0'), { ...request(streamOffchainFills), ...later })
      expect(await second.next()).toEqual({ type: 'ready', id: fill.id })
      const missed = [await second.next('fill'), await second.next('fill')]
      second.close()
      const half = await listen(fillsUrl(book.id, `?after=${missed[0].id}`), request(streamOffchainFills))
      expect(await half.next('fill')).toEqual(missed[1])
      await book.buy('bert', 40n * ONE, ONE)
      const live = await half.next('fill')
      half.close()
      const all = await listen(fillsUrl(book.id, '?after=0'), request(streamOffchainFills))
      const seen = [await all.next('fill'), await all.next('fill'), await all.next('fill'), await all.next('fill')]
      expect(seen).toEqual([fill, ...missed, live])
      const tape = (await book.get('/trades')).body.data.trades
      expect(seen.map(({ trade }) => trade)).toEqual(tape.toReversed())
      expect(await all.next('heartbeat')).toEqual({ type: 'heartbeat', at: '6' })
      if (all.lastEventId()) expect(all.lastEventId()).toBe('6')
      all.close()
    })
  })

  it('show the pool to a book that is in one, and its own levels when it leaves', async () => {
    const pool = await createPool(venue, 'commodities', [world.instance, other])
    const [ownBook = '', otherBook = ''] = pool.bookIds
    const path = `/orderbooks/commodities/api/order-books/${ownBook}`
    await pool.place(0, { side: 'SELL', price: 12n * ONE, quantity: ONE })
    await pool.place(1, { side: 'SELL', price: 11n * ONE, quantity: ONE })
    const listener = await listenEvents(`${base}${path}/stream`, request(streamOrderBook))
    const replica = createBookReplica()
    const next = async () => {
      const message = await listener.next()
      replica.take(message)
      return message
    }
    const prices = () => replica.asks().map(({ price }) => Number(price) / Number(ONE))
    expect(await next()).toMatchObject({ type: 'snapshot', isPooled: true })
    expect(prices()).toEqual([11, 12])
    // A trade of two orders of the other book, told to all who pool.
    await pool.place(1, { side: 'BUY', price: 11n * ONE, quantity: ONE / 2n })
    expect(await next()).toMatchObject({ type: 'update', trades: [{ orderBookId: otherBook, takerOrderBookId: null }] })
    const pooling = (isWanted: boolean) =>
      venue.units.submit({}, pool.unitId, {
        grant: null,
        looks: { instanceId: other.instanceId, holders: [], clientOrderIds: [] },
        perform(turn) {
          turn.execute({ kind: isWanted ? 'pool' : 'unpool', at: 0, book: ownBook })
          turn.changeBook(ownBook, { allow_shared_liquidity: isWanted })
        },
      })
    await pooling(false)
    expect(await next()).toMatchObject({ type: 'snapshot', isPooled: false, trades: [] })
    expect(prices()).toEqual([12])
    // Nothing of this concerns the book any more; it is part of the next range.
    await pool.place(1, { side: 'BUY', price: 10n * ONE, quantity: ONE })
    await pool.place(0, { side: 'BUY', price: 12n * ONE, quantity: ONE / 4n })
    const { firstSequence, lastSequence } = await next()
    expect(Number(lastSequence) - Number(firstSequence)).toBe(1)
    await pool.place(0, { side: 'BUY', price: 11n * ONE, quantity: ONE / 4n })
    await next()
    // On the way back its bid meets the offer that was there: the snapshot brings the trade along.
    await pooling(true)
    expect(await next()).toMatchObject({
      type: 'snapshot',
      isPooled: true,
      trades: [{ orderBookId: otherBook, takerOrderBookId: ownBook, price: '11000000', quantity: String(ONE / 4n) }],
    })
    expect(prices()).toEqual([11, 12])
    const { depth, journal } = (await world.instance.call('GET', `${path}/snapshot`)).body.data
    expect([replica.asks(), replica.bids(), replica.sequence()]).toEqual([depth.asks, depth.bids, journal.sequence])
    listener.close()
  })

  it('tell both sides what became of a trade that settles on chain, and nobody else', async () => {
    const pool = await createPool(venue, 'commodities', [world.instance, other])
    const path = (index: number) => `${base}/orderbooks/commodities/api/order-books/${pool.bookIds[index]}`
    const third = await world.createInstance()
    const maker = await listenEvents(`${path(0)}/fills/stream`, request(streamFills))
    const taker = await listenSocket(`${path(1)}/fills/stream`, request(streamFills, other))
    const tape = await listenSocket(`${path(1)}/stream`, request(streamOrderBook, other))
    for (const quantity of [ONE, 2n * ONE]) {
      await pool.place(0, { side: 'SELL', price: 10n * ONE, quantity })
      await pool.place(1, { side: 'BUY', price: 10n * ONE, quantity })
    }
    await venue.units.submit({}, pool.unitId, {
      grant: null,
      looks: { instanceId: other.instanceId, holders: [], clientOrderIds: [] },
      perform(turn) {
        turn.execute({ kind: 'settle', at: 0, trade: 1 })
        turn.execute({ kind: 'unwind', at: 0, trade: 2, reason: 'NonceInvalidated' })
      },
    })
    const told = async (listener: Listener) => {
      const fills = []
      for (let count = 0; count < 4; count += 1) fills.push(await listener.next('fill'))
      return fills
    }
    const [sold, bought] = [await told(maker), await told(taker)]
    expect(sold.map(({ event, trade }) => [event, trade.settlementStatus, trade.settlementError])).toEqual([
      ['TRADE', 'PROCESSING', null],
      ['TRADE', 'PROCESSING', null],
      ['CONFIRMED', 'CONFIRMED', null],
      ['FAILED', 'FAILED', 'NonceInvalidated'],
    ])
    expect(sold.every(({ own }) => own.join() === 'MAKER')).toBe(true)
    expect(bought.map((fill) => ({ ...fill, own: ['MAKER'] }))).toEqual(sold)
    expect(sold[2].trade.tradeId).toBe(sold[0].trade.tradeId)
    let outcome = await tape.next('update')
    while (outcome.outcomes.length === 0) outcome = await tape.next('update')
    expect(outcome.outcomes).toEqual([
      { tradeId: sold[0].trade.tradeId, settlementStatus: 'CONFIRMED', settlementError: null },
      { tradeId: sold[1].trade.tradeId, settlementStatus: 'FAILED', settlementError: 'NonceInvalidated' },
    ])
    const stranger = await third.call('GET', `${path(0).slice(base.length)}/fills/stream`)
    expect(stranger.body.error.code).toBe('ORDER_BOOK_NOT_FOUND')
    for (const listener of [maker, taker, tape]) listener.close()
  })

  it('end for an importer whose import was removed', async () => {
    const pool = await createPool(venue, 'external-securities', [world.instance])
    const at = '/orderbooks/external-securities/api'
    const [bookId = ''] = pool.bookIds
    await world.instance.call('PATCH', `${at}/order-books/${bookId}`, { body: { allowImport: true } })
    const imported = await other.call('POST', `${at}/imports`, { body: { orderBookId: bookId } })
    const listener = await listenEvents(`${base}${at}/order-books/${bookId}/stream`, request(streamOrderBook, other))
    expect(await listener.next()).toMatchObject({ type: 'snapshot' })
    await other.call('DELETE', `${at}/imports/${imported.body.data.id}`)
    expect(await listener.ended()).toBe('ORDER_BOOK_NOT_FOUND')
  })

  describe('opened with a ticket', () => {
    const TICKETS = '/access/api/stream-tickets'
    const headers = { accept: 'text/event-stream' }
    const pathOf = (id: string) => `${OFFCHAIN}/order-books/${id}/stream`
    const ticketFor = async (path: string, by: Pick<TestInstance, 'call'> = world.instance): Promise<string> =>
      must(await by.call('POST', TICKETS, { body: { path } })).body.data.ticket
    const INVALID = [401, 'STREAM_TICKET_INVALID']
    const open = async (path: string, ticket: string, more: Record<string, string> = {}) => {
      const answer = await world.call('GET', `${path}?ticket=${ticket}`, { headers: { ...headers, ...more } })
      return [answer.status, answer.body.error.code]
    }

    it.each(everyWay)('show the same over %s, without a key, once', async (_name, listen) => {
      const book = await world.createBook()
      const ticket = await ticketFor(pathOf(book.id))
      const listener = await listen(`${bookUrl(book.id)}?ticket=${ticket}`, { key: '', operation: streamOffchainBook })
      expect(await listener.next()).toMatchObject({ type: 'snapshot', orderBookId: book.id })
      expect(await open(pathOf(book.id), ticket)).toEqual(INVALID)
      listener.close()
    })

    it('are for one minute, one stream and its holder, and are stored as a hash', async () => {
      const [book, second] = [await world.createBook(), await world.createBook()]
      const answer = await world.instance.call('POST', TICKETS, { body: { path: pathOf(book.id) } })
      const { ticket, expiresAt } = answer.body.data
      expect(answer.body.data).toEqual({
        ticket: expect.stringMatching(/^[0-9a-f]{64}$/),
        path: pathOf(book.id),
        expiresAt: expect.any(String),
      })
      const lasts = new Date(expiresAt).getTime() - world.clock.now().getTime()
      expect(lasts).toBeGreaterThan(50_000)
      expect(lasts).toBeLessThanOrEqual(60_000)
      const stored = await world.database.as(
        'tally_operator',
        (sql) => sql`select t::text as row from stream_tickets t`,
      )
      expect(stored.map(({ row }) => row).join()).not.toContain(ticket)
      expect(await open(pathOf(second.id), ticket)).toEqual(INVALID)
      expect(await open(`${pathOf(book.id).replace('/stream', '')}/fills/stream`, ticket)).toEqual(INVALID)
      // A key rules, and leaves the ticket as it was.
      const keyed = await other.call('GET', `${pathOf(book.id)}?ticket=${ticket}`, { headers })
      expect(keyed.body.error.code).toBe('ORDER_BOOK_NOT_FOUND')
      world.clock.advance(lasts)
      expect(await open(pathOf(book.id), ticket)).toEqual(INVALID)
      // Whatever it is made for, it shows no more than its holder sees.
      expect(await open(pathOf(book.id), await ticketFor(pathOf(book.id), other))).toEqual([
        404,
        'ORDER_BOOK_NOT_FOUND',
      ])
    })

    it('are used up once, whichever server is asked', async () => {
      const book = await world.createBook()
      const path = pathOf(book.id)
      const ticket = await ticketFor(path)
      const replica = await startReplica(world)
      // Without the header a stream is refused only after the ticket was taken.
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => [
          world.call('GET', `${path}?ticket=${ticket}`).then(({ body }) => body.error.code),
          replica.get(`${path}?ticket=${ticket}`, '').then(({ code }) => code),
        ]).flat(),
      )
      expect(answers.toSorted()).toEqual(['NOT_ACCEPTABLE', ...Array(7).fill('STREAM_TICKET_INVALID')])
      const elsewhere = await ticketFor(path)
      expect(await replica.get(`${path}?ticket=${elsewhere}`, '')).toEqual({ status: 406, code: 'NOT_ACCEPTABLE' })
      await replica.close()
    })

    it('end with the session that made them, which opens them from the console only', async () => {
      const book = await world.createBook()
      const browser = await signInWithKey(world, world.instance)
      const path = pathOf(book.id)
      const foreign = { origin: 'https://evil.example' }
      expect(await open(path, await ticketFor(path, browser), foreign)).toEqual([403, 'ORIGIN_REFUSED'])
      const listener = await listenEvents(`${bookUrl(book.id)}?ticket=${await ticketFor(path, browser)}`, {
        key: '',
        operation: streamOffchainBook,
      })
      expect(await listener.next()).toMatchObject({ type: 'snapshot' })
      const late = await ticketFor(path, browser)
      await browser.call('DELETE', '/access/api/session')
      expect(await listener.ended()).toBe('AUTH_FAILED')
      expect(await open(path, late)).toEqual([401, 'AUTH_FAILED'])
    })

    it('have the scopes that their holder has when they are used', async () => {
      const book = await world.createBook()
      const key = await world.createKey(world.instance, ['access:read'])
      const by = { call: (method: string, path: string, options = {}) => world.call(method, path, { ...options, key }) }
      const ticket = await ticketFor(pathOf(book.id), by)
      expect(await open(pathOf(book.id), ticket)).toEqual([403, 'SCOPE_MISSING'])
    })

    it('are made for streams only', async () => {
      const paths = [`${OFFCHAIN}/order-books`, '/nothing', `${pathOf('a')}?after=1`, pathOf('a/b')]
      for (const path of paths) {
        const answer = await world.instance.call('POST', TICKETS, { body: { path } })
        expect([answer.status, answer.body.error.code]).toEqual([404, 'STREAM_NOT_FOUND'])
      }
      const wrong = await world.instance.call('POST', TICKETS, { body: { path: 'x'.repeat(301) } })
      expect([wrong.status, wrong.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    })

    it.each(everyStream)('are no guess: %s', async (_id, { path }) => {
      const asked = path.replace('{orderBookId}', '01890000-0000-7000-8000-000000000000')
      expect(await open(asked, '0'.repeat(64))).toEqual(INVALID)
      expect(await open(asked, '')).toEqual(INVALID)
    })
  })

  describe('are refused', () => {
    const routes = [
      ...CLASSES.flatMap((one) => [
        `/orderbooks/${one}/api/order-books/{id}/stream`,
        `/orderbooks/${one}/api/order-books/{id}/fills/stream`,
      ]),
      `${OFFCHAIN}/order-books/{id}/stream`,
      `${OFFCHAIN}/order-books/{id}/fills/stream`,
    ]
    const headers = { accept: 'text/event-stream' }

    it.each(routes)('%s: for a book that is not there, or not for this class or instance', async (route) => {
      const book = await world.createBook({ tokenType: 'STOCK_TOKEN' })
      const get = (id: string, by = world.instance) => by.call('GET', route.replace('{id}', id), { headers })
      const notFound = [
        await get('01890000-0000-7000-8000-000000000000'),
        await get('no-id'),
        await get(book.id, other),
      ]
      for (const answer of notFound)
        expect([answer.status, answer.body.error.code]).toEqual([404, 'ORDER_BOOK_NOT_FOUND'])
      const long = await get('x'.repeat(101))
      expect([long.status, long.body.error.code]).toEqual([400, 'INVALID_PARAM'])
      const isElsewhere = route.includes('commodities') || route.includes('external')
      if (isElsewhere) expect((await get(book.id)).body.error.code).toBe('ORDER_BOOK_NOT_FOUND')
      else {
        const plain = await world.instance.call('GET', route.replace('{id}', book.id))
        expect([plain.status, plain.body.error.code]).toEqual([406, 'NOT_ACCEPTABLE'])
      }
    })

    it('with a place that is none', async () => {
      const book = await world.createBook()
      const path = `${OFFCHAIN}/order-books/${book.id}/fills/stream`
      for (const after of ['x', '-1', '1.', '1.2.3', '2', '99999999999999999999']) {
        const answer = await world.instance.call('GET', `${path}?after=${after}`, { headers })
        expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_PARAM'])
        expect(answer.body.error.details).toEqual([{ field: 'after', message: expect.any(String) }])
      }
      for (const id of ['x', '2']) {
        const answer = await world.instance.call('GET', path, { headers: { ...headers, 'last-event-id': id } })
        expect(answer.body.error).toMatchObject({ code: 'INVALID_PARAM', details: [{ field: 'Last-Event-ID' }] })
      }
    })

    it('to a key that has too many open', async () => {
      const book = await world.createBook({ tokenType: 'STOCK_TOKEN' })
      const key = await world.createKey(world.instance, ['trading:read'])
      const open = await Promise.all(
        Array.from({ length: STREAMS_PER_KEY }, () =>
          listenEvents(bookUrl(book.id), { key, operation: streamOffchainBook }),
        ),
      )
      for (const route of routes.filter((one) => one.includes('stocks'))) {
        const answer = await world.call('GET', route.replace('{id}', book.id), { key, headers })
        expect([answer.status, answer.body.error.code]).toEqual([429, 'STREAM_LIMIT_REACHED'])
        expect(answer.headers['retry-after']).toBe('1')
      }
      for (const listener of open) listener.close()
    })
  })
})
