import { stockTokenAbi, tradingVaultAbi } from '@tallystick/abi'
import type { Wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../test/signing.ts'
import {
  createOffchainWorld,
  OFFCHAIN,
  type OffchainWorld,
  ONE,
  type TestBook,
} from '../../../test/trading/offchain-world.ts'
import { createOnchainWorld, type OnchainBook, type OnchainWorld } from '../../../test/trading/onchain-world.ts'
import { callOf } from '../../../test/trading/quick-sender.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import type { TestInstance, World } from '../../../test/world.ts'

const STOCKS = '/orderbooks/stocks/api'
const PERIODIC = { tradingMode: 'PERIODIC_AUCTION', auctionIntervalSeconds: 60 }
const BAND = { priceRefEnabled: true, priceRefSpreadBps: 1_000 }

interface Auctioning extends World {
  readonly superuser: OffchainWorld['superuser']
}

/** The deadline passes, by the clock of the database, and a worker comes. How many auctions it cleared. */
async function clear({ superuser }: Auctioning, worker: Venue, bookId: string): Promise<number> {
  await superuser`update book_auctions set ends_at = now() - interval '1 second' where book_id = ${bookId} and status = 'COLLECTING'`
  await superuser`
    update order_books set current_auction_ends_at = now() - interval '1 second' where book_id = ${bookId} and current_auction_id is not null`
  return (await worker.auctionSchedule.pass()).cleared
}

async function suspend(instance: TestInstance, accountId: string): Promise<void> {
  must(await instance.call('PATCH', `${STOCKS}/accounts/${accountId}`, { body: { status: 'SUSPENDED' } }))
}

describe('orders that an auction has collected off chain', () => {
  let world: OffchainWorld
  let worker: Venue

  beforeAll(async () => {
    world = await createOffchainWorld()
    worker = startVenue(world, { poolSize: 4 })
  })
  afterAll(async () => {
    await worker.close()
    await world.close()
  })

  const order = async (id: string) => (await world.instance.call('GET', `${OFFCHAIN}/orders/${id}`)).body.data
  const patch = (id: string, body: object) => world.instance.call('PATCH', `${STOCKS}/order-books/${id}`, { body })
  const setReference = async (id: string, price: string) =>
    must(await world.instance.call('POST', `${OFFCHAIN}/order-books/${id}/price-reference`, { body: { price } }))

  async function auctioned(...customers: string[]): Promise<TestBook> {
    const book = await world.createBook({ tokenType: 'STOCK_TOKEN' })
    await book.fund(...customers)
    must(await patch(book.id, PERIODIC))
    return book
  }

  it('end before they trade when their account was suspended, or may not trade on the book any more', async () => {
    const book = await auctioned('dora', 'emil', 'frida', 'gustav')
    const [dora, emil] = [
      (await book.sell('dora', 8n * ONE, ONE)).body.data.order,
      (await book.sell('emil', 9n * ONE, ONE)).body.data.order,
    ]
    const sold = (await book.sell('frida', 10n * ONE, ONE)).body.data.order
    const bought = (await book.buy('gustav', 11n * ONE, 3n * ONE)).body.data.order
    await suspend(world.instance, dora.accountId)
    const permittedOrderBookIds: string[] = []
    must(
      await world.instance.call('PATCH', `${STOCKS}/accounts/${emil.accountId}`, { body: { permittedOrderBookIds } }),
    )
    expect(await clear(world, worker, book.id)).toBe(1)
    for (const { orderId } of [dora, emil])
      expect(await order(orderId)).toMatchObject({
        status: 'CANCELLED',
        cancelReason: 'MM_CONFIG_VIOLATION',
        filledQuantity: '0',
      })
    expect(await order(sold.orderId)).toMatchObject({ status: 'FILLED' })
    expect(await order(bought.orderId)).toMatchObject({ filledQuantity: String(ONE), status: 'AUCTION_PENDING' })
  })

  it('end before they trade when they are outside of the first price band', async () => {
    const book = await auctioned('anna', 'bert', 'carl')
    const low = (await book.sell('carl', 5n * ONE, ONE)).body.data.order
    const high = (await book.buy('anna', 20n * ONE, ONE)).body.data.order
    const inside = (await book.sell('bert', 10n * ONE, ONE)).body.data.order
    must(await patch(book.id, BAND))
    await setReference(book.id, '10')
    expect((await book.buy('anna', 20n * ONE, ONE)).body.error.code).toBe('PRICE_OUTSIDE_BAND')
    expect(await order(high.orderId)).toMatchObject({ status: 'AUCTION_PENDING' })
    expect(await clear(world, worker, book.id)).toBe(1)
    for (const { orderId } of [low, high])
      expect(await order(orderId)).toMatchObject({ status: 'CANCELLED', cancelReason: 'PRICE_BAND_VIOLATION' })
    expect(await order(inside.orderId)).toMatchObject({ status: 'AUCTION_PENDING', filledQuantity: '0' })
  })

  it('wait where the book waits for a reference price, and are cleared once there is one', async () => {
    const book = await auctioned('anna', 'bert')
    must(await patch(book.id, { ...BAND, priceRefHaltOnStale: true }))
    await setReference(book.id, '10')
    const sold = (await book.sell('bert', 10n * ONE, ONE)).body.data.order
    must(await book.buy('anna', 10n * ONE, ONE))
    world.clock.advance(301_000)
    expect((await book.buy('anna', 10n * ONE, ONE)).body.error.code).toBe('PRICE_REF_STALE')
    expect(await clear(world, worker, book.id)).toBe(0)
    const refused = await patch(book.id, { tradingMode: 'CONTINUOUS' })
    expect(refused.body.error).toMatchObject({
      code: 'INVALID_CONFIG',
      message: 'The reference price is too old: the running auction cannot be cleared now.',
    })
    expect(await order(sold.orderId)).toMatchObject({ status: 'AUCTION_PENDING' })
    await setReference(book.id, '10')
    expect(await clear(world, worker, book.id)).toBe(1)
    expect(await order(sold.orderId)).toMatchObject({ status: 'FILLED' })
  })

  it('end with a change of settings too', async () => {
    const book = await auctioned('hans', 'ida')
    const sold = (await book.sell('hans', 9n * ONE, ONE)).body.data.order
    const bought = (await book.buy('ida', 10n * ONE, ONE)).body.data.order
    await suspend(world.instance, sold.accountId)
    must(await patch(book.id, { tradingMode: 'CONTINUOUS' }))
    expect(await order(sold.orderId)).toMatchObject({ status: 'CANCELLED', cancelReason: 'MM_CONFIG_VIOLATION' })
    expect(await order(bought.orderId)).toMatchObject({ status: 'OPEN' })
  })
})

describe('orders that an auction has collected on chain', () => {
  let world: OnchainWorld
  let worker: Venue
  let book: OnchainBook

  beforeAll(async () => {
    world = await createOnchainWorld()
    worker = startVenue(world, { poolSize: 4 })
    book = world.books.stocks
    must(
      await world.owner.call('PATCH', `${STOCKS}/order-books/${book.id}`, { body: { ...PERIODIC, allowImport: true } }),
    )
    must(await world.other.call('POST', `${STOCKS}/imports`, { body: { orderBookId: book.id } }))
  })
  afterAll(async () => {
    await worker.close()
    await world.close()
  })

  const order = async (id: string, of: TestInstance = world.owner) =>
    (await of.call('GET', `${STOCKS}/orders/${id}`)).body.data
  async function submit(account: Wallet, side: 'BUY' | 'SELL', price: bigint, quantity: bigint, of = world.owner) {
    const { body } = await world.signOrder(account, book, { side, price, quantity })
    const { data } = must(await of.call('POST', `${STOCKS}/orders`, { body })).body
    expect(data.status).toBe('AUCTION_PENDING')
    return data.order
  }
  const onVault = (account: Wallet, name: string, args: readonly unknown[]) =>
    world.sendRaw(account, callOf(book.custody, tradingVaultAbi, name, args))
  const whole = (units: bigint) => units * 10n ** 12n

  it('keep the older promise where the same funds were promised twice, and count what is settled once', async () => {
    const [anna, , carl] = world.traders
    const older = await submit(carl, 'SELL', 9n * ONE, 600n * ONE)
    const younger = await submit(carl, 'SELL', 9n * ONE, 300n * ONE)
    const bought = await submit(anna, 'BUY', 10n * ONE, 900n * ONE)
    // 700 are left: enough for each of the two, not for both.
    await onVault(carl, 'requestWithdrawal', [book.base, whole(300n * ONE)])
    expect(await clear(world, worker, book.id)).toBe(1)
    expect(await order(younger.orderId)).toMatchObject({ status: 'CANCELLED', cancelReason: 'FUNDS_GONE' })
    expect(await order(older.orderId)).toMatchObject({ status: 'FILLED' })
    const { filledQuantity, takerTrades, makerTrades } = await order(bought.orderId)
    expect(filledQuantity).toBe(String(600n * ONE))

    // Everything that is left is promised, and the chain has settled what nobody has reported yet.
    await onVault(carl, 'cancelWithdrawalRequest', [book.base])
    const rest = await submit(carl, 'SELL', 9n * ONE, 400n * ONE)
    const [{ settlementId }] = [...takerTrades, ...makerTrades]
    const { transaction } = must(await world.owner.get(`${STOCKS}/settlements/${settlementId}/calldata`)).body.data
    await world.sendRaw(world.owner.wallet, transaction, 3_000_000n)
    expect(await clear(world, worker, book.id)).toBe(1)
    expect(await order(rest.orderId)).toMatchObject({ filledQuantity: String(300n * ONE) })
  })

  it('end when their account was suspended by the instance that it belongs to', async () => {
    const [anna, bert] = world.traders
    const theirs = await submit(bert, 'SELL', 8n * ONE, ONE, world.other)
    const bought = await submit(anna, 'BUY', 9n * ONE, ONE)
    await suspend(world.other, theirs.accountId)
    expect(await clear(world, worker, book.id)).toBe(1)
    expect(await order(theirs.orderId, world.other)).toMatchObject({
      status: 'CANCELLED',
      cancelReason: 'MM_CONFIG_VIOLATION',
    })
    expect((await order(bought.orderId)).makerTrades).not.toContainEqual(
      expect.objectContaining({ makerOrderId: theirs.orderId }),
    )
  })

  it('wait together for a token that is paused', async () => {
    const [, bert] = world.traders
    const waiting = await submit(bert, 'SELL', 30n * ONE, ONE)
    const onStock = (name: string) => world.sendRaw(world.owner.wallet, callOf(book.base, stockTokenAbi, name, []))
    await onStock('pause')
    expect(await clear(world, worker, book.id)).toBe(0)
    expect(await order(waiting.orderId)).toMatchObject({ status: 'AUCTION_PENDING' })
    await onStock('unpause')
    expect(await clear(world, worker, book.id)).toBe(1)
  })
})
