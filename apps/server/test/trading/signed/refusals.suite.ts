import { tradingVaultAbi } from '@tallystick/abi'
import type { Wallet } from '@tallystick/testkit'
import { numberToHex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestAnswer } from '../../world.ts'
import type { OnchainBook, SignedTerms } from '../onchain-world.ts'
import { asPriority, expectRefusal, ONE, PRICE, type SigningWorld, UNTOUCHED } from '../signing-world.ts'

type Fields = Record<string, unknown>

/** Everything that stands against a signed order, on each route that takes one. */
export function describeRefusals(given: () => SigningWorld): void {
  let world: SigningWorld
  let anna: Wallet
  let bert: Wallet
  let carl: Wallet
  let stocks: OnchainBook
  let commodities: OnchainBook
  let securities: OnchainBook

  beforeAll(() => {
    world = given()
    ;[anna, bert, carl] = world.traders
    ;({ stocks, commodities, 'external-securities': securities } = world.books)
  })

  /** Whenever the node has told what it was asked, somebody bids a little more. */
  async function whileBidsCome<T>(work: () => Promise<T>): Promise<T> {
    let price = PRICE
    let isBusy = false
    const bids: number[] = []
    world.proxy.afterCall = async (method) => {
      if (isBusy || method !== 'eth_call') return
      isBusy = true
      price += ONE
      bids.push((await world.buy(anna, commodities, price, ONE)).status)
      isBusy = false
    }
    const done = await work()
    world.proxy.afterCall = undefined
    expect(bids).toEqual([200, 200, 200, 200])
    await world.clear(commodities)
    return done
  }

  /** A route that takes an order, so that what stands against one can be tried on all. */
  interface Taker {
    readonly name: string
    send(book: OnchainBook, terms: SignedTerms, fields?: Fields): Promise<TestAnswer>
  }
  const takers: readonly Taker[] = [
    { name: 'submitOrder', send: (book, terms, fields) => world.send(book, terms, fields) },
    {
      name: 'submitPriorityOrder',
      send: (book, { body }, fields) =>
        world.owner.call('POST', `${book.prefix}/orders/priority`, { body: asPriority({ ...body, ...fields }) }),
    },
  ]

  describe.each(takers)('$name refuses', ({ name, send }) => {
    it('what has not the form of a signed order', async () => {
      const terms = await world.ask(commodities)
      const cases: [Fields, string][] = [
        [{ userAddress: '0x00' }, 'VALIDATION_ERROR'],
        [{ signature: undefined }, 'SIGNATURE_REQUIRED'],
        [{ signature: '0x' }, 'SIGNATURE_REQUIRED'],
        [{ expiry: 'soon' }, 'INVALID_ORDER_EXPIRY'],
        [{ expiry: 1_000 }, 'INVALID_ORDER_EXPIRY'],
        [{ nonce: (2n ** 64n).toString() }, 'INVALID_ORDER_NONCE'],
        [{ salt: '0x12' }, 'INVALID_ORDER_SALT'],
        [{ maxFee: (2n ** 120n).toString() }, 'VALIDATION_ERROR'],
        [{ quantity: '0' }, 'INVALID_QUANTITY'],
        [{ price: '0' }, 'INVALID_PRICE'],
        [{ quantity: '1', price: '1' }, 'ORDER_TOO_SMALL'],
      ]
      for (const [fields, code] of cases) await expectRefusal(send(commodities, terms, fields), 400, { code })
      await expectRefusal(send(commodities, terms, { price: '41000000' }), 401, { code: 'INVALID_SIGNATURE' })
      await expectRefusal(send(commodities, terms, { userAddress: anna.address }), 401, { code: 'INVALID_SIGNATURE' })
    })

    it('what the book does not take', async () => {
      const unknown = { orderBookId: '01890000-0000-7000-8000-000000000000' }
      await expectRefusal(send(commodities, await world.ask(commodities), unknown), 404, {
        code: 'ORDER_BOOK_NOT_FOUND',
      })
      await world.patchBook(commodities, { maxOrderSize: '500000' })
      await expectRefusal(send(commodities, await world.ask(commodities)), 400, { code: 'ORDER_TOO_LARGE' })
      await world.patchBook(commodities, { ...UNTOUCHED, tickSize: '3000000' })
      await expectRefusal(send(commodities, await world.ask(commodities)), 400, {
        code: 'INVALID_PRICE',
        step: '3000000',
      })
      await world.patchBook(commodities, { ...UNTOUCHED, takerFeeBps: 100 })
      await expectRefusal(send(commodities, await world.ask(commodities)), 400, { code: 'FEE_ABOVE_LIMIT' })
      expect((await send(commodities, await world.ask(commodities, { maxFee: 800_000n }))).status).toBe(200)
      await world.patchBook(commodities, UNTOUCHED)
      await world.clear(commodities)
    })

    it('a trader who may not, or has not', async () => {
      const accounts = `${commodities.prefix}/accounts`
      const { accountId } = (await world.owner.get(`${accounts}?userAddress=${bert.address}`)).body.data.accounts[0]
      const change = (status: string) => world.owner.call('PATCH', `${accounts}/${accountId}`, { body: { status } })
      await change('SUSPENDED')
      await expectRefusal(send(commodities, await world.ask(commodities)), 403, { code: 'MM_CONFIG_VIOLATION' })
      await change('ACTIVE')
      await expectRefusal(send(commodities, await world.ask(commodities, { quantity: 2_000n * ONE })), 400, {
        code: 'INSUFFICIENT_CUSTODY_BALANCE',
        required: '200000000000',
        tokenAddress: commodities.base,
      })
      await world.revokeIdentity(bert)
      await expectRefusal(send(stocks, await world.ask(stocks)), 409, {
        code: 'DELIVERY_NOT_ALLOWED',
        rule: 'SELLER_NOT_VERIFIED',
      })
      await world.verify(bert)
    })

    it('a signature that ended on chain, or made an order before', async () => {
      const cancelled = await world.ask(commodities)
      await world.onCustody(commodities, bert, tradingVaultAbi, 'cancelOrders', [[cancelled.orderHash]])
      await expectRefusal(send(commodities, cancelled), 409, { code: 'ORDER_NOT_LIVE', reason: 'CANCELLED_ON_CHAIN' })
      const sold = await world.ask(commodities, { quantity: 2n * ONE })
      const bought = await world.signOrder(anna, commodities, { side: 'BUY', price: PRICE, quantity: ONE })
      const fill = {
        tradeRef: numberToHex(name.length, { size: 32 }),
        ...{ maker: sold.order, makerSignature: sold.signature, taker: bought.order, takerSignature: bought.signature },
        ...{ quantity: bought.order.quantity, price: sold.order.price, makerFee: 0n, takerFee: 0n },
      }
      await world.onCustody(commodities, world.owner.wallet, tradingVaultAbi, 'settle', [fill])
      await expectRefusal(send(commodities, sold), 409, {
        code: 'ORDER_NOT_LIVE',
        reason: 'FILLED_ON_CHAIN',
        remainingBase: '100000000',
      })
      const used = await world.ask(commodities)
      const first = await send(commodities, used)
      await expectRefusal(send(commodities, used), 409, {
        code: 'DUPLICATE_ORDER',
        orderId: first.body.data.order.orderId,
        orderHash: used.orderHash,
      })
      await world.clear(commodities)
    })

    it('everything while the vault does not take a token, or the chain is not there', async () => {
      const admin = world.owner.wallet
      for (const [token, code] of [
        [commodities.base, 'BASE_TOKEN_NOT_SUPPORTED'],
        [commodities.quote, 'QUOTE_TOKEN_NOT_SUPPORTED'],
      ] as const) {
        await world.onCustody(commodities, admin, tradingVaultAbi, 'removeToken', [token])
        await expectRefusal(send(commodities, await world.ask(commodities)), 503, { code })
        await world.onCustody(commodities, admin, tradingVaultAbi, 'addToken', [token, 0, false])
      }
      const terms = await world.ask(commodities)
      await expectRefusal(
        world.withoutNode(() => send(commodities, terms)),
        503,
        { code: 'CHAIN_UNAVAILABLE' },
      )
    })

    it('to go on for ever while the other side changes', async () => {
      const terms = await world.ask(commodities)
      await expectRefusal(
        whileBidsCome(() => send(commodities, terms)),
        503,
        { code: 'BOOK_MOVED' },
      )
    })
  })

  describe('submitOrder alone refuses', () => {
    it('what only it takes', async () => {
      const terms = await world.ask(commodities)
      await expectRefusal(world.send(commodities, terms, { side: 'HOLD' }), 400, { code: 'INVALID_SIDE' })
      await expectRefusal(world.send(commodities, terms, { price: undefined }), 400, { code: 'PRICE_REQUIRED' })
      await expectRefusal(world.send(commodities, terms, { orderType: 'MARKET' }), 400, {
        code: 'MARKET_ORDER_NOT_SUPPORTED',
      })
      await expectRefusal(world.send(commodities, terms, { postOnly: true, timeInForce: 'FOK' }), 400, {
        code: 'VALIDATION_ERROR',
      })
      const named = await world.send(commodities, terms, { clientOrderId: 'one', postOnly: true })
      await expectRefusal(world.sell(bert, commodities, PRICE, ONE, { clientOrderId: 'one' }), 409, {
        code: 'DUPLICATE_CLIENT_ORDER_ID',
        orderId: named.body.data.order.orderId,
      })
      await expectRefusal(world.buy(anna, commodities, PRICE, ONE, { postOnly: true }), 409, {
        code: 'POST_ONLY_WOULD_CROSS',
      })
      await world.clear(commodities)
    })

    it('what a band around the reference price keeps out, and what waits for one', async () => {
      await world.patchBook(commodities, { priceRefEnabled: true, priceRefSpreadBps: 500, priceRefHaltOnStale: true })
      await expectRefusal(world.sell(bert, commodities, PRICE, ONE), 503, { code: 'PRICE_REF_UNAVAILABLE' })
      await expectRefusal(world.batch(commodities, [await world.ask(commodities)]), 503, {
        code: 'PRICE_REF_UNAVAILABLE',
      })
      const path = `${commodities.prefix}/order-books/${commodities.id}/price-reference`
      expect((await world.owner.post(path, { price: '20' })).status).toBe(200)
      await expectRefusal(world.sell(bert, commodities, PRICE, ONE), 400, {
        code: 'PRICE_OUTSIDE_BAND',
        ...{ referencePrice: '20', lowerBound: '19', upperBound: '21', spreadBps: 500 },
      })
      const sale = await takers[1]?.send(commodities, await world.ask(commodities))
      expect(sale?.status).toBe(200)
      world.clock.advance(301_000)
      await expectRefusal(world.sell(bert, commodities, 20n * ONE, ONE), 503, { code: 'PRICE_REF_STALE' })
      await expectRefusal(world.batch(commodities, [await world.ask(commodities)]), 503, { code: 'PRICE_REF_STALE' })
      await world.patchBook(commodities, { priceRefEnabled: false })
    })

    it('books that are paused, or settle off chain', async () => {
      const offchain = await world.offchainBook()
      const elsewhere = { orderBookId: offchain }
      await expectRefusal(world.send(stocks, await world.ask(stocks), elsewhere), 400, {
        code: 'WRONG_SETTLEMENT_MODE',
      })
      await expectRefusal(world.batch(stocks, [await world.ask(stocks)], offchain), 400, {
        code: 'WRONG_SETTLEMENT_MODE',
      })
      await world.patchBook(stocks, { status: 'PAUSED' })
      await expectRefusal(world.send(stocks, await world.ask(stocks)), 400, { code: 'ORDER_BOOK_INACTIVE' })
      await expectRefusal(world.batch(stocks, [await world.ask(stocks)]), 400, { code: 'ORDER_BOOK_INACTIVE' })
      await expectRefusal(world.prepare(stocks), 400, { code: 'ORDER_BOOK_INACTIVE' })
      await world.patchBook(stocks, { status: 'ACTIVE' })
    })
  })

  describe('in a batch', () => {
    it('are taken or refused each for itself, also against each other', async () => {
      const twice = await world.ask(securities)
      const forged = await world.ask(securities, {}, carl)
      const good = await world.signOrder(carl, securities, { side: 'BUY', price: PRICE, quantity: 2n * ONE })
      const { data } = (
        await world.batch(securities, [
          twice,
          twice,
          { ...forged, body: { ...forged.body, userAddress: bert.address, clientOrderId: 'mine' } },
          good,
        ])
      ).body
      expect(data).toMatchObject({
        accepted: 2,
        refused: 2,
        results: [
          { accepted: true, status: 'OPEN' },
          { accepted: false, error: { code: 'DUPLICATE_ORDER', orderHash: twice.orderHash } },
          { accepted: false, clientOrderId: 'mine', error: { code: 'INVALID_SIGNATURE' } },
          { accepted: true, status: 'PARTIALLY_FILLED', trades: [{ makerAddress: bert.address.toLowerCase() }] },
        ],
      })
      await world.clear(securities)
    })

    it('stop together where the book stops, the vault or the chain', async () => {
      const terms = await world.ask(commodities)
      await expectRefusal(
        whileBidsCome(() => world.batch(commodities, [terms])),
        503,
        { code: 'BOOK_MOVED' },
      )
      await expectRefusal(world.batch(commodities, []), 400, { code: 'VALIDATION_ERROR' })
      await expectRefusal(world.batch(commodities, [terms], '01890000-0000-7000-8000-000000000000'), 404, {
        code: 'ORDER_BOOK_NOT_FOUND',
      })
      await expectRefusal(
        world.withoutNode(() => world.batch(commodities, [terms])),
        503,
        { code: 'CHAIN_UNAVAILABLE' },
      )
      for (const [token, code] of [
        [commodities.base, 'BASE_TOKEN_NOT_SUPPORTED'],
        [commodities.quote, 'QUOTE_TOKEN_NOT_SUPPORTED'],
      ] as const) {
        await world.onCustody(commodities, world.owner.wallet, tradingVaultAbi, 'removeToken', [token])
        await expectRefusal(world.batch(commodities, [terms]), 503, { code })
        await world.onCustody(commodities, world.owner.wallet, tradingVaultAbi, 'addToken', [token, 0, false])
      }
    })
  })
}
