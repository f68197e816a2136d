import { rawTransaction } from '@tallystick/testkit'
import { decodeFunctionData, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../test/signing.ts'
import { callOf } from '../../../test/trading/quick-sender.ts'
import {
  createSettlementWorld,
  custodyAbiOf,
  PRICE,
  type SettlementWorld,
  WHOLE,
} from '../../../test/trading/settlement-world.ts'
import { startVenue } from '../../../test/trading/venue-world.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { createLog } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { startSettlementJob } from './settlements.job.ts'

let world: SettlementWorld
beforeAll(async () => {
  world = await createSettlementWorld()
})
afterAll(() => world.close())

const reorg = (depth: number, transactions: [Hex, number][] = []) =>
  world.node.testClient.request({ method: 'anvil_reorg', params: [depth, transactions] } as never)

async function depth(book: SettlementWorld['books']['stocks']) {
  const { data } = must(await world.owner.get(`${book.prefix}/order-books/${book.id}/snapshot`)).body
  return data.depth
}

describe('the watch over settlements', () => {
  it('finds what was settled and never reported, however many look at once', async () => {
    const book = world.books.stocks
    const staged = [await world.trade(book), await world.trade(book, [WHOLE, 2n * WHOLE])]
    const hashes: Hex[] = []
    for (const { settlementId } of staged) hashes.push(await world.settle(book, settlementId))
    await world.watch()
    for (const { settlementId } of staged) expect((await world.settlement(book, settlementId)).status).toBe('PENDING')
    await world.mine()
    const second = startVenue(world)
    const [chain] = world.chains.all
    if (!chain) throw new Error('the world serves no chain')
    await Promise.all([world.watch(), second.settlements.watch.pass(chain), world.watch()])
    await second.close()
    for (const [index, { settlementId }] of staged.entries()) {
      const record = await world.settlement(book, settlementId)
      expect(record).toMatchObject({ status: 'CONFIRMED', txHash: hashes[index], error: null })
      expect(record.trades.every((one: { settlementStatus: string }) => one.settlementStatus === 'CONFIRMED')).toBe(
        true,
      )
    }
  })

  it('goes back to pending when the block is lost before it is final, and ends with the block that stays', async () => {
    const book = world.books['external-securities']
    const lost = await world.trade(book)
    const txHash = await world.settle(book, lost.settlementId)
    expect(must(await world.confirm(book, lost.settlementId, txHash)).body.data.status).toBe('PROCESSING')
    await reorg(1)
    await world.watch()
    expect(await world.settlement(book, lost.settlementId)).toMatchObject({
      ...{
        status: 'PENDING',
        error: 'BLOCK_LOST',
        txHash: null,
        blockNumber: null,
        trades: [{ settlementStatus: 'PROCESSING' }],
      },
    })
    expect(await world.reserved(book, world.traders[0], book.base)).toBe(WHOLE)

    const again = await world.settle(book, lost.settlementId)
    const first = must(await world.confirm(book, lost.settlementId, again)).body.data
    const raw = await rawTransaction(world.node, again)
    // The same transaction in a later block.
    await world.mine(1)
    await reorg(2, [[raw, 1]])
    await world.watch()
    expect((await world.settlement(book, lost.settlementId)).status).toBe('PROCESSING')
    await world.mine()
    await world.watch()
    const record = await world.settlement(book, lost.settlementId)
    expect(record).toMatchObject({ status: 'CONFIRMED', txHash: again })
    expect(record.blockNumber).toBeGreaterThan(first.blockNumber)
    expect(await world.reserved(book, world.traders[0], book.base)).toBe(0n)
  })

  it('counts blocks on a chain that does not say which are final', async () => {
    const book = world.books.stocks
    const { settlementId } = await world.trade(book)
    const txHash = await world.settle(book, settlementId)
    world.proxy.replaceAnswer = ({ params }) => (params[0] === 'finalized' ? { result: null } : undefined)
    await world.mine(11)
    expect(must(await world.confirm(book, settlementId, txHash)).body.data.status).toBe('PROCESSING')
    await world.mine(1)
    expect(must(await world.confirm(book, settlementId, txHash)).body.data.status).toBe('CONFIRMED')
    world.proxy.replaceAnswer = undefined
  })

  it('takes a trade back only when what killed its order is final, and gives the other order its place again', async () => {
    const book = world.books.commodities
    const [seller, , third] = world.traders
    const maker = await world.place(seller, book, { side: 'SELL', price: PRICE, quantity: 3n * WHOLE })
    const wish = { side: 'BUY', price: PRICE, quantity: 2n * WHOLE } as const
    const taker = await world.place(third, book, wish, world.other)
    await world.onCustody(book, third, 'raiseNonceFloor', [1n])
    await world.watch()
    expect((await world.settlement(book, taker.settlementId)).status).toBe('PENDING')
    expect(await world.orderRow(maker.orderId)).toMatchObject({ status: 'PARTIALLY_FILLED' })
    await world.mine()
    await world.watch()
    expect(await world.settlement(book, taker.settlementId)).toMatchObject({
      status: 'FAILED',
      trades: [{ settlementStatus: 'FAILED', settlementError: 'NONCE_BELOW_FLOOR' }],
    })
    expect(await world.orderRow(maker.orderId)).toMatchObject({ status: 'OPEN', filled: '0' })
    expect(await world.orderRow(taker.orderId)).toMatchObject({ status: 'CANCELLED', filled: '0' })
    expect((await depth(book)).asks).toEqual([{ price: String(PRICE), quantity: String(3n * WHOLE), orderCount: 1 }])
    expect(await world.reserved(book, seller, book.base)).toBe(3n * WHOLE)
    expect(await world.reserved(book, third, book.quote)).toBe(0n)

    // The resting one dies: what comes back to it does not rest again.
    const second = await world.place(third, book, { ...wish, nonce: 1n }, world.other)
    await world.onCustody(book, seller, 'cancelOrders', [[maker.terms.orderHash]])
    await world.mine()
    await world.watch()
    expect((await world.settlement(book, second.settlementId)).error).toBe('ORDER_CANCELLED')
    expect(await world.orderRow(maker.orderId)).toMatchObject({
      ...{ status: 'CANCELLED', filled: '0', cancelReason: 'CANCELLED_ON_CHAIN' },
    })
    expect((await depth(book)).asks).toEqual([])
    expect(await world.reserved(book, seller, book.base)).toBe(0n)
  })

  it('takes back what one wallet traded with itself, and what an order has too little left for', async () => {
    const book = world.books.stocks
    const [seller, buyer] = world.traders
    await world.place(seller, book, { side: 'SELL', price: PRICE, quantity: WHOLE })
    const wish = { side: 'BUY', price: PRICE, quantity: WHOLE } as const
    const own = await world.place(seller, book, wish, world.other)
    await world.watch()
    expect((await world.settlement(book, own.settlementId)).error).toBe('SELF_TRADE')

    // The operator settles more of the order than was matched, under another name: the trade does not fit any more.
    await world.place(seller, book, { side: 'SELL', price: PRICE, quantity: WHOLE })
    const [first, rest] = [
      await world.place(buyer, book, { ...wish, quantity: WHOLE / 4n }, world.other),
      await world.place(buyer, book, { ...wish, quantity: (3n * WHOLE) / 4n }, world.other),
    ]
    const { transaction } = must(await world.calldata(book, rest.settlementId)).body.data
    const { args } = decodeFunctionData({ abi: custodyAbiOf(book), data: transaction.data })
    const [fill] = args as readonly [Record<string, unknown>]
    const more = { ...fill, tradeRef: `0x${'9'.repeat(64)}`, quantity: parseUnits('0.5', 18) }
    await world.sendRaw(world.owner.wallet, callOf(book.custody, custodyAbiOf(book), 'settle', [more]))
    await world.mine()
    await world.watch()
    expect((await world.settlement(book, rest.settlementId)).error).toBe('ORDER_OVERFILLED')
    expect((await world.settlement(book, first.settlementId)).status).toBe('PENDING')
    await world.settle(book, first.settlementId)
    await world.mine()
    await world.watch()
    expect((await world.settlement(book, first.settlementId)).status).toBe('CONFIRMED')
  })

  it('ends orders that are past their time in units where nothing happens', async () => {
    const book = world.books.commodities
    const [seller] = world.traders
    const expiry = BigInt(Math.floor(world.clock.now().getTime() / 1000)) + 3_600n
    const { orderId } = await world.place(seller, book, { side: 'SELL', price: PRICE, quantity: WHOLE, expiry })
    await world.venue.settlements.expiry.sweep()
    expect(await world.orderRow(orderId)).toMatchObject({ status: 'OPEN' })
    world.clock.advance(3_601_000)
    await world.venue.settlements.expiry.sweep()
    expect(await world.orderRow(orderId)).toMatchObject({ status: 'EXPIRED', cancelReason: 'ORDER_EXPIRED' })
    expect(await world.reserved(book, seller, book.base)).toBe(0n)
  })

  it('shows what waits, and since when', async () => {
    const book = world.books.stocks
    const [seller, buyer] = world.traders
    const [chain] = world.chains.all
    if (!chain) throw new Error('the world serves no chain')
    const metrics = createMetrics()
    async function shown() {
      const { watch } = world.venue.settlements
      const job = startSettlementJob({ watch, chain: chain as Chain, log: createLog({ level: 'silent' }), metrics })
      await job.stop()
      const [pending] = (await metrics.settlementsPending.get()).values
      const [oldest] = (await metrics.settlementsOldestPending.get()).values
      expect([pending?.labels, oldest?.labels]).toEqual(Array(2).fill({ chain: String(chain?.chainId) }))
      return { pending: pending?.value, oldest: oldest?.value }
    }
    expect(await shown()).toEqual({ pending: 0, oldest: 0 })
    await world.place(seller, book, { side: 'SELL', price: PRICE, quantity: WHOLE })
    const { settlementId } = await world.place(buyer, book, { side: 'BUY', price: PRICE, quantity: WHOLE }, world.other)
    world.clock.advance(90_000)
    expect(await shown()).toEqual({ pending: 1, oldest: expect.toSatisfy((age: number) => age >= 90) })
    await world.settle(book, settlementId)
    await world.mine()
    await world.watch()
    expect(await shown()).toEqual({ pending: 0, oldest: 0 })
  })

  it('takes back what nobody settled before the signatures ran out', async () => {
    const book = world.books.stocks
    const [seller, buyer] = world.traders
    const { timestamp } = await world.node.publicClient.getBlock()
    const terms = { price: PRICE, quantity: WHOLE, expiry: timestamp + 100_000n }
    const maker = await world.place(seller, book, { side: 'SELL', ...terms })
    const taker = await world.place(buyer, book, { side: 'BUY', ...terms }, world.other)
    await world.node.testClient.increaseTime({ seconds: 100_001 })
    await world.mine(1)
    await world.watch()
    expect((await world.settlement(book, taker.settlementId)).status).toBe('PENDING')
    await world.mine()
    await world.watch()
    expect(await world.settlement(book, taker.settlementId)).toMatchObject({ status: 'FAILED', error: 'ORDER_EXPIRED' })
    expect(await world.orderRow(maker.orderId)).toMatchObject({ status: 'CANCELLED', filled: '0' })
    expect(await world.reserved(book, seller, book.base)).toBe(0n)
  })
})

describe('a long tape', () => {
  it('is read in pages, with what failed on it and in no figure', async () => {
    const book = await world.createBook('commodities')
    const { other, superuser } = world
    const [{ unit_id: unitId } = {}] = await superuser`select unit_id from order_books where book_id = ${book.id}`
    // Every tenth failed; the cheapest and the dearest are among those.
    await superuser`
      insert into trades (unit_id, trade_id, number, sequence, origin, maker_book_id, taker_book_id, maker_order_id, taker_order_id,
        maker_instance_id, taker_instance_id, maker_holder, taker_holder, side, price, quantity, notional, maker_fee, taker_fee,
        maker_quote_fee, taker_quote_fee, settlement_id, settlement_status, settlement_error, created_at)
      select ${unitId}, gen_random_uuid(), 1000000 + n, n, 'CLOB', ${book.id}, ${book.id}, gen_random_uuid(), gen_random_uuid(),
        ${other.instanceId}, ${other.instanceId}, 'm', 't', 'BUY', 5000 + n, 10, 1, 0, 0, 0, 0, gen_random_uuid(),
        case when n % 10 = 0 then 'FAILED' else 'CONFIRMED' end, case when n % 10 = 0 then 'ORDER_EXPIRED' end,
        ${world.clock.now()}::timestamptz - (10000 - n) * interval '1 second'
      from generate_series(1, 10000) n`
    await superuser`
      insert into book_days (unit_id, book_id, day, trade_count, failed_count, volume_base, volume_quote)
      select ${unitId}, ${book.id}, (created_at at time zone 'UTC')::date, count(*) filter (where settlement_status = 'CONFIRMED'),
        count(*) filter (where settlement_status = 'FAILED'), sum(quantity), 1 from trades where maker_book_id = ${book.id} group by 3`
    const page = async (query: string) =>
      must(await other.get(`${book.prefix}/order-books/${book.id}/trades${query}`)).body.data
    const first = await page('')
    expect([first.total, first.limit, first.offset, first.trades.length]).toEqual([10_000, 50, 0, 50])
    expect(first.trades[0]).toMatchObject({
      price: '15000',
      settlementStatus: 'FAILED',
      settlementError: 'ORDER_EXPIRED',
    })
    expect((await page('?limit=1000')).trades).toHaveLength(100)
    const last = await page('?limit=100&offset=9990')
    expect([last.total, last.trades.length, last.trades.at(-1).price]).toEqual([10_000, 10, '5001'])
    expect(await page('?offset=10000')).toMatchObject({ total: 10_000, trades: [] })
    const seen = new Set<string>()
    for (let offset = 0; offset < 500; offset += 100)
      for (const { tradeId } of (await page(`?limit=100&offset=${offset}`)).trades) seen.add(tradeId)
    expect(seen.size).toBe(500)
    const stats = must(await other.get(`${book.prefix}/order-books/${book.id}/stats`)).body.data
    expect(stats['24h']).toEqual({ volume: '90000', trades: 9_000 })
    const { data } = must(await other.get(`${book.prefix}/order-books/${book.id}/snapshot`)).body
    expect(data).toMatchObject({ lastPrice: '14999', stats24h: { trades: 9_000, high: '14999', low: '5001' } })
  })
})
