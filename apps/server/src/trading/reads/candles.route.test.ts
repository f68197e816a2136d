import { readFile } from 'node:fs/promises'
import { seededRandom } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCsv } from '../../../test/csv-reader.ts'
import { must } from '../../../test/signing.ts'
import { auditMinutes, untilSettled } from '../../../test/trading/audit.ts'
import { createOffchainWorld, OFFCHAIN, type OffchainWorld, ONE } from '../../../test/trading/offchain-world.ts'
import { createPool, type Pool } from '../../../test/trading/pool.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import type { TestInstance } from '../../../test/world.ts'

const COMMODITIES = '/orderbooks/commodities/api'
const MINUTES = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '4h': 240, '1d': 1_440 } as const
type Resolution = keyof typeof MINUTES
const RESOLUTIONS = Object.keys(MINUTES) as Resolution[]
const MIGRATION = new URL('../../../migrations/0050-candles.sql', import.meta.url)

interface Candle {
  startsAt: string
  open: string
  high: string
  low: string
  close: string
  volume: string
  quoteVolume: string
  trades: number
}
interface Traded {
  price: string
  quantity: string
  notional: string
  at: Date
}

/** The obvious way: trade by trade. */
function candlesOf(tape: readonly Traded[], resolution: Resolution): Candle[] {
  const candles = new Map<number, Candle>()
  const span = MINUTES[resolution] * 60_000
  for (const { price, quantity, notional, at } of tape) {
    const start = Math.floor(at.getTime() / span) * span
    const seen = candles.get(start)
    const pick = (one: string | undefined, isBetter: (of: bigint) => boolean) =>
      one !== undefined && !isBetter(BigInt(one)) ? one : price
    candles.set(start, {
      startsAt: new Date(start).toISOString(),
      open: seen?.open ?? price,
      high: pick(seen?.high, (high) => BigInt(price) > high),
      low: pick(seen?.low, (low) => BigInt(price) < low),
      close: price,
      volume: String(BigInt(seen?.volume ?? 0) + BigInt(quantity)),
      quoteVolume: String(BigInt(seen?.quoteVolume ?? 0) + BigInt(notional)),
      trades: (seen?.trades ?? 0) + 1,
    })
  }
  return [...candles.entries()].sort(([a], [b]) => b - a).map(([, candle]) => candle)
}

