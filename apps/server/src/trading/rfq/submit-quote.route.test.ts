import { tradingVaultAbi } from '@tallystick/abi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callOf } from '../../../test/trading/quick-sender.ts'
import { createRfqWorld, ONE, type RfqWorld } from '../../../test/trading/rfq/rfq-world.ts'

const NOBODY = '01890000-0000-7000-8000-00000000000a'
const PRICE = 40n * ONE

describe('quoting', () => {
  let world: RfqWorld

  beforeAll(async () => {
    world = await createRfqWorld()
  })
  afterAll(() => world.close())

  const errorOf = async (answer: Promise<{ status: number; body: { error: Record<string, unknown> } }>) => {
    const { status, body } = await answer
    return { status, ...body.error, message: undefined }
  }
  const onVault = (name: string, args: readonly unknown[], by = world.owner.wallet) =>
    world.sendRaw(by, callOf(world.books.stocks.custody, tradingVaultAbi, name, args))

  it("reserves the provider's side, and takes the place of the provider's older quote", async () => {
    const [ada] = world.providers
    const rfq = await world.open({ side: 'SELL' })
    const first = (await world.quote(ada, rfq, PRICE)).body.data
    expect(first).toMatchObject({
      quoteRequestId: rfq.id,
      lpAddress: ada.address.toLowerCase(),
      lpAccountId: world.accountIds.get(ada),
      price: '40000000',
      validUntil: rfq.expiresAt,
      lockId: first.id,
      status: 'ACTIVE',
    })
    expect(await world.reserved(ada, 'quote')).toBe(200n * ONE)
    const soon = new Date(Date.parse(rfq.createdAt) + 40_000).toISOString()
    const second = (await world.quote(ada, rfq, 41n * ONE, { validUntil: soon })).body.data
    expect(second.validUntil).toBe(soon)
    expect(await world.reserved(ada, 'quote')).toBe(205n * ONE)
    const late = new Date(Date.parse(rfq.expiresAt) + 1000).toISOString()
    const third = async () =>
      expect((await world.quote(ada, rfq, 42n * ONE, { validUntil: late })).body.data.validUntil).toBe(rfq.expiresAt)
    expect(await world.roundTrips(third)).toBe(1)
    expect((await world.read(rfq.id)).quotes.map(({ status }) => status)).toEqual(['WITHDRAWN', 'WITHDRAWN', 'ACTIVE'])
    await world.cancel(rfq)
    expect(await world.reserved(ada, 'quote')).toBe(0n)
  })

  it('is refused where the request is not there, not open, or the own one', async () => {
    const [ada] = world.providers
    const rfq = await world.open()
    const quote = (fields: object = {}, id = rfq.id) => errorOf(world.quote(ada, { ...rfq, id }, PRICE, { ...fields }))
    expect(await quote({}, NOBODY)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(await quote({}, 'x'.repeat(101))).toMatchObject({ status: 400, code: 'INVALID_PARAM' })
    expect(await quote({ validUntil: '2020-01-01T00:00:00Z' })).toMatchObject({ status: 400, code: 'INVALID_PARAM' })
    expect(await quote({ lpAddress: 'nobody' })).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    const paused = await world.withBook({ status: 'PAUSED' }, () => quote())
    expect(paused).toMatchObject({ status: 404, code: 'ORDER_BOOK_NOT_FOUND' })
    const own = await world.open({ requesterAddress: ada.address })
    expect(await quote({}, own.id)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    await world.expire(rfq.id)
    expect(await quote()).toMatchObject({ status: 410, code: 'RFQ_EXPIRED' })
  })

  it('is for trading accounts that may quote, on this book', async () => {
    const [ada] = world.providers
    const { owner, books, requester } = world
    const rfq = await world.open()
    const account = `${books.stocks.prefix}/accounts/${world.accountIds.get(ada)}`
    const quote = () => errorOf(world.quote(ada, rfq, PRICE))
    const change = (body: object) => owner.call('PATCH', account, { body })
    expect(await errorOf(world.quote(requester, rfq, PRICE))).toMatchObject({ status: 403, code: 'MM_REQUIRED' })
    await change({ canQuote: false })
    expect(await quote()).toMatchObject({ status: 403, code: 'MM_REQUIRED' })
    await change({ canQuote: true, status: 'SUSPENDED' })
    expect(await quote()).toMatchObject({ status: 403, code: 'MM_CONFIG_VIOLATION' })
    await change({ status: 'ACTIVE', permittedOrderBookIds: [NOBODY] })
    expect(await quote()).toMatchObject({ status: 403, code: 'MM_CONFIG_VIOLATION' })
    await change({ permittedOrderBookIds: [books.stocks.id] })
    expect((await world.quote(ada, rfq, PRICE)).status).toBe(200)
    await change({ permittedOrderBookIds: null })
  })

  it('stays within the band around the reference price, and waits for one that is fresh', async () => {
    const [ada] = world.providers
    const rfq = await world.open()
    const quote = (price: bigint) => world.quote(ada, rfq, price)
    const band = { price_ref_enabled: true, price_ref_spread_bps: 500, price_ref_last_price: '40000000' }
    await world.withBook({ ...band, price_ref_last_updated: new Date() }, async () => {
      expect(await errorOf(quote(42_000_001n))).toMatchObject({
        status: 400,
        code: 'QUOTE_PRICE_OUT_OF_BOUNDS',
        referencePrice: '40',
        lowerBound: '38',
        upperBound: '42',
        spreadBps: 500,
      })
      expect((await quote(42_000_000n)).status).toBe(200)
    })
    const stale = { ...band, price_ref_halt_on_stale: true, price_ref_last_updated: new Date(0) }
    expect(await world.withBook(stale, () => errorOf(quote(PRICE)))).toMatchObject({
      status: 503,
      code: 'PRICE_REF_STALE',
    })
    const none = { ...stale, price_ref_last_price: null, price_ref_last_updated: null }
    expect(await world.withBook(none, () => errorOf(quote(PRICE)))).toMatchObject({
      status: 503,
      code: 'PRICE_REF_UNAVAILABLE',
    })
  })

  it('is refused for a price at which the amount could not settle', async () => {
    const [ada] = world.providers
    const rfq = await world.open()
    const tiny = await world.open({ baseAmount: '1' })
    expect(await errorOf(world.quote(ada, rfq, PRICE, { price: '0' }))).toMatchObject({
      status: 400,
      code: 'INVALID_PRICE',
    })
    expect(await errorOf(world.quote(ada, tiny, 1_500_000n))).toMatchObject({ status: 400, code: 'INVALID_PRICE' })
  })

  it('needs the signature of just this order, once', async () => {
    const [ada, bea] = world.providers
    const rfq = await world.open()
    const quote = (fields: object) => errorOf(world.quote(ada, rfq, PRICE, { ...fields }))
    const end = Math.ceil(Date.parse(rfq.expiresAt) / 1000)
    expect(await quote({ expiry: end + 59 })).toMatchObject({ status: 400, code: 'INVALID_ORDER_EXPIRY' })
    expect(await quote({ nonce: '18446744073709551616' })).toMatchObject({ status: 400, code: 'INVALID_ORDER_NONCE' })
    expect(await quote({ salt: 'salt' })).toMatchObject({ status: 400, code: 'INVALID_ORDER_SALT' })
    expect(await quote({ price: '40000001' })).toMatchObject({ status: 401, code: 'INVALID_SIGNATURE' })
    expect(await errorOf(world.quote(ada, rfq, PRICE, {}, { maxFee: 1n }))).toMatchObject({ code: 'INVALID_SIGNATURE' })
    const salt = `0x${'5'.repeat(64)}` as const
    const made = (await world.quote(bea, rfq, PRICE, {}, { salt })).body.data
    const expiry = BigInt(end + 600)
    const first = await world.quote(bea, rfq, 41n * ONE, {}, { salt, expiry })
    const again = await errorOf(world.quote(bea, rfq, 41n * ONE, {}, { salt, expiry }))
    expect(made.status).toBe('ACTIVE')
    expect(again).toMatchObject({ status: 409, code: 'DUPLICATE_ORDER', orderId: first.body.data.id })
    expect(again).toHaveProperty('orderHash')
  })

  it('needs funds that nothing else is reserved of', async () => {
    const [ada] = world.providers
    const before = await world.reserved(ada, 'base')
    const rfq = await world.open({ baseAmount: String(900n * ONE) })
    const more = await world.open({ baseAmount: String(900n * ONE) })
    await world.quote(ada, rfq, PRICE)
    expect(await errorOf(world.quote(ada, more, PRICE))).toMatchObject({
      status: 400,
      code: 'INSUFFICIENT_CUSTODY_BALANCE',
      required: `900${'0'.repeat(18)}`,
      available: `${(100n * ONE - before) * 10n ** 12n}`,
      tokenAddress: world.books.stocks.base,
    })
    // What the older quote of the same request holds comes free for the new one.
    expect((await world.quote(ada, rfq, 41n * ONE)).status).toBe(200)
    await world.cancel(rfq)
    expect(await world.reserved(ada, 'base')).toBe(before)
  })

  it('is refused for what the chain says about the order, its trader and the vault', async () => {
    const [, bea] = world.providers
    const { books, tokens } = world
    const rfq = await world.open()
    const terms = { side: 'SELL', price: PRICE, quantity: 5n * ONE } as const
    const { orderHash, body } = await world.signOrder(bea, books.stocks, terms)
    await onVault('cancelOrders', [[orderHash]], bea)
    const { expiry, nonce, salt, signature } = body
    const dead = world.post(`/${rfq.id}/quotes`, {
      lpAddress: bea.address,
      price: body.price,
      expiry,
      nonce,
      salt,
      signature,
    })
    expect(await errorOf(dead)).toMatchObject({ status: 409, code: 'ORDER_NOT_LIVE', reason: 'CANCELLED_ON_CHAIN' })

    const quote = () => errorOf(world.quote(bea, rfq, PRICE))
    await onVault('freezeUser', [bea.address, BigInt(Math.floor(Date.now() / 1000) + 3600)])
    expect(await quote()).toMatchObject({ status: 409, code: 'DELIVERY_NOT_ALLOWED', rule: 'SELLER_FROZEN_IN_VAULT' })
    await onVault('unfreezeUser', [bea.address])

    await onVault('removeToken', [tokens.cash])
    expect(await quote()).toMatchObject({ status: 409, code: 'ONCHAIN_SETTLEMENT_UNAVAILABLE' })
    await onVault('addToken', [tokens.cash, 0, false])

    expect(await world.withoutNode(quote)).toMatchObject({ status: 503, code: 'CHAIN_UNAVAILABLE' })
    expect((await world.quote(bea, rfq, PRICE)).status).toBe(200)
  })
})
