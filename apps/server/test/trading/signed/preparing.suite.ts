import { tradingVaultAbi } from '@tallystick/abi'
import type { Wallet } from '@tallystick/testkit'
import { type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OnchainBook } from '../onchain-world.ts'
import { asPriority, expectRefusal, ONE, PRICE, type SigningWorld, UNTOUCHED } from '../signing-world.ts'

type Fields = Record<string, unknown>

/** What is laid out to be signed, and sales of seized collateral. */
export function describePreparing(given: () => SigningWorld): void {
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

  describe('that sell seized collateral', () => {
    it('fill at once or end, and keep why', async () => {
      await world.buy(anna, stocks, PRICE, ONE)
      const { body } = await world.ask(stocks, { quantity: 2n * ONE })
      const { data } = (await world.owner.call('POST', `${stocks.prefix}/orders/priority`, { body: asPriority(body) }))
        .body
      const cancelReason = `LIQUIDATION_PRIORITY ${numberToHex(0xdead, { size: 20 })}`
      expect(data).toMatchObject({
        status: 'CANCELLED',
        filledQuantity: '1000000',
        cancelReason,
        order: { timeInForce: 'IOC', side: 'SELL', cancelReason },
      })
      await world.buy(anna, stocks, PRICE, ONE)
      const filled = await world.owner.call('POST', `${stocks.prefix}/orders/priority`, {
        body: { ...asPriority((await world.ask(stocks)).body), reason: 'COURT_ORDER' },
      })
      expect(filled.body.data).toMatchObject({
        status: 'FILLED',
        cancelReason: `COURT_ORDER ${numberToHex(0xdead, { size: 20 })}`,
      })
    })

    it('need the lending service, and an own open book on chain', async () => {
      const trader = await world.createInstance({ services: ['trading'] })
      const body = asPriority((await world.ask(stocks)).body)
      const path = `${stocks.prefix}/orders/priority`
      await expectRefusal(trader.call('POST', path, { body }), 403, { code: 'SERVICE_NOT_ENABLED', service: 'lending' })
      await expectRefusal(world.other.call('POST', path, { body }), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
      const liquidatedUser = 'nobody'
      await expectRefusal(world.owner.call('POST', path, { body: { ...body, liquidatedUser } }), 400, {
        code: 'VALIDATION_ERROR',
      })
    })
  })

  describe('before they are signed', () => {
    it('are laid out as the contract hashes them, with advice on the funds', async () => {
      await world.patchBook(stocks, { makerFeeBps: 10, takerFeeBps: 20 })
      const { data } = (await world.prepare(stocks, { side: 'BUY', quantity: '5000000' })).body
      expect(data).toMatchObject({
        order: {
          ...{ trader: bert.address, isBuy: true, quantity: '5000000000000000000', price: '40000000' },
          ...{ maxFee: '404001', nonce: '0' },
        },
        domain: { name: 'TradingVault', version: '1', chainId: world.node.chainId },
        primaryType: 'Order',
        notional: '200000000',
        custodyContract: stocks.custody,
        reservation: { tokenAddress: stocks.quote, amount: '200400000', sufficient: true },
      })
      const { available, onChainAvailable, reserved } = data.reservation
      expect(BigInt(available)).toBe(BigInt(onChainAvailable) - BigInt(reserved))
      const hash = await world.node.publicClient.readContract({
        ...{ address: stocks.custody, abi: tradingVaultAbi, functionName: 'hashOrder', args: [data.order] },
      })
      expect(data.orderHash).toBe(hash)
      const { domain, types, primaryType, order: message } = data
      const signature: Hex = await bert.signTypedData({ domain, types, primaryType, message })
      const { maxFee, expiry, nonce, salt } = message
      const taken = await world.owner.call('POST', `${stocks.prefix}/orders`, {
        body: {
          ...{ orderBookId: stocks.id, userAddress: bert.address, side: 'BUY', price: '40000000', quantity: '5000000' },
          ...{ maxFee, expiry, nonce, salt, signature },
        },
      })
      expect(taken.body.data).toMatchObject({ status: 'OPEN', orderHash: hash })
      const after = (await world.prepare(stocks, { side: 'BUY', quantity: '100000000000' })).body.data.reservation
      expect(after).toMatchObject({ sufficient: false })
      expect(BigInt(after.reserved) - BigInt(reserved)).toBe(200_400_000n)
      await world.patchBook(stocks, UNTOUCHED)
      await world.clear(stocks)
    })

    it('begin with the nonce that still counts, and a salt of their own', async () => {
      const { data } = (await world.prepare(securities, {}, anna)).body
      expect(data).toMatchObject({ domain: { name: 'SignedOrderSettlement' }, order: { nonce: '1', maxFee: '0' } })
      const again = (await world.prepare(securities, {}, anna)).body.data
      expect(again.order.salt).not.toBe(data.order.salt)
      const salt = numberToHex(7, { size: 32 })
      const expiry = Number(data.order.expiry) - 1_000
      const told = (await world.prepare(securities, { salt, nonce: '9', expiry, maxFee: '5' }, anna)).body.data
      expect(told.order).toMatchObject({ salt, nonce: '9', expiry: String(expiry), maxFee: '5' })
    })

    it('are refused for what the book or the chain could never take', async () => {
      await world.patchBook(commodities, { minOrderSize: '500000', maxOrderSize: '5000000' })
      const cases: [Fields, string][] = [
        [{ userAddress: '0x0' }, 'VALIDATION_ERROR'],
        [{ side: 'HOLD' }, 'INVALID_SIDE'],
        [{ quantity: '0' }, 'INVALID_QUANTITY'],
        [{ price: '0' }, 'INVALID_PRICE'],
        [{ quantity: '400000' }, 'ORDER_TOO_SMALL'],
        [{ quantity: '6000000' }, 'ORDER_TOO_LARGE'],
        [{ expiry: 1_000 }, 'INVALID_ORDER_EXPIRY'],
        [{ nonce: 'x' }, 'INVALID_ORDER_NONCE'],
        [{ salt: '0x' }, 'INVALID_ORDER_SALT'],
      ]
      for (const [fields, code] of cases) await expectRefusal(world.prepare(commodities, fields), 400, { code })
      await world.patchBook(commodities, UNTOUCHED)
      const orderBookId = '01890000-0000-7000-8000-000000000000'
      await expectRefusal(world.prepare(commodities, { orderBookId }), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
      const closed = (await world.owner.get('/orderbooks/stocks/api/offchain/order-books')).body.data[0].id
      await expectRefusal(world.prepare(stocks, { orderBookId: closed }), 400, { code: 'WRONG_SETTLEMENT_MODE' })
      await expectRefusal(
        world.withoutNode(() => world.prepare(commodities)),
        503,
        { code: 'CHAIN_UNAVAILABLE' },
      )
    })
  })
  describe('at the market, before they are signed', () => {
    const market = { orderType: 'MARKET', price: undefined }
    const setReference = async (price: string) => {
      const path = `${stocks.prefix}/order-books/${stocks.id}/price-reference`
      expect((await world.owner.post(path, { price })).status).toBe(200)
    }
    async function sendPrepared(data: Fields & { order: Record<string, string> }, by: Wallet, fields: Fields) {
      const { domain, types, primaryType, order: message, submitAs } = data
      const signature = await by.signTypedData({ domain, types, primaryType, message } as never)
      const { maxFee, expiry, nonce, salt } = message
      return world.owner.call('POST', `${stocks.prefix}/orders`, {
        body: {
          ...{ orderBookId: stocks.id, userAddress: by.address, orderType: 'MARKET', ...fields },
          ...{ maxFee, expiry, nonce, salt, signature },
          ...(submitAs as Fields),
        },
      })
    }

    afterAll(async () => {
      await world.clear(stocks)
      await world.patchBook(stocks, { ...UNTOUCHED, priceRefEnabled: false })
    })

    it('need a book with a price band, and no price of their own', async () => {
      await expectRefusal(world.prepare(stocks, market), 400, {
        code: 'MARKET_ORDER_NOT_SUPPORTED',
        message: expect.stringContaining('This book has no price band'),
      })
      await expectRefusal(world.prepare(stocks, { orderType: 'MARKET' }), 400, {
        code: 'VALIDATION_ERROR',
        details: [{ field: 'price', message: 'must be absent on a MARKET order' }],
      })
      for (const orderType of ['LIMIT', undefined])
        await expectRefusal(world.prepare(stocks, { orderType, price: undefined }), 400, {
          code: 'VALIDATION_ERROR',
          details: [{ field: 'price', message: 'is required' }],
        })
    })

    it('wait for a reference price that counts', async () => {
      await world.patchBook(stocks, { priceRefEnabled: true, priceRefSpreadBps: 500, priceRefHaltOnStale: true })
      await expectRefusal(world.prepare(stocks, market), 503, { code: 'PRICE_REF_UNAVAILABLE' })
      await setReference('40')
      world.clock.advance(301_000)
      await expectRefusal(world.prepare(stocks, market), 503, { code: 'PRICE_REF_STALE' })
      await setReference('40')
    })

    it('are limits at the last tick inside of the band, and fill at once or end', async () => {
      await world.patchBook(stocks, { tickSize: '3000000', makerFeeBps: 10, takerFeeBps: 20 })
      // The band goes from 38 to 42; ticks inside of it are 39 and 42.
      const bought = (await world.prepare(stocks, { ...market, side: 'BUY', quantity: '3000000' }, anna)).body.data
      expect(bought).toMatchObject({
        order: { isBuy: true, price: '42000000', quantity: '3000000000000000000', maxFee: '254521' },
        submitAs: { orderType: 'LIMIT', timeInForce: 'IOC', price: '42000000' },
        reservation: { amount: '126252000', sufficient: true },
      })
      const sold = (await world.prepare(stocks, market)).body.data
      // A sale may get the best price of the band, and its fee is reckoned on that.
      expect(sold).toMatchObject({ order: { price: '39000000', maxFee: '84841' }, submitAs: { price: '39000000' } })

      const resting = (await world.prepare(stocks, { price: '39000000' })).body.data
      expect(resting).not.toHaveProperty('submitAs')
      expect(
        (
          await sendPrepared(resting, bert, {
            side: 'SELL',
            orderType: 'LIMIT',
            price: '39000000',
            quantity: '1000000',
          })
        ).body.data,
      ).toMatchObject({ status: 'OPEN' })
      const taken = await sendPrepared(bought, anna, { side: 'BUY', quantity: '3000000' })
      expect(taken.body.data).toMatchObject({
        status: 'CANCELLED',
        order: { orderType: 'LIMIT', timeInForce: 'IOC', price: '42000000' },
        filledQuantity: '1000000',
        trades: [{ price: '39000000', quantity: '1000000' }],
      })
    })

    it('are not taken as such once they are signed', async () => {
      const { submitAs: _limit, ...bare } = (await world.prepare(stocks, market)).body.data
      await expectRefusal(sendPrepared(bare, bert, { side: 'SELL', quantity: '1000000' }), 400, {
        code: 'MARKET_ORDER_NOT_SUPPORTED',
      })
    })

    it('find no price where no tick lies inside of the band', async () => {
      await world.patchBook(stocks, { tickSize: '25000000' })
      await expectRefusal(world.prepare(stocks, market), 400, {
        code: 'MARKET_ORDER_NOT_SUPPORTED',
        message: expect.stringContaining('No tick of this book'),
      })
    })
  })
}