describe('candles', () => {
  let world: OffchainWorld
  let venue: Venue
  let pool: Pool
  let own: { id: string; path: string }
  const random = seededRandom(49)

  /** Trades of an off-chain book and of a pool of two, over some days: several in a minute, and hours without any. */
  beforeAll(async () => {
    world = await createOffchainWorld()
    venue = startVenue(world)
    const other = await world.createInstance()
    pool = await createPool(venue, 'commodities', [world.instance, other])
    const book = await world.createBook()
    own = { id: book.id, path: `${OFFCHAIN}/order-books/${book.id}/candles` }
    await book.fund('anna', 'bert')
    const price = () => BigInt(random.integer(90, 110)) * ONE
    for (let step = 0; step < 70; step += 1) {
      const pause = random.pick([0, 1, 20, 61, 400, 5_000, 40_000])
      world.clock.advance(pause * 1_000)
      must(await book.sell('anna', price(), BigInt(random.integer(1, 5)) * ONE))
      must(await book.buy('bert', price(), BigInt(random.integer(1, 5)) * ONE))
      // On both books, so that one order takes of both in one commit.
      const at = price()
      for (const index of [0, 1])
        await pool.place(index, { side: 'SELL', price: at + BigInt(random.integer(0, 2)) * ONE, quantity: ONE })
      await pool.place(random.integer(0, 1), { side: 'BUY', price: at + 2n * ONE, quantity: 2n * ONE })
    }
    await untilSettled(world.superuser)
  })
  afterAll(async () => {
    await venue.close()
    await world.close()
  })

  const tapeOf = (books: readonly string[]) => world.superuser<Traded[]>`
    select price::text, quantity::text, notional::text, created_at as at from trades
    where maker_book_id = any(${books as string[]}::uuid[]) and settlement_status is distinct from 'FAILED' order by created_at, number`

  async function walked(path: string, resolution: Resolution, limit: number, of: TestInstance = world.instance) {
    const candles: Candle[] = []
    for (let cursor = ''; ; ) {
      const query = `?resolution=${resolution}&limit=${limit}${cursor && `&cursor=${cursor}`}`
      const { data } = must(await of.call('GET', `${path}${query}`)).body
      expect(data.candles.length).toBeLessThanOrEqual(limit)
      candles.push(...data.candles)
      if (data.nextCursor === null) return candles
      cursor = data.nextCursor
    }
  }

  async function expectExact(path: string, books: readonly string[]) {
    const tape = await tapeOf(books)
    for (const resolution of RESOLUTIONS) {
      const expected = candlesOf(tape, resolution)
      expect(await walked(path, resolution, 1_000)).toEqual(expected)
      expect(await walked(path, resolution, 7)).toEqual(expected)
    }
    return tape.length
  }

  it('are what the tape comes to, at every resolution and on pages of any size', async () => {
    expect(await expectExact(own.path, [own.id])).toBeGreaterThan(30)
    for (const prefix of [COMMODITIES, OFFCHAIN])
      expect(await expectExact(`${prefix}/order-books/${pool.bookIds[0]}/candles`, pool.bookIds)).toBeGreaterThan(60)
    for (const unitId of [own.id, pool.unitId]) await auditMinutes(world.superuser, unitId)
  })

  it('leave out what fails to settle later', async () => {
    const before = (await tapeOf(pool.bookIds)).length
    for (let round = 0; round < 5; round += 1) {
      await world.superuser`
        update trades set settlement_status = 'FAILED', settlement_error = 'expired' where trade_id in (
          select trade_id from trades where unit_id = ${pool.unitId} and settlement_status = 'PROCESSING' and number % 7 = ${round})`
      await auditMinutes(world.superuser, pool.unitId)
    }
    const left = await expectExact(`${COMMODITIES}/order-books/${pool.bookIds[0]}/candles`, pool.bookIds)
    expect(left).toBeLessThan(before / 2)
    // Whoever trades in a minute that lost all its trades opens it.
    await pool.place(0, { side: 'SELL', price: 50n * ONE, quantity: ONE })
    await pool.place(1, { side: 'BUY', price: 50n * ONE, quantity: ONE })
    await auditMinutes(world.superuser, pool.unitId)
  })

  it('are made of the trades there are when they are introduced', async () => {
    const text = await readFile(MIGRATION, 'utf8')
    await world.superuser`delete from book_minutes`
    await world.database.owner.begin((sql) => sql.unsafe(text.slice(text.indexOf('set local role tally_operator'))))
    for (const unitId of [own.id, pool.unitId]) await auditMinutes(world.superuser, unitId)
    await expectExact(own.path, [own.id])
  })

  it('are of an hour and 300 unless asked otherwise, from and to a time, and also a file', async () => {
    const { data } = must(await world.instance.call('GET', own.path)).body
    expect(data).toMatchObject({ resolution: '1h', limit: 300, nextCursor: null })
    expect(data.candles).toEqual(candlesOf(await tapeOf([own.id]), '1h'))
    expect(must(await world.instance.call('GET', `${own.path}?limit=5000`)).body.data.limit).toBe(1_000)

    const [newest, second, , oldest] = data.candles as Candle[]
    const between = must(
      await world.instance.call('GET', `${own.path}?from=${oldest?.startsAt}&to=${newest?.startsAt}&limit=2`),
    ).body.data
    expect(between.candles).toEqual(data.candles.slice(1, 3))
    const rest = must(
      await world.instance.call('GET', `${own.path}?from=${oldest?.startsAt}&limit=2&cursor=${between.nextCursor}`),
    ).body.data
    expect(rest).toMatchObject({ candles: [oldest], nextCursor: null })
    // A candle belongs to the time at which it starts.
    const within = new Date(Date.parse(second?.startsAt ?? '') + 1).toISOString()
    const later = must(await world.instance.call('GET', `${own.path}?from=${within}`)).body.data
    expect(later.candles).toEqual([newest])

    const headers = { accept: 'text/csv' }
    const { text } = must(await world.instance.call('GET', `${own.path}?resolution=1m`, { headers }))
    const shown = (candle: Candle) =>
      Object.fromEntries(Object.entries(candle).map(([name, value]) => [name, String(value)]))
    expect(readCsv(text)).toEqual(candlesOf(await tapeOf([own.id]), '1m').map(shown))
  })

  it('refuse what they do not know, and are shown to those who may see the book', async () => {
    const stranger = await world.createInstance()
    const pooled = `${COMMODITIES}/order-books/${pool.bookIds[0]}/candles`
    for (const path of [own.path, pooled]) {
      const refused = async (query: string, of = world.instance) => {
        const { status, body } = await of.call('GET', `${path}${query}`)
        return [status, body.error.code, body.error.details?.[0]?.field]
      }
      expect(await refused('?resolution=2m')).toEqual([400, 'INVALID_PARAM', 'resolution'])
      expect(await refused('?cursor=nonsense')).toEqual([400, 'VALIDATION_ERROR', 'cursor'])
      expect(await refused('?from=yesterday')).toEqual([400, 'VALIDATION_ERROR', 'from'])
      expect(await refused('', stranger)).toEqual([404, 'ORDER_BOOK_NOT_FOUND', undefined])
    }
    // A peer is no import: its trades are in the candles of the own book.
    const theirs = await world.instance.call('GET', `${COMMODITIES}/order-books/${pool.bookIds[1]}/candles`)
    expect([theirs.status, theirs.body.error.code]).toEqual([404, 'ORDER_BOOK_NOT_FOUND'])
    for (const prefix of ['/orderbooks/stocks/api', '/orderbooks/external-securities/api'])
      expect((await world.instance.call('GET', `${prefix}/order-books/${pool.bookIds[0]}/candles`)).status).toBe(404)
  })
})
