import { seededRandom } from '@tallystick/testkit'
import { median } from './measure.ts'
import { cpuOf, cpuOfDatabase, postmasterOf } from './trading/cpu.ts'
import { fireOrders, type OrderLoad } from './trading/load.ts'
import { createMarket, type Market, OFFCHAIN } from './trading/market.ts'

const BATCH = 100
const random = seededRandom(1)

interface Cost {
  readonly node: number
  readonly database: number
}

/** Until rows show everything that was committed: what is left to be written is part of what an order costs. */
async function followed({ superuser }: Market): Promise<void> {
  for (;;) {
    const [row] = await superuser`
      select 1 from lanes l join lane_projections p using (lane_id) where p.sequence < l.sequence limit 1`
    if (!row) return
  }
}

/** What orders cost the server and the database, in CPU: unlike their rate, it hardly changes with what else the machine does. */
async function measureCosts(market: Market, orders: number, rounds: number): Promise<void> {
  const { id: orderBookId } = await market.createBook({ takerFeeBps: 10, makerFeeBps: 5 })
  const { id: batchBookId } = await market.createBook({ takerFeeBps: 10, makerFeeBps: 5 })
  let turn = 0
  const next = () => {
    turn += 1
    const side = turn % 2 === 0 ? 'BUY' : 'SELL'
    return {
      customerRef: random.pick(market.customers),
      side,
      orderType: 'LIMIT',
      price: '100000000',
      quantity: '1000000',
    }
  }
  const one = () => JSON.stringify({ orderBookId, ...next() })
  const many = () => JSON.stringify({ orderBookId: batchBookId, orders: Array.from({ length: BATCH }, next) })
  const { headers } = market
  const url = `${market.product}${OFFCHAIN}/orders`
  const loads: Record<string, OrderLoad> = {
    'an empty validated POST': { url: `${market.bare}/empty`, headers: {}, body: one, orders: 1 },
    'an order': { url, headers, body: one, orders: 1 },
    'an order with an Idempotency-Key': { url, headers, body: one, orders: 1, isKeyed: true },
    'an order in a batch of 100': { url: `${url}/batch`, headers, body: many, orders: BATCH },
  }
  const postmaster = await postmasterOf(market.superuser)
  const costs = new Map<string, Cost[]>(Object.keys(loads).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, load] of Object.entries(loads)) {
      const before = { node: cpuOf(market.pid), database: cpuOfDatabase(postmaster) }
      await fireOrders(load, { requests: orders / load.orders })
      await followed(market)
      const [node, database] = [cpuOf(market.pid) - before.node, cpuOfDatabase(postmaster) - before.database]
      // The first round only warms up.
      if (round > 0) costs.get(name)?.push({ node, database })
    }
  for (const [name, series] of costs) {
    const micros = (of: keyof Cost) => Math.round((median(series.map((cost) => cost[of])) / orders) * 1e6)
    process.stdout.write(
      `        ${name.padEnd(34)} ${String(micros('node')).padStart(5)} us node ${String(micros('database')).padStart(5)} us database\n`,
    )
  }
}

export async function measureLanes(): Promise<void> {
  const market = await createMarket()
  try {
    await measureCosts(market, Number(process.env.BENCH_ORDERS ?? 10_000), 3)
  } finally {
    await market.stop()
  }
}
