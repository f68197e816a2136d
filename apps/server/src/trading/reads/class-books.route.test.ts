import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOffchainWorld, newToken, type OffchainWorld, ONE } from '../../../test/trading/offchain-world.ts'
import { createPool, type Pool } from '../../../test/trading/pool.ts'
import { newPair, startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import type { TestInstance } from '../../../test/world.ts'

const COMMODITIES = '/orderbooks/commodities/api'
const EXTERNAL = '/orderbooks/external-securities/api'
const DAY_MS = 86_400_000

describe('books of the three classes', () => {
  let world: OffchainWorld
  let venue: Venue
  let pool: Pool
  let other: TestInstance

  beforeAll(async () => {
    world = await createOffchainWorld()
    venue = startVenue(world)
    other = await world.createInstance()
    pool = await createPool(venue, 'commodities', [world.instance, other])
  })
  afterAll(async () => {
    await venue.close()
    await world.close()
  })

  const get = (path: string, of: TestInstance = world.instance) => of.call('GET', path)
  const expectRefusal = (answer: { status: number; body: { error: object } }, status: number, error: object) =>
    expect([answer.status, answer.body.error]).toMatchObject([status, error])

  it('are found on their own class only, by those who may see them', async () => {
    const [mine = '', theirs = ''] = pool.bookIds
    expect((await get(`${COMMODITIES}/order-books/${mine}`)).body.data).toMatchObject({
      id: mine,
      tokenType: 'LIGHT_TOKEN',
    })
    for (const path of [`${EXTERNAL}/order-books/${mine}`, `/orderbooks/stocks/api/order-books/${mine}`])
      expectRefusal(await get(path), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
    // A peer is no import: its tape can be read through the own book, the book itself cannot.
    for (const what of ['', '/snapshot', '/trades', '/stats', '/shared-peers'])
      expectRefusal(await get(`${COMMODITIES}/order-books/${theirs}${what}`), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
    expect((await get(`${COMMODITIES}/order-books`)).body.data.map(({ id }: { id: string }) => id)).toEqual([mine])
    expect((await get(`${COMMODITIES}/order-books?status=CLOSED`)).body.data).toEqual([])
    expectRefusal(await get(`${COMMODITIES}/order-books?status=HALTED`), 400, { code: 'INVALID_PARAM' })
  })

  it('that pool share depth, tape and figures between instances', async () => {
    const [mine = '', theirs = ''] = pool.bookIds
    await pool.place(0, { side: 'SELL', price: 10n * ONE, quantity: 3n * ONE })
    const snapshotOf = async (index: number) =>
      (await get(`${COMMODITIES}/order-books/${pool.bookIds[index]}/snapshot`, [world.instance, other][index])).body
        .data
    for (const index of [0, 1])
      expect((await snapshotOf(index)).depth.asks).toEqual([{ price: '10000000', quantity: '3000000', orderCount: 1 }])

    await pool.place(1, { side: 'BUY', price: 10n * ONE, quantity: ONE })
    await pool.place(0, { side: 'BUY', price: 10n * ONE, quantity: ONE })
    for (const [index, instance] of [world.instance, other].entries()) {
      const tape = (await get(`${COMMODITIES}/order-books/${pool.bookIds[index]}/trades`, instance)).body.data
      expect(tape).toMatchObject({
        total: 2,
        trades: [
          { orderBookId: mine, takerOrderBookId: null },
          {
            orderBookId: mine,
            takerOrderBookId: theirs,
            settlementStatus: 'PROCESSING',
            price: '10000000',
            quantity: '1000000',
          },
        ],
      })
      const { lastPrice, stats24h } = await snapshotOf(index)
      expect([lastPrice, stats24h]).toEqual([
        '10000000',
        { volume: '2000000', trades: 2, high: '10000000', low: '10000000' },
      ])
      const stats = (await get(`${COMMODITIES}/order-books/${pool.bookIds[index]}/stats`, instance)).body.data
      expect(stats).toEqual({
        '1h': { volume: '2000000', trades: 2 },
        '24h': { volume: '2000000', trades: 2 },
        '7d': { volume: '2000000', trades: 2 },
        '30d': { volume: '2000000', trades: 2 },
      })
    }
    const peers = (await get(`${COMMODITIES}/order-books/${mine}/shared-peers`)).body.data
    expect(peers).toMatchObject({
      enabled: true,
      peerCount: 1,
      peerIds: [theirs],
      peers: [{ instanceId: other.instanceId }],
    })
    const stranger = await world.createInstance()
    expectRefusal(await get(`${COMMODITIES}/order-books/${mine}/trades`, stranger), 404, {
      code: 'ORDER_BOOK_NOT_FOUND',
    })
  })

  it('keep failed settlements on the tape and out of every figure', async () => {
    const own = await createPool(venue, 'external-securities', [world.instance])
    const [id = ''] = own.bookIds
    await own.place(0, { side: 'SELL', price: 7n * ONE, quantity: ONE })
    await own.place(0, { side: 'BUY', price: 7n * ONE, quantity: ONE })
    await world.superuser`update trades set settlement_status = 'FAILED', settlement_error = 'expired' where maker_book_id = ${id}`
    const tape = (await get(`${EXTERNAL}/order-books/${id}/trades`)).body.data
    expect(tape).toMatchObject({ total: 1, trades: [{ settlementStatus: 'FAILED', settlementError: 'expired' }] })
    expect((await get(`${EXTERNAL}/order-books/${id}/snapshot`)).body.data).toMatchObject({
      lastPrice: null,
      stats24h: { volume: '0', trades: 0, high: null, low: null },
    })
    expect((await get(`${EXTERNAL}/order-books/${id}/stats`)).body.data['30d']).toEqual({ volume: '0', trades: 0 })
  })

  it('leave the pool while they are paused, and come back', async () => {
    const own = await createPool(venue, 'external-securities', [world.instance, other])
    const [mine = '', theirs = ''] = own.bookIds
    await own.place(1, { side: 'SELL', price: 8n * ONE, quantity: ONE })
    const patch = (body: object) => world.instance.call('PATCH', `${EXTERNAL}/order-books/${mine}`, { body })
    const asks = async () => (await get(`${EXTERNAL}/order-books/${mine}/snapshot`)).body.data.depth.asks.length
    const peers = async () => (await get(`${EXTERNAL}/order-books/${mine}/shared-peers`)).body.data
    expect(await asks()).toBe(1)
    expect((await patch({ status: 'PAUSED' })).body.data.status).toBe('PAUSED')
    expect([await asks(), (await peers()).peerCount]).toEqual([0, 0])
    await patch({ status: 'ACTIVE', allowSharedLiquidity: false })
    expect([await asks(), await peers()]).toMatchObject([0, { enabled: false, peerCount: 0 }])
    await patch({ allowSharedLiquidity: true })
    expect([await asks(), (await peers()).peerIds]).toEqual([1, [theirs]])
  })

  it('are changed by their owner only', async () => {
    const [mine = '', theirs = ''] = pool.bookIds
    const patch = (id: string, body: object) =>
      world.instance.call('PATCH', `${COMMODITIES}/order-books/${id}`, { body })
    expectRefusal(await patch(theirs, { takerFeeBps: 1 }), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
    expectRefusal(await patch(mine, { tickSize: '0' }), 400, { code: 'INVALID_CONFIG' })
    expectRefusal(await patch(mine, { takerFeeBps: 1001 }), 400, { code: 'VALIDATION_ERROR' })
    const changed = await patch(mine, { takerFeeBps: 12, priceRefCircuitBreakerBps: 500 })
    expect(changed.body.data).toMatchObject({ takerFeeBps: 12, priceRefCircuitBreakerBps: 500 })
    const { caller, tenant } = await venue.as(world.instance)
    const request = { ...newPair(), class: 'commodities', name: 'n', symbol: 's', tokenType: 'LIGHT_TOKEN' } as const
    const first = await venue.books.create(tenant, caller, { ...request, settlementMode: 'ON_CHAIN' })
    await patch(first.id, { status: 'CLOSED' })
    await venue.books.create(tenant, caller, { ...request, settlementMode: 'ON_CHAIN' })
    expectRefusal(await patch(first.id, { status: 'ACTIVE' }), 409, { code: 'ORDER_BOOK_EXISTS' })
    const offChain = await world.createBook({ tokenType: 'STOCK_TOKEN' })
    const path = `/orderbooks/stocks/api/order-books/${offChain.id}`
    expectRefusal(await world.instance.call('PATCH', path, { body: { allowImport: true } }), 400, {
      code: 'INVALID_CONFIG',
    })
    const paused = await world.instance.call('PATCH', path, { body: { status: 'PAUSED' } })
    expect(paused.body.data.status).toBe('PAUSED')
  })

  describe('of others', () => {
    let offered: Pool
    const imports = (of: TestInstance, orderBookId: string, prefix = COMMODITIES) =>
      of.call('POST', `${prefix}/imports`, { body: { orderBookId } })

    beforeAll(async () => {
      offered = await createPool(venue, 'commodities', [other, await world.createInstance()])
    })

    it('can be imported when they are offered, and are read and listed then', async () => {
      const importer = await world.createInstance()
      const [id = '', peer = ''] = offered.bookIds
      expectRefusal(await imports(importer, id), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
      await other.call('PATCH', `${COMMODITIES}/order-books/${id}`, { body: { allowImport: true } })
      const importable = async () =>
        (await get(`${COMMODITIES}/order-books/importable`, importer)).body.data.map((book: { id: string }) => book.id)
      expect(await importable()).toEqual([id])
      expectRefusal(await get(`${COMMODITIES}/order-books/${id}`, importer), 404, { code: 'ORDER_BOOK_NOT_FOUND' })

      expectRefusal(await imports(importer, id, EXTERNAL), 400, { code: 'IMPORT_TYPE_MISMATCH' })
      expectRefusal(await imports(other, id), 400, { code: 'IMPORT_OWN' })
      await world.superuser`update order_books set chain_id = 1 where book_id = ${id}`
      expectRefusal(await imports(importer, id), 400, { code: 'NETWORK_MISMATCH' })
      await world.superuser`update order_books set chain_id = 31337 where book_id = ${id}`
      const made = await imports(importer, id)
      expect(made.body.data).toMatchObject({ instanceId: importer.instanceId, orderBookId: id, active: true })
      expectRefusal(await imports(importer, id), 409, { code: 'ALREADY_IMPORTED' })
      expect(await importable()).toEqual([])

      const [listed] = (await get(`${COMMODITIES}/order-books`, importer)).body.data
      expect(listed).toMatchObject({ id, instanceId: other.instanceId, _imported: true, _importId: made.body.data.id })
      // With the book comes the tape of its pool.
      await offered.place(1, { side: 'SELL', price: 5n * ONE, quantity: ONE })
      await offered.place(1, { side: 'BUY', price: 5n * ONE, quantity: ONE })
      const tape = (await get(`${COMMODITIES}/order-books/${id}/trades`, importer)).body.data
      expect(tape).toMatchObject({ total: 1, trades: [{ orderBookId: peer }] })
      const patched = await importer.call('PATCH', `${COMMODITIES}/order-books/${id}`, { body: { status: 'PAUSED' } })
      expectRefusal(patched, 404, { code: 'ORDER_BOOK_NOT_FOUND' })

      const removed = await importer.call('DELETE', `${COMMODITIES}/imports/${made.body.data.id}`)
      expect(removed.body.data).toMatchObject({ id: made.body.data.id, active: false })
      expectRefusal(await get(`${COMMODITIES}/order-books/${id}/trades`, importer), 404, {
        code: 'ORDER_BOOK_NOT_FOUND',
      })
      const again = await importer.call('DELETE', `${COMMODITIES}/imports/${made.body.data.id}`)
      expectRefusal(again, 404, { code: 'IMPORT_NOT_FOUND' })
      expect((await imports(importer, id)).body.data).toMatchObject({ id: made.body.data.id, active: true })
    })
  })

  describe('by day', () => {
    const daily = (token: string, query = '', of: TestInstance = world.instance) =>
      get(`${EXTERNAL}/order-books/by-token/${token}/daily-stats${query}`, of)

    it('have one entry for each UTC day of the range, today included', async () => {
      const own = await createPool(venue, 'external-securities', [world.instance, other])
      await own.place(0, { side: 'SELL', price: 10n * ONE, quantity: 3n * ONE })
      await own.place(1, { side: 'BUY', price: 10n * ONE, quantity: ONE })
      await own.place(0, { side: 'SELL', price: 9_500_000n, quantity: ONE })
      await own.place(1, { side: 'BUY', price: 10n * ONE, quantity: 1_500_000n })
      const { data } = (await daily(own.pair.tokenAddress.toUpperCase().replace('0X', '0x'))).body
      expect(data).toMatchObject({ hasOrderbook: true, range: '1M', truncated: false })
      expect(data.orderbooks).toMatchObject([{ id: own.bookIds[0], quoteTokenAddress: own.pair.quoteTokenAddress }])
      expect(data.stats).toHaveLength(30)
      const today = world.clock.now().toISOString().slice(0, 10)
      expect(data.stats.at(-1)).toEqual({
        date: today,
        orderCount: 4,
        tradeCount: 3,
        volumeBase: 2.5,
        volumeQuote: 24.5,
        priceHigh: 10,
        priceLow: 9.5,
        priceOpen: 10,
        priceClose: 10,
      })
      expect(data.stats[0]).toMatchObject({ tradeCount: 0, volumeBase: 0, priceHigh: null, priceOpen: null })
      expect(data.totals).toEqual({ orderCount: 4, tradeCount: 3, volumeBase: 2.5, volumeQuote: 24.5 })
      for (const [range, days] of Object.entries({ '1W': 7, '3M': 90, '6M': 180, '1Y': 365 })) {
        const { stats } = (await daily(own.pair.tokenAddress, `?range=${range}`)).body.data
        expect([stats.length, stats[0].date]).toEqual([
          days,
          new Date(Date.parse(today) - (days - 1) * DAY_MS).toISOString().slice(0, 10),
        ])
      }
    })

    it('are empty without a book, and do not count what is closed or of another money', async () => {
      const nothing = (await daily(newToken())).body.data
      expect(nothing).toEqual({
        hasOrderbook: false,
        orderbooks: [],
        stats: [],
        range: '1M',
        truncated: false,
        totals: { orderCount: 0, tradeCount: 0, volumeBase: 0, volumeQuote: 0 },
      })
      const first = await createPool(venue, 'external-securities', [world.instance])
      const second = await createPool(venue, 'external-securities', [world.instance], {
        tokenAddress: first.pair.tokenAddress,
      })
      for (const own of [first, second]) {
        await own.place(0, { side: 'SELL', price: 10n * ONE, quantity: ONE })
        await own.place(0, { side: 'BUY', price: 10n * ONE, quantity: ONE })
      }
      const both = (await daily(first.pair.tokenAddress)).body.data
      expect([both.orderbooks.length, both.totals.tradeCount]).toEqual([2, 1])
      const path = `${EXTERNAL}/order-books/${first.bookIds[0]}`
      await world.instance.call('PATCH', path, { body: { status: 'CLOSED' } })
      const left = (await daily(first.pair.tokenAddress)).body.data
      expect([left.orderbooks.length, left.totals.tradeCount]).toEqual([1, 1])
      expect((await daily(first.pair.tokenAddress, '', other)).body.data.hasOrderbook).toBe(false)
    })

    it('leave the oldest whole days out when too many rows lie behind them', async () => {
      const own = await createPool(venue, 'external-securities', [world.instance])
      const [id = ''] = own.bookIds
      for (const [age, trades] of [
        [0, 20_000],
        [1, 20_000],
        [2, 15_000],
        [5, 1],
      ] as const)
        await world.superuser`
          insert into book_days (unit_id, book_id, day, trade_count, volume_base, volume_quote)
          values (${own.unitId}, ${id}, (${world.clock.now()}::timestamptz at time zone 'UTC')::date - ${age}::int, ${trades}, 1000000, 1000000)`
      const { data } = (await daily(own.pair.tokenAddress)).body
      expect([data.truncated, data.stats.length, data.totals.tradeCount]).toEqual([true, 2, 40_000])
    })

    it('want a known range and an address', async () => {
      expectRefusal(await daily(newToken(), '?range=2W'), 400, { code: 'INVALID_PARAM' })
      expectRefusal(await daily('0x12'), 400, { code: 'VALIDATION_ERROR' })
      expectRefusal(await daily(`0x${'aB'.repeat(20)}`), 400, { code: 'VALIDATION_ERROR' })
    })
  })
})
