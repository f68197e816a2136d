import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createOffchainWorld,
  newToken,
  OFFCHAIN,
  type OffchainWorld,
  ONE,
} from '../../../test/trading/offchain-world.ts'
import { newPair, startVenue } from '../../../test/trading/venue-world.ts'

describe('an off-chain book', () => {
  let world: OffchainWorld

  beforeAll(async () => {
    world = await createOffchainWorld()
  })
  afterAll(() => world.close())

  const call = (method: string, path: string, body?: object) =>
    world.instance.call(method, `${OFFCHAIN}${path}`, body ? { body } : {})
  const request = (more: object = {}) => ({ ...newPair(), name: 'Nordlicht', symbol: 'NORD', ...more })
  const create = (more: object = {}) => call('POST', '/order-books', request(more))
  const patch = (id: string, body: object) => call('PATCH', `/order-books/${id}`, body)
  const expectRefusal = (answer: { status: number; body: { error: object } }, status: number, error: object) =>
    expect([answer.status, answer.body.error]).toMatchObject([status, error])

  it('is created with the settings that were sent and the defaults for the others', async () => {
    const pair = newPair()
    const sent = { minOrderSize: '10', tickSize: '5', takerFeeBps: 30, mmMakerRebateBps: -5, priceRefEnabled: true }
    const made = await create({ ...pair, tokenAddress: pair.tokenAddress.toUpperCase().replace('0X', '0x'), ...sent })
    expect(made.status).toBe(200)
    expect(made.body.data).toMatchObject({
      instanceId: world.instance.instanceId,
      ...pair,
      ...sent,
      status: 'ACTIVE',
      tokenType: 'LIGHT_TOKEN',
      settlementMode: 'OFF_CHAIN',
      custodyContract: null,
      maxOrderSize: null,
      makerFeeBps: 0,
      tradingMode: 'CONTINUOUS',
      priceRefMode: 'MANUAL',
      priceRefEnforcement: 'EVERY_TRADE',
      allowImport: false,
      allowSharedLiquidity: false,
    })
    expect((await call('GET', `/order-books/${made.body.data.id}`)).body.data).toEqual(made.body.data)
  })

  it('is refused on a pair or with settings that make no sense', async () => {
    const pair = newPair()
    expectRefusal(await create({ ...pair, quoteTokenAddress: pair.tokenAddress }), 400, { code: 'INVALID_PAIR' })
    const mixed = `0x${'aB'.repeat(20)}`
    expectRefusal(await create({ tokenAddress: mixed }), 400, {
      code: 'VALIDATION_ERROR',
      details: [{ field: 'tokenAddress' }],
    })
    for (const settings of [
      { tickSize: '0' },
      { maxOrderSize: '0' },
      { minOrderSize: '10', maxOrderSize: '9' },
      { tickSize: '9999999999999999999' },
    ])
      expectRefusal(await create(settings), 400, { code: 'INVALID_CONFIG' })
  })

  it('is the only open one on its pair; a closed one does not stand in the way', async () => {
    const pair = newPair()
    const first = await create(pair)
    expectRefusal(await create(pair), 409, { code: 'ORDER_BOOK_EXISTS' })
    await patch(first.body.data.id, { status: 'CLOSED' })
    const second = await create(pair)
    expect(second.status).toBe(200)
    expectRefusal(await patch(first.body.data.id, { status: 'ACTIVE' }), 409, { code: 'ORDER_BOOK_EXISTS' })
    await patch(second.body.data.id, { status: 'CLOSED' })
    expect((await patch(first.body.data.id, { status: 'PAUSED' })).body.data.status).toBe('PAUSED')
    const atOnce = await Promise.all([1, 2, 3, 4].map(() => create({ ...pair, quoteTokenAddress: newToken() })))
    expect(atOnce.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const contested = newPair()
    const race = await Promise.all([1, 2, 3, 4].map(() => create(contested)))
    expect(race.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })

  it('changes only what is sent, and cancels what rests when it closes', async () => {
    const book = await world.createBook({ tickSize: '10', maxOrderSize: '9000000' })
    await book.fund('anna')
    const { orderId } = (await book.buy('anna', ONE, ONE)).body.data.order
    const changed = await patch(book.id, { takerFeeBps: 5, maxOrderSize: null })
    expect(changed.body.data).toMatchObject({ takerFeeBps: 5, maxOrderSize: null, tickSize: '10', status: 'ACTIVE' })
    expectRefusal(await patch(book.id, { minOrderSize: '5', maxOrderSize: '4' }), 400, { code: 'INVALID_CONFIG' })
    expect((await book.sell('anna', 2n * ONE, 20n * ONE)).status).toBe(200)
    await patch(book.id, { status: 'CLOSED' })
    expect((await call('GET', `/orders/${orderId}`)).body.data).toMatchObject({
      status: 'CANCELLED',
      cancelReason: 'ORDER_BOOK_CLOSED',
    })
    expect(await book.balance('anna', book.quote)).toMatchObject({ reserved: '0' })
    expect((await book.get('/snapshot')).body.data.depth).toEqual({ bids: [], asks: [] })
  })

  it('is listed newest first, by status, whatever its token type, and never to others', async () => {
    const other = await world.createInstance()
    const mine = async (query = '') => (await other.call('GET', `${OFFCHAIN}/order-books${query}`)).body.data
    expect(await mine()).toEqual([])
    const ids: string[] = []
    for (const tokenType of ['STOCK_TOKEN', 'LIGHT_TOKEN']) {
      const made = await other.call('POST', `${OFFCHAIN}/order-books`, { body: request({ tokenType }) })
      ids.unshift(made.body.data.id)
    }
    expect((await mine()).map(({ id }: { id: string }) => id)).toEqual(ids)
    expect((await mine('?status=ACTIVE')).length).toBe(2)
    expect(await mine('?status=CLOSED')).toEqual([])
    expectRefusal(await other.call('GET', `${OFFCHAIN}/order-books?status=OPEN`), 400, { code: 'INVALID_PARAM' })
    for (const path of ['', '/snapshot', '/trades', '/price-reference'])
      expectRefusal(await call('GET', `/order-books/${ids[0]}${path}`), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
    expectRefusal(await patch(ids[0] ?? '', { status: 'PAUSED' }), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
  })

  it('pages its trades, newest first, and holds what was asked within bounds', async () => {
    const book = await world.createBook()
    await book.fund('anna', 'bert')
    await book.sell('anna', ONE, 10n * ONE)
    for (let count = 1n; count <= 3n; count += 1n) await book.buy('bert', ONE, count * ONE)
    const page = async (query: string) => (await book.get(`/trades${query}`)).body.data
    const quantities = ({ trades }: { trades: { quantity: string }[] }) => trades.map(({ quantity }) => quantity)
    expect(quantities(await page(''))).toEqual(['3000000', '2000000', '1000000'])
    expect(await page('?limit=1&offset=1')).toMatchObject({
      total: 3,
      limit: 1,
      offset: 1,
      trades: [{ quantity: '2000000' }],
    })
    expect(await page('?limit=1000&offset=-4')).toMatchObject({ limit: 100, offset: 0, total: 3 })
    expect(await page('?limit=0&offset=x')).toMatchObject({ limit: 1, offset: 0 })
    expect(await page('?limit=many')).toMatchObject({ limit: 50 })
  })

  describe('with a reference price', () => {
    it('shows none until one is set, then the price with its band', async () => {
      const book = await world.createBook({ priceRefEnabled: true, priceRefSpreadBps: 500 })
      expect((await book.get('/price-reference')).body.data).toEqual({
        enabled: true,
        mode: 'MANUAL',
        enforcement: 'EVERY_TRADE',
        spreadBps: 500,
        haltOnStale: false,
        staleTolerance: null,
        currentPrice: null,
        lowerBound: null,
        upperBound: null,
        lastUpdated: null,
        feedError: null,
      })
      const set = await call('POST', `/order-books/${book.id}/price-reference`, { price: '104.20' })
      expect(set.body.data.price).toBe('104.2')
      const shown = { currentPrice: '104.2', lowerBound: '98.99', upperBound: '109.41' }
      expect((await book.get('/price-reference')).body.data).toMatchObject(shown)
      expect((await book.get('/snapshot')).body.data.priceReference).toMatchObject({ price: '104.2', mode: 'MANUAL' })
      await patch(book.id, { priceRefEnabled: false })
      expect((await book.get('/price-reference')).body.data).toMatchObject({ enabled: false, currentPrice: null })
      expect((await book.get('')).body.data.priceRefLastPrice).toBeNull()
      await book.fund('anna')
      expect((await book.buy('anna', ONE, ONE)).status).toBe(200)
    })

    it('cancels what rests outside of a new band, except for the first price', async () => {
      const book = await world.createBook({ priceRefEnabled: true, priceRefSpreadBps: 1000 })
      await book.fund('anna')
      const { orderId } = (await book.buy('anna', 5n * ONE, ONE)).body.data.order
      const set = (price: string) => call('POST', `/order-books/${book.id}/price-reference`, { price })
      await set('10')
      expect((await call('GET', `/orders/${orderId}`)).body.data.status).toBe('OPEN')
      await set('11')
      expect((await call('GET', `/orders/${orderId}`)).body.data).toMatchObject({
        status: 'CANCELLED',
        cancelReason: 'PRICE_BAND_VIOLATION',
      })
      expect(await book.balance('anna', book.quote)).toMatchObject({ reserved: '0' })
      const logged =
        await world.superuser`select price::text, source from price_reference_log where book_id = ${book.id} order by log_id`
      expect([...logged]).toEqual([
        { price: '10000000', source: 'MANUAL' },
        { price: '11000000', source: 'MANUAL' },
      ])
    })

    it('takes a positive decimal of at most six decimals, where one is kept', async () => {
      const book = await world.createBook({ priceRefEnabled: true })
      const set = (id: string, price: string) => call('POST', `/order-books/${id}/price-reference`, { price })
      for (const price of ['0', '-1', '1e3', '1.0000001', 'x', '', '9223372036855'])
        expectRefusal(await set(book.id, price), 400, { code: 'INVALID_PRICE' })
      expectRefusal(await set(book.id, '1'.repeat(65)), 400, { code: 'VALIDATION_ERROR' })
      const without = await world.createBook()
      expectRefusal(await set(without.id, '1'), 400, { code: 'PRICE_REF_DISABLED' })
      expectRefusal(await set('nothing', '1'), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
    })
  })

  it('is not one that settles on chain', async () => {
    const venue = startVenue(world)
    const { caller, tenant } = await venue.as(world.instance)
    const { id } = await venue.books.create(tenant, caller, {
      ...newPair(),
      class: 'stocks',
      name: 'On chain',
      symbol: 'ON',
      tokenType: 'STOCK_TOKEN',
      settlementMode: 'ON_CHAIN',
    })
    await venue.close()
    for (const answer of [
      await call('GET', `/order-books/${id}`),
      await patch(id, { status: 'PAUSED' }),
      await call('GET', `/order-books/${id}/price-reference`),
      await call('POST', `/order-books/${id}/price-reference`, { price: '1' }),
    ])
      expectRefusal(answer, 400, { code: 'WRONG_SETTLEMENT_MODE' })
    expect((await call('GET', `/order-books/${id}/snapshot`)).body.data.orderBook.settlementMode).toBe('ON_CHAIN')
    expect((await call('GET', '/order-books')).body.data.map((book: { id: string }) => book.id)).not.toContain(id)
  })
})
