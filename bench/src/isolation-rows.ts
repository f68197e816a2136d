import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { median, type Sample } from './measure.ts'
import type { Report } from './report.ts'
import { fireOrders } from './trading/load.ts'
import { createMarket, type Market, OFFCHAIN } from './trading/market.ts'

const BOOKS = 8
/** What a market maker with a few connections sees. */
const NEIGHBOURS_CONNECTIONS = 2
const BAR = 2

interface Effort {
  readonly rounds: number
  readonly seconds: number
}

/** As long as `meanwhile` takes, one instance sends more orders than it gets done. */
async function flooding<T>(market: Market, books: readonly string[], meanwhile: () => Promise<T>): Promise<T> {
  const script = fileURLToPath(new URL('./trading/flood.ts', import.meta.url))
  const url = `${market.product}${OFFCHAIN}/orders`
  const child = spawn(process.execPath, ['--import', 'tsx', script, url, market.headers['x-api-key'], ...books], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  try {
    return await meanwhile()
  } finally {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
}

/** As long as `meanwhile` takes, the ledger of one instance is held, and orders that need it keep coming. */
const stuck = <T>(market: Market, books: readonly string[], meanwhile: () => Promise<T>): Promise<T> =>
  market.superuser.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('ledger ' || ${market.instanceId}::text, 0))`
    return flooding(market, books, meanwhile)
  }) as Promise<T>

/** What one instance notices of another: its p99 while that one floods its books or is stuck, beside its quiet p99. */
export async function measureIsolation(report: Report, { rounds, seconds }: Effort): Promise<void> {
  const market = await createMarket()
  try {
    const books: string[] = []
    for (let count = 0; count < BOOKS; count += 1) books.push((await market.createBook()).id)
    const { id: orderBookId } = await market.createBook({}, market.neighbour.apiKey)
    let turn = 0
    const body = () => {
      turn += 1
      const side = turn % 2 === 0 ? 'BUY' : 'SELL'
      const order = { customerRef: 'customer-0', side, orderType: 'LIMIT', price: '100000000', quantity: '1000000' }
      return JSON.stringify({ orderBookId, ...order })
    }
    const load = { url: `${market.product}${OFFCHAIN}/orders`, headers: market.neighbour.headers, body, orders: 1 }
    const fire = () => fireOrders(load, seconds, NEIGHBOURS_CONNECTIONS)
    await fire()
    const samples: Record<'quiet' | 'flooded' | 'stuck', Sample[]> = { quiet: [], flooded: [], stuck: [] }
    for (let round = 0; round < rounds; round += 1) {
      samples.quiet.push(await fire())
      samples.flooded.push(await flooding(market, books, fire))
      samples.quiet.push(await fire())
      samples.stuck.push(await stuck(market, books, fire))
    }
    const p99 = (of: readonly Sample[]) => median(of.map(({ p99Ms }) => p99Ms))
    for (const [name, label] of [
      ['stuck', 'p99 of a tenant while another is stuck, beside its quiet p99'],
      ['flooded', 'p99 of a tenant while another floods 8 books, beside its quiet p99'],
    ] as const) {
      const figure = p99(samples[name]) / p99(samples.quiet)
      const raw = `${p99(samples[name]).toFixed(1)} ms / ${p99(samples.quiet).toFixed(1)} ms`
      report.row(label, figure, `<= ${BAR.toFixed(2)}`, figure <= BAR, raw)
    }
  } finally {
    await market.stop()
  }
}
