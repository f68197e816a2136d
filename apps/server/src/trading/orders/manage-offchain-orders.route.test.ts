import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createOffchainWorld,
  OFFCHAIN,
  type OffchainWorld,
  ONE,
  type TestBook,
} from '../../../test/trading/offchain-world.ts'

describe('a resting order', () => {
  let world: OffchainWorld
  let book: TestBook

  beforeAll(async () => {
    world = await createOffchainWorld()
    book = await world.createBook({ minOrderSize: '500000', maxOrderSize: '9000000', tickSize: '1000' })
    await book.fund('anna', 'bert')
  })
  afterAll(() => world.close())

  const call = (method: string, path: string, body?: object) =>
    world.instance.call(method, `${OFFCHAIN}${path}`, body ? { body } : {})
  const cancel = (orderId: string, customerRef = 'anna') => call('DELETE', `/orders/${orderId}`, { customerRef })
  const amend = (orderId: string, request: object, customerRef = 'anna') =>
    call('PATCH', `/orders/${orderId}`, { customerRef, ...request })
  const rest = async (price = 10n * ONE, quantity = 2n * ONE, request: object = {}) =>
    (await book.buy('anna', price, quantity, { ...request })).body.data.order.orderId as string

  it('can be cancelled by its customer, once, and gives back what it reserved', async () => {
    const before = await book.balance('anna', book.quote)
    const orderId = await rest()
    const done = await cancel(orderId)
    expect(done.body.data).toMatchObject({ orderId, status: 'CANCELLED', cancelReason: 'USER_CANCELLED' })
    expect(await book.balance('anna', book.quote)).toEqual(before)
    const again = await cancel(orderId)
    expect([again.status, again.body.error.code]).toEqual([404, 'ORDER_NOT_FOUND'])
  })

  it('is nobody else’s to cancel, change or read', async () => {
    const orderId = await rest()
    const stranger = await world.createInstance()
    for (const answer of [
      await cancel(orderId, 'bert'),
      await amend(orderId, { quantity: '1000000' }, 'bert'),
      await stranger.call('DELETE', `${OFFCHAIN}/orders/${orderId}`, { body: { customerRef: 'anna' } }),
      await stranger.call('GET', `${OFFCHAIN}/orders/${orderId}`),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'ORDER_NOT_FOUND'])
    await cancel(orderId)
  })

  it('is among what depends on its token, for its instance only', async () => {
    const own = await world.createBook()
    await own.fund('anna')
    const path = `/customers/api/identity/exposure?tokenAddress=${own.base}`
    const resting = async () => (await world.instance.call('GET', path)).body.data.orders
    const orderId = (await own.sell('anna', 10n * ONE, 4n * ONE)).body.data.order.orderId
    const line = { orderId, orderBookId: own.id, side: 'SELL', holder: 'offchain:anna', remaining: '4000000' }
    await expect.poll(resting).toEqual([expect.objectContaining(line)])
    const stranger = await world.createInstance()
    expect((await stranger.call('GET', path)).body.data).toMatchObject({ orders: [], loans: [] })
    await cancel(orderId)
    await expect.poll(resting).toEqual([])
  })

  it('keeps its place when it becomes smaller, and loses it with another price or more of it', async () => {
    const own = await world.createBook()
    await own.fund('first', 'second', 'taker')
    const first = (await own.sell('first', 10n * ONE, 4n * ONE)).body.data.order.orderId as string
    await own.sell('second', 10n * ONE, 4n * ONE)
    const smaller = await amend(first, { quantity: String(2n * ONE) }, 'first')
    expect(smaller.body.data).toMatchObject({ status: 'OPEN', remainingQuantity: '2000000' })
    expect(await own.balance('first', own.base)).toMatchObject({ reserved: '2000000' })
    const hit = await own.buy('taker', 10n * ONE, ONE)
    expect(hit.body.data.trades[0].makerAddress).toBe('offchain:first')
    const larger = await amend(first, { quantity: String(5n * ONE) }, 'first')
    expect(larger.body.data).toMatchObject({
      status: 'PARTIALLY_FILLED',
      filledQuantity: '1000000',
      remainingQuantity: '4000000',
    })
    const next = await own.buy('taker', 10n * ONE, ONE)
    expect(next.body.data.trades[0].makerAddress).toBe('offchain:second')
    await own.buy('taker', 9n * ONE, ONE)
    const crossing = await amend(first, { price: String(9n * ONE) }, 'first')
    expect(crossing.body.data.trades).toMatchObject([{ price: '9000000', quantity: '1000000', side: 'SELL' }])
  })

  it('is changed only within the rules of its book', async () => {
    const orderId = await rest()
    const refusals: [object, number, string][] = [
      [{}, 400, 'VALIDATION_ERROR'],
      [{ quantity: '400000' }, 400, 'ORDER_TOO_SMALL'],
      [{ quantity: '9000001' }, 400, 'ORDER_TOO_LARGE'],
      [{ quantity: '0' }, 400, 'INVALID_QUANTITY'],
      [{ price: '10000001' }, 400, 'INVALID_PRICE'],
      [{ price: '9000000000000000000', quantity: '9000000' }, 400, 'ORDER_TOO_LARGE'],
      [{ price: '1000000000000000', quantity: '9000000' }, 400, 'INSUFFICIENT_BALANCE'],
    ]
    for (const [request, status, code] of refusals) {
      const answer = await amend(orderId, request)
      expect([request, answer.status, answer.body.error?.code]).toEqual([request, status, code])
    }
    const unknown = await amend('01890000-0000-7000-8000-00000000dead', { quantity: '1000000' })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'ORDER_NOT_FOUND'])
    const postOnly = await rest(9n * ONE, ONE, { postOnly: true })
    await book.sell('bert', 20n * ONE, ONE)
    const crossing = await amend(postOnly, { price: String(20n * ONE) })
    expect([crossing.status, crossing.body.error.code]).toEqual([409, 'POST_ONLY_WOULD_CROSS'])
    await call('PATCH', `/order-books/${book.id}`, { status: 'PAUSED' })
    const paused = await amend(orderId, { quantity: '1000000' })
    expect([paused.status, paused.body.error.code]).toEqual([404, 'ORDER_BOOK_NOT_FOUND'])
    // A paused book lets go of what rests.
    expect((await cancel(orderId)).status).toBe(200)
    await call('PATCH', `/order-books/${book.id}`, { status: 'ACTIVE' })
  })

  it('follows the reference price when it is changed, like a new one', async () => {
    const own = await world.createBook()
    await own.fund('anna')
    const orderId = (await own.buy('anna', 10n * ONE, ONE)).body.data.order.orderId as string
    const settings = { priceRefEnabled: true, priceRefSpreadBps: 1000, priceRefHaltOnStale: true }
    await call('PATCH', `/order-books/${own.id}`, settings)
    const without = await amend(orderId, { price: '10500000' })
    expect([without.status, without.body.error.code]).toEqual([503, 'PRICE_REF_UNAVAILABLE'])
    await call('POST', `/order-books/${own.id}/price-reference`, { price: '10' })
    const outside = await amend(orderId, { price: '12000000' })
    expect([outside.status, outside.body.error.code]).toEqual([400, 'PRICE_OUTSIDE_BAND'])
    expect((await amend(orderId, { price: '10500000' })).status).toBe(200)
    world.clock.advance(400_000)
    const stale = await amend(orderId, { price: '10400000' })
    expect([stale.status, stale.body.error.code]).toEqual([503, 'PRICE_REF_STALE'])
  })

  it('ends with all others of a customer, of a side or of a book', async () => {
    const [one, other] = [await world.createBook(), await world.createBook()]
    for (const own of [one, other]) {
      await own.fund('carl', 'dora')
      await own.buy('carl', 5n * ONE, ONE)
      await own.sell('carl', 9n * ONE, ONE)
      await own.buy('dora', 4n * ONE, ONE)
    }
    const massCancel = async (body: object) => (await call('POST', '/orders/mass-cancel', body)).body.data.cancelled
    expect(await massCancel({ customerRef: 'carl', orderBookId: one.id, side: 'BUY' })).toBe(1)
    expect(await massCancel({ customerRef: 'carl' })).toBe(3)
    expect(await massCancel({ orderBookId: other.id })).toBe(1)
    expect(await one.balance('carl', one.base)).toMatchObject({ reserved: '0' })
    const nothing = await call('POST', '/orders/mass-cancel', { side: 'BUY' })
    expect([nothing.status, nothing.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const unknown = await call('POST', '/orders/mass-cancel', { orderBookId: 'nothing' })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'ORDER_BOOK_NOT_FOUND'])
  })

  it('is shown with its book and its trades, and in the lists of its customer', async () => {
    const own = await world.createBook()
    await own.fund('emil', 'frida')
    const made = (await own.sell('emil', 10n * ONE, 2n * ONE)).body.data.order.orderId as string
    await own.buy('frida', 10n * ONE, ONE)
    const shown = (await call('GET', `/orders/${made}`)).body.data
    expect(shown).toMatchObject({
      orderId: made,
      status: 'PARTIALLY_FILLED',
      orderBook: { id: own.id },
      takerTrades: [],
    })
    expect(shown.makerTrades).toMatchObject([{ quantity: '1000000', takerAddress: 'offchain:frida' }])

    await own.sell('emil', 11n * ONE, ONE)
    const list = async (query: string) => (await call('GET', `/customers/emil/orders${query}`)).body.data
    expect(await list('')).toMatchObject({
      total: 2,
      limit: 50,
      offset: 0,
      orders: [{ status: 'OPEN' }, { orderId: made }],
    })
    expect(await list('?status=OPEN')).toMatchObject({ total: 1 })
    expect(await list(`?orderBookId=${own.id}&limit=1&offset=1`)).toMatchObject({
      total: 2,
      limit: 1,
      orders: [{ orderId: made }],
    })
    expect(await list('?orderBookId=nothing&limit=1000')).toEqual({ orders: [], total: 0, limit: 100, offset: 0 })
    const wrong = await call('GET', '/customers/emil/orders?status=SLEEPING')
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'INVALID_PARAM'])
    const trades = (await call('GET', '/customers/frida/trades')).body.data
    expect(trades).toMatchObject({ total: 1, trades: [{ makerOrderId: made }] })
    expect((await call('GET', '/customers/nobody/trades')).body.data).toEqual({
      trades: [],
      total: 0,
      limit: 50,
      offset: 0,
      nextCursor: null,
    })
    for (const what of ['orders', 'trades']) {
      const long = await call('GET', `/customers/${'x'.repeat(257)}/${what}`)
      expect([long.status, long.body.error.code]).toEqual([400, 'INVALID_PARAM'])
    }
  })

  it('shows the trades of a customer from both sides, each once, with their number on every page', async () => {
    const own = await world.createBook()
    await own.fund('greta', 'hugo')
    for (const [seller, buyer] of [
      ['greta', 'hugo'],
      ['hugo', 'greta'],
      ['greta', 'greta'],
      ['hugo', 'hugo'],
    ] as const) {
      await own.sell(seller, 10n * ONE, ONE)
      await own.buy(buyer, 10n * ONE, ONE)
    }
    const page = async (query: string) => (await call('GET', `/customers/greta/trades${query}`)).body.data
    const makersAndTakers = ({ trades }: { trades: { makerAddress: string; takerAddress: string }[] }) =>
      trades.map(({ makerAddress, takerAddress }) =>
        [makerAddress, takerAddress].map((one) => one.replace('offchain:', '')),
      )
    const whole = await page('')
    expect(makersAndTakers(whole)).toEqual([
      ['greta', 'greta'],
      ['hugo', 'greta'],
      ['greta', 'hugo'],
    ])
    expect(whole.total).toBe(3)
    const second = await page('?limit=1&offset=1')
    expect(second).toMatchObject({ total: 3, trades: [whole.trades[1]] })
    expect(await page(`?limit=1&cursor=${second.nextCursor}`)).toMatchObject({ total: 3, trades: [whole.trades[2]] })
    // Also behind the last one.
    expect(await page('?offset=7')).toMatchObject({ total: 3, trades: [] })
  })
})
