import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRfqWorld, ONE, RFQ, type RfqWorld } from '../../../test/trading/rfq/rfq-world.ts'

const NOBODY = '01890000-0000-7000-8000-00000000000a'
const TOO_LONG = 'x'.repeat(101)

describe('requests for quote', () => {
  let world: RfqWorld

  beforeAll(async () => {
    world = await createRfqWorld()
  })
  afterAll(() => world.close())

  const get = (path: string) => world.owner.call('GET', `${RFQ}${path}`)
  const refused = async (answer: Promise<{ status: number; body: { error: { code: string } } }>) => {
    const { status, body } = await answer
    return [status, body.error?.code]
  }

  describe('asking', () => {
    it('opens a request for the time that was asked for, held within 5 and 60 seconds', async () => {
      const { requester, books, owner } = world
      const lifetime = async (expiryMs?: number) => {
        const { expiresAt, createdAt } = await world.open({ expiryMs })
        return Date.parse(expiresAt) - Date.parse(createdAt)
      }
      expect([await lifetime(), await lifetime(20_000), await lifetime(1), await lifetime(999_999)]).toEqual([
        30_000, 20_000, 5_000, 60_000,
      ])
      const opened = await world.open({ side: 'SELL' })
      expect(opened).toMatchObject({
        instanceId: owner.instanceId,
        requesterAddress: requester.address.toLowerCase(),
        baseToken: books.stocks.base,
        custodyContract: books.stocks.custody,
        side: 'SELL',
        baseAmount: '5000000',
        status: 'PENDING',
      })
      expect(await world.read(opened.id)).toEqual({ ...opened, quotes: [] })
      const inbox = (await owner.call('GET', '/access/api/inbox')).body.data.needs
      expect(inbox.find(({ id }: { id: string }) => id === opened.id)).toMatchObject({
        kind: 'RFQ_OPEN',
        urgency: 'NOW',
        orderBookId: books.stocks.id,
        walletAddress: opened.requesterAddress,
        dueAt: opened.expiresAt,
      })
      expect((await world.other.call('GET', '/access/api/inbox')).body.data.needs).toEqual([])
    })

    it('is repeated without harm under one Idempotency-Key', async () => {
      const { requester, books, owner } = world
      const { base, quote, custody } = books.stocks
      const pair = { baseToken: base, quoteToken: quote, custodyContract: custody }
      const body = { requesterAddress: requester.address, ...pair, side: 'BUY', baseAmount: '1000000' }
      const ask = () => owner.call('POST', RFQ, { body, headers: { 'idempotency-key': 'the-same-request' } })
      const [first, second] = [await ask(), await ask()]
      expect(second.body.data.id).toBe(first.body.data.id)
    })

    it('is refused for an amount that is none, and where the instance has no active book on chain', async () => {
      const { requester, books, other } = world
      const { base, quote, custody } = books.stocks
      const ask = (fields: object, of = world.owner) => {
        const pair = { baseToken: base, quoteToken: quote, custodyContract: custody }
        const body = { requesterAddress: requester.address, ...pair, side: 'BUY', baseAmount: '1', ...fields }
        return of.call('POST', RFQ, { body })
      }
      for (const fields of [{ baseAmount: '0' }, { baseAmount: '9223372036854775808' }, { baseAmount: '1.5' }]) {
        const answer = await ask(fields)
        expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } })
        expect(answer.body.error.details[0].field).toBe('baseAmount')
      }
      expect((await ask({ baseToken: '0xAbc0000000000000000000000000000000000000' })).body.error.details).toMatchObject(
        [{ field: 'baseToken' }],
      )
      expect(await refused(ask({ quoteToken: books.commodities.base }))).toEqual([404, 'ORDER_BOOK_NOT_FOUND'])
      expect(await refused(ask({ custodyContract: books.commodities.custody }))).toEqual([404, 'ORDER_BOOK_NOT_FOUND'])
      expect(await refused(ask({}, other))).toEqual([404, 'ORDER_BOOK_NOT_FOUND'])
      expect(await world.withBook({ status: 'PAUSED' }, () => refused(ask({})))).toEqual([404, 'ORDER_BOOK_NOT_FOUND'])
    })
  })

  describe('reading', () => {
    it('shows what the instance opened, and nothing to others', async () => {
      const { id } = await world.open()
      expect((await world.other.call('GET', `${RFQ}/${id}`)).status).toBe(404)
      for (const path of [`/${NOBODY}`, '/no-uuid']) {
        expect(await refused(get(path))).toEqual([404, 'NOT_FOUND'])
        expect(await refused(get(`${path}/quotes`))).toEqual([404, 'NOT_FOUND'])
      }
      expect(await refused(get(`/${TOO_LONG}`))).toEqual([400, 'INVALID_PARAM'])
      expect(await refused(get(`/${TOO_LONG}/quotes`))).toEqual([400, 'INVALID_PARAM'])
    })

    it('shows a deadline that has passed before anybody swept', async () => {
      const [ada, bea] = world.providers
      const rfq = await world.open()
      const short = (await world.quote(ada, rfq, 40n * ONE)).body.data
      expect((await world.read(rfq.id)).status).toBe('QUOTED')
      await world.expireQuote(short.id)
      expect(await world.read(rfq.id)).toMatchObject({ status: 'PENDING', quotes: [{ status: 'EXPIRED' }] })
      await world.quote(bea, rfq, 41n * ONE)
      await world.expire(rfq.id)
      const { body } = await get(`/${rfq.id}/quotes`)
      expect(body.data.rfq.status).toBe('EXPIRED')
      expect(body.data.quotes).toEqual(body.data.rfq.quotes)
      expect(body.data.quotes.map((quote: { status: string }) => quote.status)).toEqual(['EXPIRED', 'EXPIRED'])
      expect(body.data.quotes[0]).toEqual({
        ...short,
        status: 'EXPIRED',
        validUntil: expect.any(String),
        updatedAt: expect.any(String),
      })
    })

    it('lists them newest first, by the status they have now', async () => {
      const [ada] = world.providers
      const [gone, quoted, pending] = [await world.open(), await world.open(), await world.open()]
      await world.expire(gone.id)
      await world.quote(ada, quoted, 40n * ONE)
      const listed = async (query: string) => {
        const { body } = await get(query)
        return body.data.rfqs.map((rfq: { id: string }) => rfq.id)
      }
      const newest = await get('?limit=3')
      expect(newest.body.data).toMatchObject({ limit: 3, offset: 0 })
      expect(newest.body.data.rfqs.map((rfq: { id: string }) => rfq.id)).toEqual([pending.id, quoted.id, gone.id])
      expect(await listed('?status=PENDING&limit=1')).toEqual([pending.id])
      expect(await listed('?status=QUOTED&limit=1')).toEqual([quoted.id])
      expect(await listed('?status=EXPIRED&limit=1')).toEqual([gone.id])
      expect((await get('?status=ACCEPTED')).body.data).toMatchObject({ rfqs: [], total: 0 })
      expect(await refused(get('?status=OPEN'))).toEqual([400, 'INVALID_PARAM'])
    })
  })

  describe('preparing', () => {
    it('tells a provider and the requester what they sign: the two sides of one trade, without a fee', async () => {
      const { providers, requester } = world
      const [ada] = providers
      const rfq = await world.open()
      const asProvider = { userAddress: ada.address, price: String(40n * ONE) }
      const quoting = (await world.post(`/${rfq.id}/prepare`, asProvider)).body.data
      const end = Math.ceil(Date.parse(rfq.expiresAt) / 1000)
      expect(quoting).toMatchObject({
        order: {
          trader: ada.address,
          isBuy: false,
          quantity: '5000000000000000000',
          price: '40000000',
          maxFee: '0',
          expiry: String(end + 3600),
        },
        notional: '200000000',
        orderBookId: world.books.stocks.id,
        reservation: { tokenAddress: world.books.stocks.base, amount: '5000000000000000000', sufficient: true },
      })
      const { order, domain, types, primaryType } = quoting
      const signature = await ada.signTypedData({ domain, types, primaryType, message: order })
      const { expiry, nonce, salt } = order
      const sent = { lpAddress: ada.address, price: asProvider.price, expiry, nonce, salt, signature }
      const quote = (await world.post(`/${rfq.id}/quotes`, sent)).body.data
      expect(quote).toMatchObject({ status: 'ACTIVE', price: '40000000' })
      const asRequester = { userAddress: requester.address, quoteId: quote.id }
      expect((await world.post(`/${rfq.id}/prepare`, asRequester)).body.data).toMatchObject({
        order: { trader: requester.address, isBuy: true, quantity: order.quantity, price: order.price, maxFee: '0' },
      })
    })

    it('is refused with the reason', async () => {
      const [ada] = world.providers
      const rfq = await world.open()
      const quote = (await world.quote(ada, rfq, 40n * ONE)).body.data
      const prepare = (fields: object, id = rfq.id) =>
        refused(world.post(`/${id}/prepare`, { userAddress: ada.address, ...fields }))
      const price = String(40n * ONE)
      expect(await prepare({})).toEqual([400, 'VALIDATION_ERROR'])
      expect(await prepare({ price, quoteId: quote.id })).toEqual([400, 'VALIDATION_ERROR'])
      expect(await prepare({ price }, TOO_LONG)).toEqual([400, 'INVALID_PARAM'])
      expect(await prepare({ price }, NOBODY)).toEqual([404, 'NOT_FOUND'])
      expect(await prepare({ quoteId: NOBODY })).toEqual([404, 'NOT_FOUND'])
      expect(await prepare({ price: '0' })).toEqual([400, 'INVALID_PRICE'])
      expect(await prepare({ price: '9223372036854775807' })).toEqual([400, 'INVALID_PRICE'])
      expect(await prepare({ price, expiry: 1 })).toEqual([400, 'INVALID_ORDER_EXPIRY'])
      expect(await prepare({ price, expiry: 9_999_999_999 })).toEqual([400, 'INVALID_ORDER_EXPIRY'])
      expect(await prepare({ price, nonce: '18446744073709551616' })).toEqual([400, 'INVALID_ORDER_NONCE'])
      expect(await prepare({ price, salt: '0x12' })).toEqual([400, 'INVALID_ORDER_SALT'])
      expect(await world.withBook({ status: 'PAUSED' }, () => prepare({ price }))).toEqual([
        404,
        'ORDER_BOOK_NOT_FOUND',
      ])
      expect(await world.withoutNode(() => prepare({ price }))).toEqual([503, 'CHAIN_UNAVAILABLE'])
      await world.expireQuote(quote.id)
      expect(await prepare({ quoteId: quote.id })).toEqual([410, 'QUOTE_EXPIRED'])
      await world.expire(rfq.id)
      expect(await prepare({ price })).toEqual([410, 'RFQ_EXPIRED'])
    })
  })

  describe('withdrawing a quote', () => {
    const withdraw = (id: string, quoteId: string, lpAddress: string) =>
      world.post(`/${id}/quotes/${quoteId}/withdraw`, { lpAddress })

    it('frees what it reserved; without quotes the request is pending again', async () => {
      const [ada] = world.providers
      const before = await world.reserved(ada, 'base')
      const rfq = await world.open()
      const { id } = (await world.quote(ada, rfq, 40n * ONE)).body.data
      expect(await world.reserved(ada, 'base')).toBe(before + 5n * ONE)
      expect((await withdraw(rfq.id, id, ada.address)).body.data).toMatchObject({ id, status: 'WITHDRAWN' })
      expect(await world.reserved(ada, 'base')).toBe(before)
      expect((await world.read(rfq.id)).status).toBe('PENDING')
    })

    it('is refused with the reason', async () => {
      const [ada, bea] = world.providers
      const rfq = await world.open()
      const { id } = (await world.quote(ada, rfq, 40n * ONE)).body.data
      expect(await refused(withdraw(rfq.id, id, 'nobody'))).toEqual([400, 'VALIDATION_ERROR'])
      expect(await refused(withdraw(TOO_LONG, id, ada.address))).toEqual([400, 'INVALID_PARAM'])
      expect(await refused(withdraw(NOBODY, id, ada.address))).toEqual([404, 'NOT_FOUND'])
      expect(await refused(withdraw(rfq.id, NOBODY, ada.address))).toEqual([404, 'NOT_FOUND'])
      expect(await refused(withdraw(rfq.id, id, bea.address))).toEqual([403, 'FORBIDDEN'])
      await withdraw(rfq.id, id, ada.address)
      expect(await refused(withdraw(rfq.id, id, ada.address))).toEqual([410, 'QUOTE_EXPIRED'])
    })
  })

  describe('cancelling', () => {
    it('withdraws all quotes and frees what they reserved; once more answers the same', async () => {
      const [ada, bea] = world.providers
      const before = [await world.reserved(ada, 'quote'), await world.reserved(bea, 'quote')]
      const rfq = await world.open({ side: 'SELL' })
      await world.quote(ada, rfq, 40n * ONE)
      await world.quote(bea, rfq, 41n * ONE)
      expect(await world.reserved(bea, 'quote')).toBe((before[1] ?? 0n) + 205n * ONE)
      const cancelled = (await world.cancel(rfq)).body.data
      expect(cancelled).toMatchObject({
        status: 'CANCELLED',
        quotes: [{ status: 'WITHDRAWN' }, { status: 'WITHDRAWN' }],
      })
      expect([await world.reserved(ada, 'quote'), await world.reserved(bea, 'quote')]).toEqual(before)
      expect((await world.cancel(rfq)).body.data).toEqual(cancelled)
    })

    it('is for the requester alone', async () => {
      const [ada] = world.providers
      const rfq = await world.open()
      expect(await refused(world.cancel(rfq, ada))).toEqual([403, 'FORBIDDEN'])
      expect(await refused(world.cancel({ ...rfq, id: NOBODY }))).toEqual([404, 'NOT_FOUND'])
      expect(await refused(world.cancel({ ...rfq, id: TOO_LONG }))).toEqual([400, 'INVALID_PARAM'])
      expect(await refused(world.post(`/${rfq.id}/cancel`, { requesterAddress: 'me' }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
    })
  })
})
