import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOffchainWorld, OFFCHAIN, type OffchainWorld, ONE } from '../trading/offchain-world.ts'
import { createPool } from '../trading/pool.ts'
import { newPair, startVenue, type Venue } from '../trading/venue-world.ts'

const COMMODITIES = '/orderbooks/commodities/api'
const EXTERNAL = '/orderbooks/external-securities/api'
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('what is promised of order books', () => {
  let world: OffchainWorld
  let venue: Venue
  beforeAll(async () => {
    world = await createOffchainWorld()
    venue = startVenue(world)
  })
  afterAll(async () => {
    await venue.close()
    await world.close()
  })

  const data = async (path: string, of = world.instance) => (await of.call('GET', path)).body.data
  /** A book whose orders meet at 10, as often as told. */
  async function traded(bookClass: 'commodities' | 'external-securities', trades: number) {
    const pool = await createPool(venue, bookClass, [world.instance])
    await pool.place(0, { side: 'SELL', price: 10n * ONE, quantity: BigInt(trades) * ONE })
    for (let count = 0; count < trades; count++) await pool.place(0, { side: 'BUY', price: 10n * ONE, quantity: ONE })
    return pool.bookIds[0] ?? ''
  }

  it('a trade has every field, in order book units', async () => {
    const id = await traded('commodities', 1)
    const { trades } = await data(`${COMMODITIES}/order-books/${id}/trades`)
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(trades).toEqual([
      {
        tradeId: uuid,
        orderBookId: id,
        takerOrderBookId: null,
        origin: 'CLOB',
        makerOrderId: uuid,
        takerOrderId: uuid,
        makerAddress: expect.stringMatching(/^0x[0-9a-f]{40}$/),
        takerAddress: expect.stringMatching(/^0x[0-9a-f]{40}$/),
        price: '10000000',
        quantity: '1000000',
        makerFee: expect.stringMatching(/^\d+$/),
        takerFee: expect.stringMatching(/^\d+$/),
        side: 'BUY',
        settlementId: trades[0].settlementId,
        settlementStatus: 'PROCESSING',
        settlementError: null,
        createdAt: expect.stringMatching(ISO),
      },
    ])
    expect(trades[0].makerAddress).not.toBe(trades[0].takerAddress)
  })

  it('a trade that is not staged for the chain has no settlement', async () => {
    const book = await world.createBook({ tokenType: 'STOCK_TOKEN' })
    await book.fund('anna', 'bert')
    await book.sell('anna', 10n * ONE, ONE)
    await book.buy('bert', 10n * ONE, ONE)
    const { trades } = await data(`/orderbooks/stocks/api/order-books/${book.id}/trades`)
    expect(trades).toMatchObject([{ settlementId: null, settlementStatus: null, settlementError: null }])
  })

  it('the tape holds 50 unless told, never more than 100, from the newest on', async () => {
    const id = await traded('commodities', 1)
    await world.superuser`
      insert into trades select (r).* from (
        select jsonb_populate_record(t, jsonb_build_object('trade_id', gen_random_uuid(), 'number', t.number + n,
          'created_at', t.created_at + n * interval '1 second')) as r
        from trades t, generate_series(1, 109) n where maker_book_id = ${id}) copies`
    const page = async (query: string) => {
      const { trades, limit, offset } = await data(`${COMMODITIES}/order-books/${id}/trades${query}`)
      const times: string[] = trades.map(({ createdAt }: { createdAt: string }) => createdAt)
      expect(times).toEqual(times.toSorted().reverse())
      return { shown: trades.length, newest: times[0], limit, offset }
    }
    const first = await page('')
    expect(first).toMatchObject({ shown: 50, limit: 50, offset: 0 })
    expect(await page('?limit=1000')).toMatchObject({ shown: 100, limit: 100, offset: 0 })
    const rest = await page('?limit=100&offset=100')
    expect(rest).toMatchObject({ shown: 10, limit: 100, offset: 100 })
    expect(String(rest.newest) < String(first.newest)).toBe(true)
  })

  it('the tape of commodities keeps failed settlements that the snapshot leaves out', async () => {
    const id = await traded('commodities', 2)
    await world.superuser`
      update trades set settlement_status = 'FAILED', settlement_error = 'expired' where maker_book_id = ${id}
        and trade_id = (select trade_id from trades where maker_book_id = ${id} order by created_at limit 1)`
    await world.superuser`
      update trades set settlement_status = 'CONFIRMED' where maker_book_id = ${id} and settlement_status = 'PROCESSING'`
    const { trades } = await data(`${COMMODITIES}/order-books/${id}/trades`)
    const outcomes = trades.map((one: Record<string, unknown>) => [one.settlementStatus, one.settlementError])
    expect(outcomes.toSorted()).toEqual([
      ['CONFIRMED', null],
      ['FAILED', 'expired'],
    ])
    const { stats24h } = await data(`${COMMODITIES}/order-books/${id}/snapshot`)
    expect(stats24h.trades).toBe(1)
  })

  it('the books behind daily figures come oldest first, paused ones too, closed ones not', async () => {
    const first = await createPool(venue, 'external-securities', [world.instance])
    const { tokenAddress } = first.pair
    const [second, third] = [
      await createPool(venue, 'external-securities', [world.instance], { tokenAddress }),
      await createPool(venue, 'external-securities', [world.instance], { tokenAddress }),
    ]
    const patch = (id: string | undefined, status: string) =>
      world.instance.call('PATCH', `${EXTERNAL}/order-books/${id}`, { body: { status } })
    await patch(first.bookIds[0], 'PAUSED')
    await patch(second.bookIds[0], 'CLOSED')
    const { orderbooks } = await data(`${EXTERNAL}/order-books/by-token/${tokenAddress}/daily-stats`)
    const common = {
      name: 'Pool 0',
      symbol: 'POOL',
      settlementMode: 'ON_CHAIN',
      tokenType: 'EXTERNAL_SECURITY',
    }
    expect(orderbooks).toEqual([
      { id: first.bookIds[0], ...common, status: 'PAUSED', quoteTokenAddress: first.pair.quoteTokenAddress },
      { id: third.bookIds[0], ...common, status: 'ACTIVE', quoteTokenAddress: third.pair.quoteTokenAddress },
    ])
  })

  it('the list of off-chain books shows the whole record, whatever the token type', async () => {
    const own = await world.createInstance()
    const types = ['STOCK_TOKEN', 'LIGHT_TOKEN'] as const
    for (const tokenType of types) {
      const body = { ...newPair(), name: 'Nordlicht', symbol: 'NORD', tokenType, makerFeeBps: 3, takerFeeBps: 5 }
      expect((await own.call('POST', `${OFFCHAIN}/order-books`, { body })).status).toBe(200)
    }
    const listed = await data(`${OFFCHAIN}/order-books`, own)
    expect(listed.map(({ tokenType }: { tokenType: string }) => tokenType)).toEqual(types.toReversed())
    const [{ id }] = listed
    for (const book of listed)
      expect(book).toMatchObject({
        id: expect.any(String),
        instanceId: own.instanceId,
        name: 'Nordlicht',
        symbol: 'NORD',
        status: 'ACTIVE',
        settlementMode: 'OFF_CHAIN',
        custodyContract: null,
        minOrderSize: expect.stringMatching(/^\d+$/),
        tickSize: expect.stringMatching(/^\d+$/),
        makerFeeBps: 3,
        takerFeeBps: 5,
        priceRefEnabled: false,
        createdAt: expect.stringMatching(ISO),
      })
    for (const status of ['PAUSED', 'CLOSED', 'ACTIVE']) {
      await own.call('PATCH', `${OFFCHAIN}/order-books/${id}`, { body: { status } })
      const found = await data(`${OFFCHAIN}/order-books?status=${status}`, own)
      expect(found.map((book: { id: string }) => book.id)).toContain(id)
    }
  })

  it('the list of off-chain books never shows an imported one', async () => {
    const [owner, importer] = [await world.createInstance(), await world.createInstance()]
    const { bookIds } = await createPool(venue, 'commodities', [owner])
    const [orderBookId = ''] = bookIds
    await owner.call('PATCH', `${COMMODITIES}/order-books/${orderBookId}`, { body: { allowImport: true } })
    const made = await importer.call('POST', `${COMMODITIES}/imports`, { body: { orderBookId } })
    expect(made.status).toBe(200)
    expect(await data(`${COMMODITIES}/order-books`, importer)).toHaveLength(1)
    expect(await data(`${OFFCHAIN}/order-books`, importer)).toEqual([])
  })
})
