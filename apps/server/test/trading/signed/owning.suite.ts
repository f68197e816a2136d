import { signedOrderSettlementAbi, tradingVaultAbi } from '@tallystick/abi'
import type { Wallet } from '@tallystick/testkit'
import { decodeFunctionData, type Hex } from 'viem'
import { beforeAll, expect, it } from 'vitest'
import { readCsv } from '../../csv-reader.ts'
import type { TestInstance } from '../../world.ts'
import type { OnchainBook } from '../onchain-world.ts'
import { expectRefusal, ONE, PRICE, type SigningWorld } from '../signing-world.ts'

type Fields = Record<string, unknown>
const NOBODY = '01890000-0000-7000-8000-000000000000'
/** Above every floor that was raised before. */
const NONCE = 10n

/** What the owner of an order may do with it, and read of it. */
export function describeOwning(given: () => SigningWorld): void {
  let world: SigningWorld
  let anna: Wallet
  let bert: Wallet
  let stocks: OnchainBook
  let commodities: OnchainBook
  let securities: OnchainBook

  beforeAll(() => {
    world = given()
    ;[anna, bert] = world.traders
    ;({ stocks, commodities, 'external-securities': securities } = world.books)
  })

  const rest = async (
    by: Wallet,
    book: OnchainBook,
    quantity = ONE,
    of: TestInstance = world.owner,
  ): Promise<string> => {
    const request = { side: 'SELL', price: PRICE, quantity, nonce: NONCE } as const
    return (await world.submit(by, book, request, {}, of)).body.data.order.orderId
  }
  const path = (book: OnchainBook, end: string) => `${book.prefix}/orders/${end}`
  const cancel = (book: OnchainBook, orderId: string, by: Wallet, of: TestInstance = world.owner) =>
    of.call('DELETE', path(book, orderId), { body: { userAddress: by.address } })
  const amend = (book: OnchainBook, orderId: string, quantity: string, by: Wallet = anna) =>
    world.owner.call('PATCH', path(book, orderId), { body: { userAddress: by.address, quantity } })
  const reserved = async (book: OnchainBook, by: Wallet): Promise<bigint> =>
    BigInt((await world.prepare(book, {}, by)).body.data.reservation.reserved)

  it('are cancelled by their wallet alone, and free what they reserved', async () => {
    const before = await reserved(securities, anna)
    const orderId = await rest(anna, securities, 3n * ONE)
    expect((await reserved(securities, anna)) - before).toBe(3_000_000_000_000_000_000n)
    await expectRefusal(cancel(securities, orderId, bert), 404, { code: 'ORDER_NOT_FOUND' })
    await expectRefusal(cancel(securities, orderId, anna, world.other), 404, { code: 'ORDER_NOT_FOUND' })
    await expectRefusal(cancel(stocks, orderId, anna), 404, { code: 'ORDER_NOT_FOUND' })
    await expectRefusal(cancel(securities, 'x'.repeat(101), anna), 400, { code: 'INVALID_PARAM' })
    const bad = world.owner.call('DELETE', path(securities, orderId), { body: { userAddress: 'anna' } })
    await expectRefusal(bad, 400, { code: 'VALIDATION_ERROR' })
    const done = await cancel(securities, orderId, anna)
    expect(done.body.data).toMatchObject({ orderId, status: 'CANCELLED', cancelReason: 'USER_CANCELLED' })
    expect(await reserved(securities, anna)).toBe(before)
    await expectRefusal(cancel(securities, orderId, anna), 404, { code: 'ORDER_NOT_FOUND' })
  })

  it('become smaller, never larger', async () => {
    const orderId = await rest(anna, commodities, 3n * ONE)
    await world.buy(bert, commodities, PRICE, ONE)
    expect((await amend(commodities, orderId, '2500000')).body.data).toMatchObject({
      quantity: '2500000',
      filledQuantity: '1000000',
      remainingQuantity: '1500000',
      status: 'PARTIALLY_FILLED',
    })
    for (const quantity of ['2500000', '2600000', '1000000', '0'])
      await expectRefusal(amend(commodities, orderId, quantity), 400, { code: 'INVALID_QUANTITY' })
    await expectRefusal(amend(commodities, orderId, '-1'), 400, { code: 'VALIDATION_ERROR' })
    await expectRefusal(amend(commodities, orderId, '2000000', bert), 404, { code: 'ORDER_NOT_FOUND' })
    await expectRefusal(amend(commodities, 'x'.repeat(101), '1'), 400, { code: 'INVALID_PARAM' })
    await world.patchBook(commodities, { minOrderSize: '2300000' })
    await expectRefusal(amend(commodities, orderId, '2200000'), 400, { code: 'ORDER_TOO_SMALL' })
    await world.patchBook(commodities, { minOrderSize: '0', maxOrderSize: '2000000' })
    await expectRefusal(amend(commodities, orderId, '2200000'), 400, { code: 'ORDER_TOO_LARGE' })
    await world.patchBook(commodities, { maxOrderSize: null, tickSize: '3000000' })
    await expectRefusal(amend(commodities, orderId, '2200000'), 400, { code: 'INVALID_PRICE', step: '3000000' })
    await world.patchBook(commodities, { tickSize: '1', status: 'PAUSED' })
    await expectRefusal(amend(commodities, orderId, '2200000'), 400, { code: 'ORDER_BOOK_INACTIVE' })
    expect((await cancel(commodities, orderId, anna)).body.data.status).toBe('CANCELLED')
    await world.patchBook(commodities, { status: 'ACTIVE' })
  })

  it('are cancelled by the dozen: of a wallet, of a book, of a side, and of nobody else', async () => {
    await world.other.call('POST', `${securities.prefix}/imports`, { body: { orderBookId: securities.id } })
    const massCancel = (body: Fields, book = securities) =>
      world.owner.call('POST', `${book.prefix}/orders/mass-cancel`, { body })
    const [first, second] = [await rest(anna, securities), await rest(bert, securities)]
    const foreign = await rest(bert, securities, ONE, world.other)
    const request = { side: 'BUY', price: ONE, quantity: ONE, nonce: NONCE } as const
    const bid = (await world.submit(anna, securities, request)).body.data.order.orderId
    expect((await massCancel({ userAddress: anna.address, side: 'BUY' })).body.data).toEqual({
      cancelled: 1,
      orderIds: [bid],
    })
    expect((await massCancel({ userAddress: anna.address }, stocks)).body.data.cancelled).toBe(0)
    const { data } = (await massCancel({ orderBookId: securities.id })).body
    expect(new Set(data.orderIds)).toEqual(new Set([first, second]))
    expect(await world.orderOf(securities, foreign, world.other)).toMatchObject({ status: 'OPEN' })
    await expectRefusal(massCancel({}), 400, { code: 'VALIDATION_ERROR' })
    await expectRefusal(massCancel({ orderBookId: NOBODY }), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
    await cancel(securities, foreign, bert, world.other)
  })

  it('are ended on chain by the wallet, in one transaction', async () => {
    const [one, two] = [await rest(anna, stocks), await rest(anna, stocks)]
    const foreign = await rest(bert, stocks)
    const end = (body: Fields, query = '') =>
      world.owner.call('POST', `${path(stocks, 'cancel-on-chain')}${query}`, { body })
    const orderIds = [one, two, foreign, NOBODY, 'no id']
    const { data } = (await end({ userAddress: anna.address, orderIds })).body
    expect(data).toMatchObject({
      action: 'SIGN_TRANSACTION',
      functionName: 'cancelOrders',
      orderIds: [one, two],
      transaction: { to: stocks.custody, value: '0', chainId: world.node.chainId },
      simulation: { simulated: true, success: true },
    })
    expect(decodeFunctionData({ abi: tradingVaultAbi, data: data.transaction.data })).toEqual({
      functionName: 'cancelOrders',
      args: [data.orderHashes],
    })
    expect((await end({ userAddress: anna.address, orderIds }, '?format=safe')).body.transactions).toHaveLength(1)
    await world.sendRaw(anna, data.transaction)
    const fields = { timeInForce: 'IOC', selfTradePreventionMode: 'CANCEL_MAKER' }
    const taken = await world.buy(bert, stocks, PRICE, ONE, fields)
    expect(taken.body.data.trades).toEqual([])
    expect(await world.orderOf(stocks, one)).toMatchObject({ cancelReason: 'CANCELLED_ON_CHAIN' })
    await expectRefusal(end({ userAddress: bert.address, orderIds: [one] }), 404, { code: 'ORDER_NOT_FOUND' })
    await expectRefusal(end({ userAddress: bert.address, orderIds: [] }), 400, { code: 'VALIDATION_ERROR' })
    await expectRefusal(
      world.withoutNode(() => end({ userAddress: anna.address, orderIds })),
      503,
      { code: 'CHAIN_UNAVAILABLE' },
    )
  })

  it('are ended on chain below a nonce', async () => {
    const raise = (fields: Fields = {}, book = securities) =>
      world.owner.call('POST', path(book, 'raise-nonce-floor'), {
        body: { userAddress: bert.address, orderBookId: book.id, nonceFloor: '7', ...fields },
      })
    const { data } = (await raise()).body
    expect(data).toMatchObject({ functionName: 'raiseNonceFloor', currentFloor: '0', simulation: { success: true } })
    expect(decodeFunctionData({ abi: signedOrderSettlementAbi, data: data.transaction.data as Hex })).toEqual({
      functionName: 'raiseNonceFloor',
      args: [7n],
    })
    await world.sendRaw(bert, data.transaction)
    await expectRefusal(raise(), 400, { code: 'INVALID_ORDER_NONCE' })
    await expectRefusal(raise({ nonceFloor: 'seven' }), 400, { code: 'INVALID_ORDER_NONCE' })
    await expectRefusal(raise({ userAddress: 'bert' }), 400, { code: 'VALIDATION_ERROR' })
    await expectRefusal(raise({ orderBookId: NOBODY }), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
    const orderBookId = await world.offchainBook()
    await expectRefusal(raise({ orderBookId }, stocks), 400, { code: 'WRONG_SETTLEMENT_MODE' })
    await expectRefusal(
      world.withoutNode(() => raise({ nonceFloor: '9' })),
      503,
      { code: 'CHAIN_UNAVAILABLE' },
    )
  })

  it('are read with their books and trades, by the instance that placed them', async () => {
    const get = (end: string, of: TestInstance = world.owner) => of.call('GET', `${commodities.prefix}/${end}`)
    const ofAnna = `users/${anna.address}`
    const before = (await get(`${ofAnna}/orders`)).body.data.total
    const orderId = await rest(anna, commodities, 2n * ONE)
    await world.buy(bert, commodities, PRICE, ONE)
    const { data } = (await get(`${ofAnna}/orders?limit=1`)).body
    expect(data).toMatchObject({ total: before + 1, limit: 1, offset: 0 })
    expect(data.orders).toMatchObject([{ orderId, status: 'PARTIALLY_FILLED', orderBook: { id: commodities.id } }])
    const narrowed = await get(`${ofAnna}/orders?status=PARTIALLY_FILLED&orderBookId=${commodities.id}`)
    expect(narrowed.body.data.total).toBe(1)
    expect((await get(`${ofAnna}/orders?orderBookId=${'x'.repeat(101)}`)).body.data.total).toBe(before + 1)
    expect((await get(`${ofAnna}/orders`, world.other)).body.data.total).toBe(0)
    const trades = (await get(`${ofAnna}/trades?limit=1`)).body.data
    expect(trades.trades).toMatchObject([{ makerOrderId: orderId, orderBook: { id: commodities.id } }])
    expect((await get(`${ofAnna}/trades?offset=1000`)).body.data).toMatchObject({ trades: [], total: trades.total })

    await expectRefusal(get(`${ofAnna}/trades?cursor=nonsense`), 400, { code: 'VALIDATION_ERROR' })
    await expectRefusal(get('users/anna/orders'), 400, { code: 'VALIDATION_ERROR' })
    await expectRefusal(get('users/anna/trades'), 400, { code: 'VALIDATION_ERROR' })
    await expectRefusal(get(`${ofAnna}/orders?orderBookId=${NOBODY}`), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
    await expectRefusal(get(`orders/${NOBODY}`), 404, { code: 'ORDER_NOT_FOUND' })
    await expectRefusal(get(`orders/${'x'.repeat(101)}`), 400, { code: 'INVALID_PARAM' })
    await cancel(commodities, orderId, anna)
  })

  it('leave trades that can be read page by page with a cursor, and as a file', async () => {
    const ofBert = `${securities.prefix}/users/${bert.address}/trades`
    const orders = [
      await rest(anna, securities, ONE),
      await rest(anna, securities, ONE),
      await rest(anna, securities, ONE),
    ]
    for (const _ of orders) await world.buy(bert, securities, PRICE, ONE)
    const all = (await world.owner.get(`${ofBert}?limit=100`)).body.data
    expect(all.trades.length).toBeGreaterThanOrEqual(3)
    expect([all.total, all.nextCursor]).toEqual([all.trades.length, null])
    const walked: Fields[] = []
    for (let cursor = ''; ; ) {
      const { data } = (await world.owner.get(`${ofBert}?limit=2${cursor && `&cursor=${cursor}`}`)).body
      walked.push(...data.trades)
      if (data.nextCursor === null) break
      cursor = data.nextCursor
    }
    expect(walked).toEqual(all.trades)
    const file = await world.owner.call('GET', `${ofBert}?limit=1`, { headers: { accept: 'text/csv' } })
    expect(file.headers['content-disposition']).toBe('attachment; filename="listUserTrades.csv"')
    const rows = readCsv(file.text)
    expect(rows.map(({ tradeId, price, makerOrderId }) => ({ tradeId, price, makerOrderId }))).toEqual(
      walked.map(({ tradeId, price, makerOrderId }) => ({ tradeId, price, makerOrderId })),
    )
    expect(rows[0]).toMatchObject({
      orderBookSymbol: all.trades[0].orderBook.symbol,
      orderBookName: all.trades[0].orderBook.name,
    })
    // Nothing of it is another instance's.
    expect(readCsv((await world.other.call('GET', ofBert, { headers: { accept: 'text/csv' } })).text)).toEqual([])
  })

  it('read EXPIRED from their last second on, before anybody swept', async () => {
    const expiry = BigInt(Math.floor(world.clock.now().getTime() / 1000)) + 100n
    const request = { side: 'SELL', price: PRICE, quantity: ONE, expiry } as const
    const { orderId } = (await world.submit(anna, stocks, request)).body.data.order
    world.clock.advance(101_000)
    expect(await world.orderOf(stocks, orderId)).toMatchObject({ status: 'EXPIRED' })
    const listed = await world.owner.get(`${stocks.prefix}/users/${anna.address}/orders?status=EXPIRED`)
    expect(listed.body.data.orders).toMatchObject([{ orderId, status: 'EXPIRED' }])
    await expectRefusal(cancel(stocks, orderId, anna), 404, { code: 'ORDER_NOT_FOUND' })
    expect(await world.orderOf(stocks, orderId)).toMatchObject({ cancelReason: 'ORDER_EXPIRED' })
  })

  it('can still be cancelled on a book whose import has ended', async () => {
    const imported = await world.other.call('POST', `${commodities.prefix}/imports`, {
      body: { orderBookId: commodities.id },
    })
    const orderId = await rest(bert, commodities, ONE, world.other)
    const ended = await world.other.call('DELETE', `${commodities.prefix}/imports/${imported.body.data.id}`)
    expect(ended.status).toBe(200)
    expect(await world.orderOf(commodities, orderId, world.other)).toMatchObject({ status: 'OPEN', orderBook: null })
    expect((await cancel(commodities, orderId, bert, world.other)).body.data.status).toBe('CANCELLED')
  })
}
