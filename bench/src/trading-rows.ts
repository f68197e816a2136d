import { seededRandom } from '@tallystick/testkit'
import { interleave, median, ratio, type Sample } from './measure.ts'
import { type Report, rate } from './report.ts'
import { measureFronts } from './trading/fronts.ts'
import { interleaveOrders } from './trading/load.ts'
import { createMarket, type Market, OFFCHAIN } from './trading/market.ts'
import { measureReplicas } from './trading/replicas.ts'

const BATCH = 100
const YEAR = 365
const random = seededRandom(1)

interface Effort {
  readonly rounds: number
  readonly seconds: number
}

/** Every second order meets the one before it: half of them rest, half of them trade. */
function orders({ customers }: Market) {
  let turn = 0
  return () => {
    turn += 1
    return {
      customerRef: random.pick(customers),
      side: turn % 2 === 0 ? 'BUY' : 'SELL',
      orderType: 'LIMIT',
      price: '100000000',
      quantity: '1000000',
    }
  }
}

async function measureOrders(market: Market, report: Report, { rounds, seconds }: Effort): Promise<void> {
  const next = orders(market)
  // A book for each, and for the rival an instance: nobody has to catch up with what another one did, or to wait for its lane.
  const { neighbour } = market
  const newBook = async (key?: string) => (await market.createBook({ takerFeeBps: 10, makerFeeBps: 5 }, key)).id
  const [single, ungrouped, batch] = [await newBook(), await newBook(neighbour.apiKey), await newBook()]
  const one = (orderBookId: string) => () => JSON.stringify({ orderBookId, ...next() })
  const many = () => JSON.stringify({ orderBookId: batch, orders: Array.from({ length: BATCH }, next) })
  const path = `${OFFCHAIN}/orders`
  const { headers } = market
  const measured = await interleaveOrders(
    {
      empty: { url: `${market.bare}/empty`, headers: {}, body: one(single), orders: 1 },
      unmatched: { url: `${market.bare}/unmatched`, headers: {}, body: one(single), orders: 1 },
      plain: { url: `${market.ungrouped}${path}`, headers: neighbour.headers, body: one(ungrouped), orders: 1 },
      ours: { url: `${market.product}${path}`, headers, body: one(single), orders: 1 },
      keyed: { url: `${market.product}${path}`, headers, body: one(single), orders: 1, isKeyed: true },
      batch: { url: `${market.product}${path}/batch`, headers, body: many, orders: BATCH },
    },
    rounds,
    seconds,
  )
  report.throughput('durable orders, beside an empty validated POST', measured.ours, measured.empty, 0.5)
  report.throughput('orders with an Idempotency-Key, beside those without', measured.keyed, measured.ours, 0.7)
  report.throughput('durable orders, beside one commit per order', measured.ours, measured.plain, 2)
  report.throughput('orders in batches of 100, beside single ones', measured.batch, measured.ours, 5)
  const spread = median(measured.ours.map(({ p99Ms, p50Ms }) => p99Ms / p50Ms))
  const middle = (of: keyof Sample) => median(measured.ours.map((sample) => sample[of])).toFixed(1)
  const raw = `p99 ${middle('p99Ms')} ms / p50 ${middle('p50Ms')} ms`
  report.row('durable orders, p99 over p50', spread, '<= 3.00', spread <= 3, raw)
  process.stdout.write(`        orders that are reserved and stored, but never matched: ${rate(measured.unmatched)}\n`)
}

async function measureDays(market: Market, report: Report, { rounds, seconds }: Effort): Promise<void> {
  const { id, tokenAddress } = await market.createBook({ tokenType: 'STOCK_TOKEN' })
  await market.superuser`
    insert into book_days (unit_id, book_id, day, order_count, trade_count, volume_base, volume_quote, price_high, price_low, price_open, price_close, opened_at, closed_at)
    select ${id}, ${id}, current_date - age, 136, 136, 136000000, 1360000000, 110000000, 90000000, 100000000, 101000000, now(), now()
    from generate_series(0, ${YEAR - 1}) age`
  const path = `/orderbooks/stocks/api/order-books/by-token/${tokenAddress}/daily-stats?range=1Y`
  const measured = await interleave(
    {
      ours: { url: `${market.product}${path}`, headers: market.headers },
      rollup: { url: `${market.bare}/rollup?book=${id}` },
    },
    rounds,
    seconds,
  )
  report.slowness('daily statistics of a year, beside the bare rollup read', measured.ours, measured.rollup, 3)
}

async function measureSnapshot(market: Market, report: Report, { rounds, seconds }: Effort): Promise<void> {
  const { id: orderBookId } = await market.createBook()
  for (let sent = 0; sent < 10_000; sent += BATCH) {
    const requests = Array.from({ length: BATCH }, () => {
      const side = random.pick(['BUY', 'SELL'])
      const price = side === 'BUY' ? random.integer(1, 5_000) : random.integer(5_001, 10_000)
      return {
        customerRef: random.pick(market.customers),
        side,
        orderType: 'LIMIT',
        price: String(price * 10_000),
        quantity: '1000000',
      }
    })
    await market.call(`${OFFCHAIN}/orders/batch`, { orderBookId, orders: requests })
  }
  const { id: smallId } = await market.createBook()
  await market.call(`${OFFCHAIN}/orders/batch`, { orderBookId: smallId, orders: [orders(market)()] })
  const at = (id: string) => `${market.product}${OFFCHAIN}/order-books/${id}/snapshot?levels=20`
  const measured = await interleave(
    { large: { url: at(orderBookId), headers: market.headers }, small: { url: at(smallId), headers: market.headers } },
    rounds,
    seconds,
  )
  const figure = ratio(measured.large, measured.small, 'p50Ms')
  report.row(
    'snapshot of 10,000 orders, beside one of 1',
    figure,
    '<= 1.50',
    figure <= 1.5,
    `${rate(measured.large)} / ${rate(measured.small)}`,
  )
}

/** HTTP in a process of its own: what two cores do with orders of one ledger. */
export async function measureProcesses(report: Report, { rounds, seconds }: Effort): Promise<void> {
  const { empty, one, two, costs } = await measureFronts(rounds, seconds)
  report.throughput('durable orders, HTTP in a process of its own, beside an empty POST', two, empty, 0.8)
  report.throughput('durable orders, HTTP in a process of its own, beside one process', two, one, 1)
  const micros = (of: keyof typeof costs) => `${Math.round(costs[of])} us`
  process.stdout.write(
    `        CPU of an order: one process ${micros('one')}; two: HTTP ${micros('front')}, matching ${micros('matching')}\n`,
  )
}

/** What it costs to take orders and to read books: 64 connections, a database of its own. */
export async function measureTrading(report: Report, effort: Effort): Promise<void> {
  const market = await createMarket()
  try {
    await measureOrders(market, report, effort)
    await measureDays(market, report, effort)
    await measureSnapshot(market, report, effort)
  } finally {
    await market.stop()
  }
  await measureProcesses(report, effort)
  const [one = [], two = []] = await measureReplicas(effort.rounds, effort.seconds, 2)
  report.throughput('two servers over 16 ledgers, beside one', two, one, 1)
}
