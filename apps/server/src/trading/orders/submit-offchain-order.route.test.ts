import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReplica } from '../../../test/replica.ts'
import { untilSettled } from '../../../test/trading/audit.ts'
import {
  createOffchainWorld,
  newToken,
  OFFCHAIN,
  type OffchainWorld,
  ONE,
  type TestBook,
} from '../../../test/trading/offchain-world.ts'
import { newPair, startVenue } from '../../../test/trading/venue-world.ts'

describe('submitting an order', () => {
  let world: OffchainWorld
  let book: TestBook

  beforeAll(async () => {
    world = await createOffchainWorld()
    book = await world.createBook({ takerFeeBps: 15, makerFeeBps: 10 })
    await book.fund('anna', 'bert')
  })
  afterAll(() => world.close())

  it('rests it, reserves what it may cost, and trades at the price that rested', async () => {
    const rested = await book.sell('anna', 40n * ONE, 5n * ONE)
    expect(rested.body.data).toMatchObject({
      status: 'OPEN',
      trades: [],
      filledQuantity: '0',
      remainingQuantity: '5000000',
      order: { userAddress: 'offchain:anna', side: 'SELL', price: '40000000', postOnly: false, timeInForce: 'GTC' },
    })
    expect(await book.balance('anna', book.base)).toMatchObject({ reserved: '5000000' })
    const taken = await book.buy('bert', 41n * ONE, 2_500_000n)
    expect(taken.status).toBe(200)
    const { data } = taken.body
    expect(data).toMatchObject({
      status: 'FILLED',
      filledQuantity: '2500000',
      remainingQuantity: '0',
      stpTriggered: false,
    })
    expect(data.trades).toHaveLength(1)
    expect(data.trades[0]).toMatchObject({
      orderBookId: book.id,
      takerOrderBookId: null,
      origin: 'CLOB',
      price: '40000000',
      quantity: '2500000',
      makerFee: '2500',
      takerFee: '3750',
      side: 'BUY',
      makerAddress: 'offchain:anna',
      takerAddress: 'offchain:bert',
      settlementId: null,
      settlementStatus: null,
    })
    expect((await book.get('/snapshot')).body.data).toMatchObject({
      depth: { bids: [], asks: [{ price: '40000000', quantity: '2500000', orderCount: 1 }] },
      lastPrice: '40000000',
      stats24h: { volume: '2500000', trades: 1, high: '40000000', low: '40000000' },
    })
  })

  it('settles in the ledger in the same commit: both legs, and the fees in quote', async () => {
    const own = await world.createBook({ takerFeeBps: 15, makerFeeBps: 10 })
    await world.credit('seller', own.base, 10n * ONE)
    await world.credit('buyer', own.quote, 1_000n * ONE)
    await own.sell('seller', 40n * ONE, 2_500_000n)
    await own.buy('buyer', 40n * ONE, 2_500_000n)
    // 2.5 at 40 is 100; 15 bps of it 0.15, 10 bps 0.1.
    expect(await own.balance('buyer', own.base)).toEqual({ total: '2500000', reserved: '0', available: '2500000' })
    expect(await own.balance('buyer', own.quote)).toEqual({ total: '899850000', reserved: '0', available: '899850000' })
    expect(await own.balance('seller', own.quote)).toEqual({ total: '99900000', reserved: '0', available: '99900000' })
    const entries = await world.instance.call('GET', `${OFFCHAIN}/ledger/entries?tokenAddress=${own.quote}`)
    const kinds = entries.body.data.entries.map(({ kind }: { kind: string }) => kind)
    expect(kinds.sort()).toEqual(['CREDIT', 'FEE', 'FEE', 'TRADE'])
    for (const { legs } of entries.body.data.entries) {
      const sum = legs.reduce((total: bigint, { amount }: { amount: string }) => total + BigInt(amount), 0n)
      expect([legs.length, sum]).toEqual([2, 0n])
    }
  })

  it('reserves value and largest fee for a buy, and gives back what a better price left over', async () => {
    const own = await world.createBook({ takerFeeBps: 100 })
    await own.fund('seller')
    await world.credit('buyer', own.quote, 101n * ONE)
    await own.sell('seller', 80n * ONE, ONE)
    const placed = await own.buy('buyer', 100n * ONE, ONE)
    expect(placed.body.data.status).toBe('FILLED')
    expect(await own.balance('buyer', own.quote)).toEqual({ total: '20200000', reserved: '0', available: '20200000' })
  })

  it('fills or kills, takes at once or cancels the rest, and never rests a market order', async () => {
    const own = await world.createBook()
    await own.fund('maker', 'taker')
    await own.sell('maker', 10n * ONE, ONE)
    const killed = await own.buy('taker', 10n * ONE, 2n * ONE, { timeInForce: 'FOK' })
    expect(killed.body.data).toMatchObject({ status: 'CANCELLED', cancelReason: 'FOK_UNFILLED', filledQuantity: '0' })
    const partial = await own.buy('taker', 10n * ONE, 2n * ONE, { timeInForce: 'IOC' })
    expect(partial.body.data).toMatchObject({
      status: 'CANCELLED',
      filledQuantity: '1000000',
      remainingQuantity: '1000000',
    })
    await own.sell('maker', 12n * ONE, ONE)
    const market = await own.submit('taker', { side: 'BUY', orderType: 'MARKET', quantity: String(5n * ONE) })
    expect(market.body.data).toMatchObject({ filledQuantity: '1000000', status: 'CANCELLED' })
    expect(market.body.data.order.price).toBeNull()
    expect(await own.balance('taker', own.quote)).toMatchObject({ reserved: '0' })
  })

  it('prevents trades with oneself as asked', async () => {
    const own = await world.createBook()
    await own.fund('selfish')
    await own.sell('selfish', 10n * ONE, ONE)
    const taker = await own.buy('selfish', 10n * ONE, ONE, { selfTradePreventionMode: 'CANCEL_TAKER' })
    expect(taker.body.data).toMatchObject({ status: 'CANCELLED', stpTriggered: true, trades: [] })
    const maker = await own.buy('selfish', 10n * ONE, ONE, { selfTradePreventionMode: 'CANCEL_MAKER' })
    expect(maker.body.data).toMatchObject({ status: 'OPEN', stpTriggered: true, trades: [] })
    const itself = await own.sell('selfish', 10n * ONE, ONE)
    expect(itself.body.data).toMatchObject({ status: 'FILLED', stpTriggered: false })
    expect(await own.balance('selfish', own.base)).toMatchObject({ reserved: '0' })
  })

  it('names an order by its clientOrderId once and for ever', async () => {
    const request = { clientOrderId: 'mine-1', side: 'BUY', orderType: 'LIMIT', price: '1000000', quantity: '1000000' }
    const first = await book.submit('anna', request)
    const { orderId } = first.body.data.order
    expect(first.body.data.order.clientOrderId).toBe('mine-1')
    await world.instance.call('DELETE', `${OFFCHAIN}/orders/${orderId}`, { body: { customerRef: 'anna' } })
    const again = await book.submit('anna', request)
    expect([again.status, again.body.error]).toMatchObject([409, { code: 'DUPLICATE_CLIENT_ORDER_ID', orderId }])
    expect((await book.submit('bert', request)).status).toBe(200)
    const refused = await book.submit('anna', { ...request, clientOrderId: 'mine-2', price: '0' })
    expect(refused.body.error.code).toBe('INVALID_PRICE')
    // What was refused used nothing up.
    expect((await book.submit('anna', { ...request, clientOrderId: 'mine-2' })).status).toBe(200)
    const twice = await Promise.all(
      [1, 2, 3, 4].map(() => book.submit('anna', { ...request, clientOrderId: 'mine-3' })),
    )
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })

  it('is there with the record of its Idempotency-Key, or not at all', async () => {
    const own = await world.createBook()
    await own.fund('anna')
    await world.superuser.unsafe(`
      create function refuse_record() returns trigger language plpgsql as $$ begin raise exception 'no record'; end $$;
      create trigger no_record before insert on lane_groups for each row when (new.keys like '%no-record%') execute function refuse_record()`)
    const request = { side: 'BUY', orderType: 'LIMIT', price: String(ONE), quantity: String(ONE) }
    expect((await own.submit('anna', request, { 'idempotency-key': 'no-record' })).status).toBe(500)
    expect(await world.superuser`select from orders where book_id = ${own.id}`).toHaveLength(0)
    expect((await own.get('/snapshot')).body.data.depth.bids).toEqual([])
    expect((await own.submit('anna', request, { 'idempotency-key': 'a-record' })).status).toBe(200)
    await untilSettled(world.superuser)
    expect(await world.superuser`select from orders where book_id = ${own.id}`).toHaveLength(1)
  })

  it('happens once per Idempotency-Key, and its answer can be had again', async () => {
    const own = await world.createBook()
    await own.fund('anna')
    const request = { side: 'BUY', orderType: 'LIMIT', price: '1000000', quantity: '1000000' }
    const first = await own.submit('anna', request, { 'idempotency-key': 'order-0001' })
    const again = await own.submit('anna', request, { 'idempotency-key': 'order-0001' })
    expect(first.status).toBe(200)
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotent-replay']).toBe('true')
    const other = await own.submit('anna', { ...request, quantity: '2000000' }, { 'idempotency-key': 'order-0001' })
    expect(other.body.error.code).toBe('IDEMPOTENCY_MISMATCH')
    expect(await own.balance('anna', own.quote)).toMatchObject({ reserved: '1000000' })
    // The memory of the unit follows what was committed outside of its groups.
    expect((await own.submit('anna', request)).status).toBe(200)
    const refused = await own.submit('anna', { ...request, price: '0' }, { 'idempotency-key': 'order-0002' })
    expect(refused.body.error.code).toBe('INVALID_PRICE')
    const poor = { ...request, quantity: String(10n ** 17n) }
    const tooMuch = await own.submit('anna', poor, { 'idempotency-key': 'order-0003' })
    expect(tooMuch.body.error.code).toBe('INSUFFICIENT_BALANCE')
    // Refused is refused, also when it would be taken now.
    await world.credit('anna', own.quote, 10n ** 18n)
    const stillTooMuch = await own.submit('anna', poor, { 'idempotency-key': 'order-0003' })
    expect(stillTooMuch.text).toBe(tooMuch.text)
    expect(stillTooMuch.headers['idempotent-replay']).toBe('true')
    expect((await own.get('/snapshot')).body.data.depth.bids).toEqual([
      { price: '1000000', quantity: '2000000', orderCount: 2 },
    ])
  })

  it('can be followed at once by keyed cancels, amendments and mass cancels, which all see it', async () => {
    const own = [await world.createBook(), await world.createBook()]
    const customer = { customerRef: 'keyed' }
    for (const book of own) await book.fund('keyed')
    for (let round = 0; round < 5; round += 1) {
      const placed = await Promise.all(own.map((book) => book.buy('keyed', ONE, ONE)))
      const [first, second] = placed.map(({ body }) => body.data.order.orderId)
      const headers = (what: string) => ({ 'idempotency-key': `${what}-${round}-key` })
      const amended = await world.instance.call('PATCH', `${OFFCHAIN}/orders/${second}`, {
        body: { ...customer, quantity: String(2n * ONE) },
        headers: headers('amend'),
      })
      expect(amended.body.data.order).toMatchObject({ orderId: second, quantity: String(2n * ONE) })
      const cancelled = await world.instance.call('DELETE', `${OFFCHAIN}/orders/${first}`, {
        body: customer,
        headers: headers('cancel'),
      })
      expect(cancelled.body.data).toMatchObject({ orderId: first, status: 'CANCELLED' })
      const another = await own[0]?.buy('keyed', ONE, ONE)
      const mass = await world.instance.call('POST', `${OFFCHAIN}/orders/mass-cancel`, {
        body: customer,
        headers: headers('mass'),
      })
      expect(new Set(mass.body.data.orderIds)).toEqual(new Set([second, another?.body.data.order.orderId]))
    }
  })

  it('happens once per Idempotency-Key, whichever of two servers is asked, and how often at once', async () => {
    const own = await world.createBook()
    await own.fund('anna')
    const body = {
      orderBookId: own.id,
      customerRef: 'anna',
      side: 'BUY',
      orderType: 'LIMIT',
      price: '1000000',
      quantity: '1000000',
    }
    const other = await startReplica(world)
    const path = `${OFFCHAIN}/orders`
    const here = async (key: string) => {
      const answer = await world.instance.call('POST', path, { body, headers: { 'idempotency-key': key } })
      return { ...answer, code: answer.body.error?.code as string | undefined }
    }
    const elsewhere = (key: string) =>
      other.post(path, { key: world.instance.apiKey, body, headers: { 'idempotency-key': key } })
    const first = await here('either-0001')
    const there = await elsewhere('either-0001')
    expect([there.text, there.headers['idempotent-replay']]).toEqual([first.text, 'true'])
    const taken = await elsewhere('either-0002')
    expect((await here('either-0002')).text).toBe(taken.text)
    const atOnce = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 ? here : elsewhere)('either-0003')),
    )
    const texts = new Set(atOnce.filter(({ status }) => status === 200).map(({ text }) => text))
    expect(texts.size).toBe(1)
    for (const { status, code } of atOnce) if (status !== 200) expect(code).toBe('IDEMPOTENCY_IN_FLIGHT')
    expect((await own.get('/snapshot')).body.data.depth.bids).toEqual([
      { price: '1000000', quantity: '3000000', orderCount: 3 },
    ])
    await other.close()
  })

  describe('is refused', () => {
    const limit = { side: 'BUY', orderType: 'LIMIT', price: String(10n * ONE), quantity: String(ONE) }
    const expectRefusal = async (answer: ReturnType<TestBook['submit']>, status: number, error: object) => {
      const given = await answer
      expect([given.status, given.body.error]).toMatchObject([status, error])
    }
    let strict: TestBook

    beforeAll(async () => {
      strict = await world.createBook({ minOrderSize: '1000000', maxOrderSize: '5000000', tickSize: '10000' })
      await strict.fund('anna')
    })

    it('when its size, price or form does not fit the book', async () => {
      await expectRefusal(strict.submit('anna', { ...limit, quantity: '999999' }), 400, { code: 'ORDER_TOO_SMALL' })
      await expectRefusal(strict.submit('anna', { ...limit, quantity: '5000001' }), 400, { code: 'ORDER_TOO_LARGE' })
      await expectRefusal(strict.submit('anna', { ...limit, quantity: '0' }), 400, { code: 'INVALID_QUANTITY' })
      await expectRefusal(strict.submit('anna', { ...limit, price: '0' }), 400, { code: 'INVALID_PRICE' })
      await expectRefusal(strict.submit('anna', { ...limit, price: '9223372036854775808' }), 400, {
        code: 'INVALID_PRICE',
      })
      await expectRefusal(strict.submit('anna', { ...limit, price: '10000001' }), 400, {
        code: 'INVALID_PRICE',
        step: '10000',
      })
      await expectRefusal(book.submit('anna', { ...limit, price: '1', quantity: '1' }), 400, {
        code: 'ORDER_TOO_SMALL',
      })
      const { price: _price, ...priceless } = limit
      await expectRefusal(strict.submit('anna', priceless), 400, { code: 'PRICE_REQUIRED' })
      await expectRefusal(strict.submit('anna', { ...limit, orderType: 'MARKET' }), 400, {
        code: 'VALIDATION_ERROR',
        details: [{ field: 'price' }],
      })
      await expectRefusal(strict.submit('anna', { ...limit, postOnly: true, timeInForce: 'IOC' }), 400, {
        code: 'VALIDATION_ERROR',
        details: [{ field: 'postOnly' }],
      })
    })

    it('when there is nobody to trade with, or somebody where nobody may be', async () => {
      const market = { side: 'BUY', orderType: 'MARKET', quantity: String(ONE) }
      await expectRefusal(strict.submit('anna', market), 400, { code: 'NO_LIQUIDITY' })
      await strict.submit('anna', { ...limit, side: 'SELL' })
      await expectRefusal(strict.submit('anna', { ...limit, postOnly: true }), 409, { code: 'POST_ONLY_WOULD_CROSS' })
    })

    it('when the customer has too little, and says how much is there', async () => {
      await world.credit('poor', strict.quote, 3n * ONE)
      const extra = { required: '10', available: '3', tokenAddress: strict.quote }
      await expectRefusal(strict.submit('poor', limit), 400, { code: 'INSUFFICIENT_BALANCE', ...extra })
      await expectRefusal(strict.submit('stranger', { ...limit, side: 'SELL' }), 400, {
        code: 'INSUFFICIENT_BALANCE',
        available: '0',
        tokenAddress: strict.base,
      })
    })

    it('when a token of the book is not in the ledger', async () => {
      const pair = { tokenAddress: newToken(), quoteTokenAddress: strict.quote }
      const body = { ...pair, name: 'Bare', symbol: 'BARE' }
      const made = await world.instance.call('POST', `${OFFCHAIN}/order-books`, { body })
      const request = { ...limit, orderBookId: made.body.data.id, customerRef: 'anna' }
      await expectRefusal(world.instance.call('POST', `${OFFCHAIN}/orders`, { body: request }), 400, {
        code: 'TOKEN_NOT_REGISTERED',
        tokenAddress: pair.tokenAddress,
      })
      const batch = { orderBookId: made.body.data.id, orders: [{ ...limit, customerRef: 'anna' }] }
      await expectRefusal(world.instance.call('POST', `${OFFCHAIN}/orders/batch`, { body: batch }), 400, {
        code: 'TOKEN_NOT_REGISTERED',
      })
    })

    it('when the book is paused, of somebody else, or settles on chain', async () => {
      const own = await world.createBook()
      await own.fund('anna')
      await world.instance.call('PATCH', `${OFFCHAIN}/order-books/${own.id}`, { body: { status: 'PAUSED' } })
      await expectRefusal(own.submit('anna', limit), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
      const stranger = await world.createInstance()
      const body = { ...limit, orderBookId: strict.id, customerRef: 'anna' }
      await expectRefusal(stranger.call('POST', `${OFFCHAIN}/orders`, { body }), 404, { code: 'ORDER_BOOK_NOT_FOUND' })

      const venue = startVenue(world)
      const { caller, tenant } = await venue.as(world.instance)
      const onChain = await venue.books.create(tenant, caller, {
        ...newPair(),
        class: 'stocks',
        name: 'On chain',
        symbol: 'ON',
        tokenType: 'STOCK_TOKEN',
        settlementMode: 'ON_CHAIN',
        custodyContract: newToken(),
      })
      const wrong = { ...limit, orderBookId: onChain.id, customerRef: 'anna' }
      await expectRefusal(world.instance.call('POST', `${OFFCHAIN}/orders`, { body: wrong }), 400, {
        code: 'WRONG_SETTLEMENT_MODE',
      })
      const batch = { orderBookId: onChain.id, orders: [{ ...limit, customerRef: 'anna' }] }
      await expectRefusal(world.instance.call('POST', `${OFFCHAIN}/orders/batch`, { body: batch }), 400, {
        code: 'WRONG_SETTLEMENT_MODE',
      })
      await venue.close()
    })

    it('when the account is suspended or not permitted on the book', async () => {
      const made = await world.instance.call('POST', '/orderbooks/stocks/api/accounts', {
        body: { customerRef: 'bound', permittedOrderBookIds: [book.id] },
      })
      await strict.fund('bound')
      await expectRefusal(strict.submit('bound', limit), 403, { code: 'MM_CONFIG_VIOLATION' })
      const path = `/orderbooks/stocks/api/accounts/${made.body.data.accountId}`
      await world.instance.call('PATCH', path, { body: { permittedOrderBookIds: null, status: 'SUSPENDED' } })
      await expectRefusal(strict.submit('bound', limit), 403, { code: 'MM_CONFIG_VIOLATION' })
    })

    it('when the price is outside the band, or the reference is missing or too old', async () => {
      const own = await world.createBook({ priceRefEnabled: true, priceRefSpreadBps: 500, priceRefHaltOnStale: true })
      await own.fund('anna')
      await expectRefusal(own.submit('anna', limit), 503, { code: 'PRICE_REF_UNAVAILABLE' })
      const batch = { orderBookId: own.id, orders: [{ ...limit, customerRef: 'anna' }] }
      const submitBatch = () => world.instance.call('POST', `${OFFCHAIN}/orders/batch`, { body: batch })
      await expectRefusal(submitBatch(), 503, { code: 'PRICE_REF_UNAVAILABLE' })
      const set = await world.instance.call('POST', `${OFFCHAIN}/order-books/${own.id}/price-reference`, {
        body: { price: '20.10' },
      })
      expect(set.body.data.price).toBe('20.1')
      await expectRefusal(own.submit('anna', limit), 400, {
        code: 'PRICE_OUTSIDE_BAND',
        referencePrice: '20.1',
        lowerBound: '19.095',
        upperBound: '21.105',
        spreadBps: 500,
      })
      expect((await own.submit('anna', { ...limit, price: '19095000' })).status).toBe(200)
      expect((await own.submit('anna', { ...limit, price: '21105000' })).status).toBe(200)
      world.clock.advance(301_000)
      await expectRefusal(own.submit('anna', { ...limit, price: '20000000' }), 503, { code: 'PRICE_REF_STALE' })
      await expectRefusal(submitBatch(), 503, { code: 'PRICE_REF_STALE' })
    })
  })

  describe('many at once', () => {
    const limit = { side: 'BUY', orderType: 'LIMIT', price: String(10n * ONE), quantity: String(ONE) }

    it('takes or refuses each for itself, in the order they were sent', async () => {
      const own = await world.createBook()
      await world.credit('maker', own.base, 2n * ONE)
      await world.credit('taker', own.quote, 25n * ONE)
      const orders = [
        { ...limit, customerRef: 'maker', side: 'SELL', quantity: String(2n * ONE) },
        { ...limit, customerRef: 'taker', clientOrderId: 'a' },
        { ...limit, customerRef: 'taker', price: '0' },
        { ...limit, customerRef: 'taker', clientOrderId: 'a' },
        { ...limit, customerRef: 'taker', clientOrderId: 'b' },
        // What was left is too little for a third one.
        { ...limit, customerRef: 'taker', clientOrderId: 'c' },
      ]
      const answer = await world.instance.call('POST', `${OFFCHAIN}/orders/batch`, {
        body: { orderBookId: own.id, orders },
      })
      expect(answer.status).toBe(200)
      const { accepted, refused, results } = answer.body.data
      expect([accepted, refused]).toEqual([3, 3])
      expect(
        results.map((result: { status?: string; error?: { code: string } }) => result.error?.code ?? result.status),
      ).toEqual(['OPEN', 'FILLED', 'INVALID_PRICE', 'DUPLICATE_CLIENT_ORDER_ID', 'FILLED', 'INSUFFICIENT_BALANCE'])
      expect(results[2].error.message).toMatch(/^price must be above zero/)
      expect(results[5]).toMatchObject({ clientOrderId: 'c', error: { required: '10', available: '5' } })
      // What the maker was paid by the batch could be spent in it.
      expect(await own.balance('maker', own.quote)).toMatchObject({ available: String(20n * ONE) })
    })

    it('needs a book of the instance and 1 to 100 orders', async () => {
      const body = { orderBookId: 'nothing', orders: [{ ...limit, customerRef: 'taker' }] }
      const unknown = await world.instance.call('POST', `${OFFCHAIN}/orders/batch`, { body })
      expect([unknown.status, unknown.body.error.code]).toEqual([404, 'ORDER_BOOK_NOT_FOUND'])
      for (const orders of [[], Array.from({ length: 101 }, () => ({ ...limit, customerRef: 'taker' }))]) {
        const wrong = await world.instance.call('POST', `${OFFCHAIN}/orders/batch`, {
          body: { orderBookId: book.id, orders },
        })
        expect([wrong.status, wrong.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      }
    })
  })
})
