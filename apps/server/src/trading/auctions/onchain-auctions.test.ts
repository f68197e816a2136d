import { stockTokenAbi, tradingVaultAbi } from '@tallystick/abi'
import type { Wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../test/signing.ts'
import { createOnchainWorld, type OnchainBook, type OnchainWorld } from '../../../test/trading/onchain-world.ts'
import { callOf } from '../../../test/trading/quick-sender.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'

const ONE = 1_000_000n

describe('an auction of a book that settles on chain', () => {
  let world: OnchainWorld
  let worker: Venue
  let book: OnchainBook

  beforeAll(async () => {
    world = await createOnchainWorld()
    worker = startVenue(world, { poolSize: 4 })
    book = world.books.stocks
  })
  afterAll(async () => {
    await worker.close()
    await world.close()
  })

  const patch = (body: object) => world.owner.call('PATCH', `${book.prefix}/order-books/${book.id}`, { body })
  const order = async (id: string) => (await world.owner.call('GET', `${book.prefix}/orders/${id}`)).body.data
  async function submit(account: Wallet, side: 'BUY' | 'SELL', price: bigint) {
    const terms = await world.signOrder(account, book, { side, price, quantity: ONE })
    const { data } = must(await world.owner.call('POST', `${book.prefix}/orders`, { body: terms.body })).body
    return { ...data, orderHash: terms.orderHash }
  }
  const onStock = (functionName: string) =>
    world.sendRaw(world.owner.wallet, callOf(book.base, stockTokenAbi, functionName, []))
  async function clear() {
    await world.superuser`update book_auctions set ends_at = now() - interval '1 second' where status = 'COLLECTING'`
    await world.superuser`
      update order_books set current_auction_ends_at = now() - interval '1 second' where current_auction_id is not null`
    return (await worker.auctionSchedule.pass()).cleared
  }

  it('takes signed orders, looks at them again, and stages what it clears', async () => {
    const [anna, bert, carl] = world.traders
    const { currentAuctionId } = must(
      await patch({ tradingMode: 'PERIODIC_AUCTION', auctionIntervalSeconds: 60, allowImport: true }),
    ).body.data
    must(await world.other.call('POST', `${book.prefix}/imports`, { body: { orderBookId: book.id } }))
    const seen = await world.other.call('GET', `${book.prefix}/order-books/${book.id}/auctions/current`)
    expect(seen.body.data).toMatchObject({ id: currentAuctionId, status: 'COLLECTING' })
    const gone = await submit(carl, 'SELL', 9n * ONE)
    expect(gone).toMatchObject({ status: 'AUCTION_PENDING', auctionId: currentAuctionId, trades: [] })
    expect(Date.parse(gone.auctionEndsAt)).toBeGreaterThan(Date.now())
    const [bought, sold] = [await submit(anna, 'BUY', 11n * ONE), await submit(bert, 'SELL', 10n * ONE)]
    const own = await submit(anna, 'SELL', 8n * ONE)
    await world.sendRaw(carl, callOf(book.custody, tradingVaultAbi, 'cancelOrders', [[gone.orderHash]]))
    expect(await clear()).toBe(1)
    expect(await order(gone.order.orderId)).toMatchObject({ status: 'CANCELLED', cancelReason: 'CANCELLED_ON_CHAIN' })
    expect(await order(bought.order.orderId)).toMatchObject({ status: 'FILLED' })
    const { takerTrades } = await order(sold.order.orderId)
    expect(takerTrades).toMatchObject([{ origin: 'AUCTION', quantity: String(ONE), settlementStatus: 'PROCESSING' }])
    expect(takerTrades[0].settlementId).not.toBeNull()
    expect(await order(own.order.orderId)).toMatchObject({ status: 'CANCELLED', cancelReason: 'SELF_TRADE_PREVENTION' })
  })

  it('waits for a token that is paused, and leaves out a trader who is frozen', async () => {
    const [anna, bert, carl] = world.traders
    const frozen = await submit(bert, 'BUY', 20n * ONE)
    await onStock('pause')
    expect(await clear()).toBe(0)
    const refused = await patch({ tradingMode: 'CONTINUOUS' })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_CONFIG'])
    expect(await order(frozen.order.orderId)).toMatchObject({ status: 'AUCTION_PENDING' })
    await onStock('unpause')
    const until = BigInt(Math.floor(Date.now() / 1000) + 3600)
    await world.sendRaw(world.owner.wallet, callOf(book.custody, tradingVaultAbi, 'freezeUser', [bert.address, until]))
    await submit(anna, 'SELL', 12n * ONE)
    const bid = await submit(carl, 'BUY', 15n * ONE)
    expect(await world.withoutNode(clear)).toBe(0)
    const changed = await patch({ tradingMode: 'CONTINUOUS' })
    expect(changed.body.data).toMatchObject({ currentAuctionId: null })
    expect(await order(frozen.order.orderId)).toMatchObject({
      status: 'CANCELLED',
      cancelReason: 'DELIVERY_NOT_ALLOWED',
    })
    expect(await order(bid.order.orderId)).toMatchObject({
      status: 'FILLED',
      makerTrades: [],
      takerTrades: [{ origin: 'AUCTION' }],
    })
  })
})
