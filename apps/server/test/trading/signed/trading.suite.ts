import { signedOrderSettlementAbi, stockTokenAbi, tradingVaultAbi } from '@tallystick/abi'
import { type Wallet, wallet } from '@tallystick/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { exactChainAmount } from '../../../src/trading/signed/chain-units.rules.ts'
import type { TestAnswer } from '../../world.ts'
import type { OnchainBook, OrderRequest } from '../onchain-world.ts'
import { expectRefusal, ONE, PRICE, type SigningWorld, UNTOUCHED } from '../signing-world.ts'
import { createSmartWallet } from '../smart-wallet.ts'

/** What becomes of signed orders: they rest, trade, are passed over, or are found dead. */
export function describeTrading(given: () => SigningWorld): void {
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

  describe('in the three classes', () => {
    it.each(['stocks', 'commodities', 'external-securities'] as const)(
      '%s: rest, trade at the price that rested, and wait as a settlement',
      async (bookClass) => {
        const book = world.books[bookClass]
        const rested = await world.sell(anna, book, PRICE, 5n * ONE)
        expect(rested.body.data).toMatchObject({
          status: 'OPEN',
          trades: [],
          settlement: null,
          skipped: [],
          order: { userAddress: anna.address.toLowerCase(), side: 'SELL', price: '40000000', quantity: '5000000' },
        })
        const { orderId } = rested.body.data.order
        const taken = await world.buy(bert, book, 41n * ONE, 2n * ONE)
        const { data } = taken.body
        expect(data).toMatchObject({ status: 'FILLED', filledQuantity: '2000000', remainingQuantity: '0' })
        expect(data.trades).toMatchObject([
          { price: '40000000', quantity: '2000000', makerOrderId: orderId, settlementStatus: 'PROCESSING' },
        ])
        const path = `${book.prefix}/settlements/${data.trades[0].settlementId}`
        expect(data.settlement).toEqual({
          settlementId: data.trades[0].settlementId,
          status: 'PENDING',
          orderBookId: book.id,
          tradeCount: 1,
          settlementOperator: bookClass === 'external-securities' ? world.owner.wallet.address.toLowerCase() : null,
          calldata: `${path}/calldata`,
          confirmWith: { endpoint: `${path}/confirm`, field: 'txHash' },
        })
        expect(await world.orderOf(book, orderId)).toMatchObject({
          status: 'PARTIALLY_FILLED',
          filledQuantity: '2000000',
          orderHash: rested.body.data.orderHash,
          orderBook: { id: book.id },
          makerTrades: [{ quantity: '2000000' }],
          takerTrades: [],
        })
        await world.clear(book)
      },
    )

    it.each(['stocks', 'commodities', 'external-securities'] as const)(
      '%s: settle on chain as they were matched, with the fees that were signed',
      async (bookClass) => {
        const book = world.books[bookClass]
        await world.patchBook(book, { makerFeeBps: 10, takerFeeBps: 20 })
        const offer = { side: 'SELL', price: PRICE, quantity: 3n * ONE, maxFee: 240_000n } as const
        const maker = (await world.submit(anna, book, offer)).body.data
        const bid = { side: 'BUY', price: 41n * ONE, quantity: 2n * ONE, maxFee: 164_000n } as const
        const { settlement, trades } = (await world.submit(bert, book, bid)).body.data
        expect(trades).toMatchObject([{ makerFee: '2000', takerFee: '4000', quantity: '2000000' }])
        const { data } = (await world.owner.get(settlement.calldata)).body
        expect(data).toMatchObject({ tradeCount: 1, skipped: [], simulation: { success: true } })
        await world.sendRaw(world.owner.wallet, data.transaction, BigInt(data.gasLimit))
        const ofMaker = { address: book.custody, abi: tradingVaultAbi, args: [anna.address, maker.orderHash] } as const
        const { publicClient } = world.node
        expect(await publicClient.readContract({ ...ofMaker, functionName: 'filled' })).toBe(
          exactChainAmount(2n * ONE, book.baseDecimals),
        )
        // A thousandth of two, at 40.
        expect(await publicClient.readContract({ ...ofMaker, functionName: 'feePaid' })).toBe(80_000n)
        await world.patchBook(book, UNTOUCHED)
        await world.clear(book)
      },
    )

    it('cost one round trip to the node, with or without somebody to trade with', async () => {
      const terms = await world.signOrder(anna, stocks, { side: 'SELL', price: PRICE, quantity: ONE })
      expect(await world.roundTrips(() => world.send(stocks, terms))).toBe(1)
      const taking = await world.signOrder(bert, stocks, { side: 'BUY', price: PRICE, quantity: ONE })
      const answers: TestAnswer[] = []
      expect(await world.roundTrips(async () => answers.push(await world.send(stocks, taking)))).toBe(1)
      expect(answers[0]?.body.data.status).toBe('FILLED')
    })

    it('are answered once for an Idempotency-Key, also when they meet somebody', async () => {
      await world.sell(anna, securities, PRICE, ONE)
      const { body } = await world.signOrder(bert, securities, { side: 'BUY', price: PRICE, quantity: ONE })
      const headers = { 'idempotency-key': 'once-and-only-once' }
      const first = await world.owner.call('POST', `${securities.prefix}/orders`, { body, headers })
      expect(first.body.data.status).toBe('FILLED')
      const again = await world.owner.call('POST', `${securities.prefix}/orders`, { body, headers })
      expect(again.text).toBe(first.text)
      expect(again.headers['idempotent-replay']).toBe('true')
    })

    it('reach a book that was imported, whose owner settles', async () => {
      const imported = await world.other.call('POST', `${stocks.prefix}/imports`, { body: { orderBookId: stocks.id } })
      expect(imported.status).toBe(200)
      await world.sell(anna, stocks, PRICE, ONE)
      const { data } = (await world.submit(bert, stocks, { side: 'BUY', price: PRICE, quantity: ONE }, {}, world.other))
        .body
      expect(data).toMatchObject({ status: 'FILLED', settlement: { settledByOrderBookOwner: true } })
      expect(await world.orderOf(stocks, data.order.orderId, world.other)).toMatchObject({
        orderBook: { id: stocks.id },
      })
      const foreign = await world.owner.call('GET', `${stocks.prefix}/orders/${data.order.orderId}`)
      await expectRefusal(foreign, 404, { code: 'ORDER_NOT_FOUND' })
    })
  })

  describe('of a wallet contract', () => {
    it('count as long as the wallet stands by its signature', async () => {
      const smart = await createSmartWallet(world, wallet(7))
      const bid = { side: 'BUY', price: PRICE, quantity: ONE } as const
      const taken = await world.send(securities, await smart.signOrder(securities, bid))
      expect(taken.body.data).toMatchObject({ status: 'OPEN', order: { userAddress: smart.address.toLowerCase() } })
      const forged = await world.signOrder(wallet(8), securities, bid)
      await expectRefusal(world.send(securities, forged, { userAddress: smart.address }), 401, {
        code: 'INVALID_SIGNATURE',
      })
      const filled = await world.sell(anna, securities, PRICE, ONE / 2n)
      expect(filled.body.data).toMatchObject({
        status: 'FILLED',
        trades: [{ makerAddress: smart.address.toLowerCase() }],
      })
      await smart.refuseSignatures()
      const alone = await world.sell(anna, securities, PRICE, ONE / 2n)
      expect(alone.body.data).toMatchObject({ status: 'OPEN', trades: [] })
      expect(await world.orderOf(securities, taken.body.data.order.orderId)).toMatchObject({
        status: 'CANCELLED',
        filledQuantity: '500000',
        cancelReason: 'SIGNATURE_INVALID',
      })
      await world.clear(securities)
    })
  })

  describe('that rest but can settle no more', () => {
    async function expectPruned(book: OnchainBook, orderId: string, cancelReason: string): Promise<void> {
      const { data } = (await world.buy(bert, book, PRICE, ONE, { timeInForce: 'IOC' })).body
      expect(data).toMatchObject({ status: 'CANCELLED', trades: [], cancelReason: 'IOC_REMAINDER' })
      expect(await world.orderOf(book, orderId)).toMatchObject({ status: 'CANCELLED', cancelReason })
    }
    async function rest(book: OnchainBook, request: Partial<OrderRequest> = {}) {
      const terms = await world.signOrder(anna, book, { side: 'SELL', price: PRICE, quantity: ONE, ...request })
      const { orderId } = (await world.send(book, terms)).body.data.order
      return { orderId: orderId as string, terms }
    }

    it('are cancelled first, and the order goes on to the next: ended on chain', async () => {
      const { orderId, terms } = await rest(commodities)
      const second = await rest(commodities)
      await world.onCustody(commodities, anna, tradingVaultAbi, 'cancelOrders', [[terms.orderHash]])
      const { data } = (await world.buy(bert, commodities, PRICE, ONE)).body
      expect(data).toMatchObject({ status: 'FILLED', trades: [{ makerOrderId: second.orderId }] })
      expect(await world.orderOf(commodities, orderId)).toMatchObject({ cancelReason: 'CANCELLED_ON_CHAIN' })
    })

    it('below the nonce floor', async () => {
      const { orderId } = await rest(securities)
      await world.onCustody(securities, anna, signedOrderSettlementAbi, 'raiseNonceFloor', [1n])
      await expectPruned(securities, orderId, 'NONCE_INVALIDATED')
      await expectRefusal(world.sell(anna, securities, PRICE, ONE), 409, {
        code: 'ORDER_NOT_LIVE',
        reason: 'NONCE_INVALIDATED',
      })
    })

    it('without the funds: asked back from the vault, or sent away', async () => {
      const { orderId } = await rest(stocks)
      const all = (await world.node.publicClient.readContract({
        ...{ address: stocks.custody, abi: tradingVaultAbi, functionName: 'accountOf' },
        args: [anna.address, stocks.base],
      })) as { committed: bigint }
      await world.onCustody(stocks, anna, tradingVaultAbi, 'requestWithdrawal', [stocks.base, all.committed])
      await expectPruned(stocks, orderId, 'FUNDS_GONE')
      await expectRefusal(world.sell(anna, stocks, PRICE, ONE), 400, {
        code: 'INSUFFICIENT_CUSTODY_BALANCE',
        required: '1000000000000000000',
        available: '0',
        tokenAddress: stocks.base,
      })
      await world.onCustody(stocks, anna, tradingVaultAbi, 'cancelWithdrawalRequest', [stocks.base])
      const external = await rest(securities, { nonce: 1n })
      const held = await world.node.publicClient.readContract({
        ...{ address: securities.base, abi: stockTokenAbi, functionName: 'balanceOf', args: [anna.address] },
      })
      await world.onToken(securities.base, stockTokenAbi, 'freezePartialTokens', [anna.address, held])
      await expectPruned(securities, external.orderId, 'FUNDS_GONE')
      await world.onToken(securities.base, stockTokenAbi, 'unfreezePartialTokens', [anna.address, held])
    })
  })

  describe('that may not trade with each other', () => {
    it('are passed over by the rule: the buyer is not verified', async () => {
      await world.revokeIdentity(carl)
      const bid = (await world.buy(carl, securities, PRICE, ONE)).body.data.order
      const { data } = (await world.submit(bert, securities, { side: 'SELL', price: PRICE, quantity: ONE })).body
      expect(data).toMatchObject({
        status: 'CANCELLED',
        cancelReason: 'COUNTERPARTY_REFUSED',
        skipped: [{ makerOrderId: bid.orderId, rule: 'BUYER_NOT_VERIFIED' }],
      })
      await expectRefusal(world.buy(carl, stocks, PRICE, ONE), 409, {
        code: 'DELIVERY_NOT_ALLOWED',
        rule: 'BUYER_NOT_VERIFIED',
      })
      await world.clear(securities)
      const offer = await world.submit(bert, securities, { side: 'SELL', price: PRICE, quantity: ONE })
      expect(offer.body.data.status).toBe('OPEN')
      await expectRefusal(world.buy(carl, securities, PRICE, ONE), 409, {
        code: 'DELIVERY_NOT_ALLOWED',
        rule: 'BUYER_NOT_VERIFIED',
        deliveryCode: 9,
      })
      await world.verify(carl)
      await world.clear(securities)
    })

    it('are passed over by the rule: a wallet is frozen by the token, or in the vault', async () => {
      const offer = (await world.submit(bert, securities, { side: 'SELL', price: PRICE, quantity: ONE })).body.data
        .order
      await world.onToken(securities.base, stockTokenAbi, 'setAddressFrozen', [bert.address, true])
      const { data } = (await world.buy(carl, securities, PRICE, ONE, { timeInForce: 'IOC' })).body
      expect(data.skipped).toEqual([{ makerOrderId: offer.orderId, rule: 'SELLER_FROZEN' }])
      await expectRefusal(world.submit(bert, securities, { side: 'SELL', price: PRICE, quantity: ONE }), 409, {
        code: 'DELIVERY_NOT_ALLOWED',
        rule: 'SELLER_FROZEN',
        deliveryCode: 5,
      })
      await world.onToken(securities.base, stockTokenAbi, 'setAddressFrozen', [bert.address, false])
      await world.clear(securities)

      const sold = (await world.sell(bert, stocks, PRICE, ONE)).body.data.order
      const { timestamp } = await world.node.publicClient.getBlock()
      await world.onCustody(stocks, world.owner.wallet, tradingVaultAbi, 'freezeUser', [
        bert.address,
        timestamp + 1_000n,
      ])
      const passed = (await world.buy(carl, stocks, PRICE, ONE, { timeInForce: 'IOC' })).body.data
      expect(passed.skipped).toEqual([{ makerOrderId: sold.orderId, rule: 'SELLER_FROZEN_IN_VAULT' }])
      await world.onCustody(stocks, world.owner.wallet, tradingVaultAbi, 'unfreezeUser', [bert.address])
      await world.clear(stocks)
    })

    it('or are of one wallet, which the chain never settles', async () => {
      const own = (await world.sell(bert, commodities, PRICE, ONE)).body.data.order
      const met = (await world.buy(bert, commodities, PRICE, ONE)).body.data
      expect(met).toMatchObject({ status: 'CANCELLED', skipped: [{ makerOrderId: own.orderId, rule: 'SELF_TRADE' }] })
      const prevented = await world.buy(bert, commodities, PRICE, ONE, { selfTradePreventionMode: 'CANCEL_MAKER' })
      expect(prevented.body.data).toMatchObject({
        status: 'OPEN',
        stpTriggered: true,
        stpCancelledMakerIds: [own.orderId],
      })
      await world.clear(commodities)
    })
  })
}
