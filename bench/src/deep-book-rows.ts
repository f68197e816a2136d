import type { Report } from './report.ts'
import { loadOf } from './trading/ledger-load.ts'
import { fireOrders, interleaveOrders } from './trading/load.ts'
import { OFFCHAIN } from './trading/market.ts'
import { CUSTOMERS, createReplicaSet, type Ledger } from './trading/replica-set.ts'

const BATCH = 100
/** Below everything that trades, on so many prices. */
const [FAR, PRICES, TICK] = [50_000_000, 1_000, 10_000]
const SENDERS = 8

/** Orders that rest, and that no other one meets. */
async function fillBook(url: string, { apiKey, orderBookId }: Ledger, orders: number): Promise<void> {
  let turn = 0
  const resting = () => {
    turn += 1
    return {
      customerRef: CUSTOMERS[turn % CUSTOMERS.length],
      side: 'BUY',
      orderType: 'LIMIT',
      price: String(FAR - (turn % PRICES) * TICK),
      quantity: '1000000',
    }
  }
  const body = () => JSON.stringify({ orderBookId, orders: Array.from({ length: BATCH }, resting) })
  const load = { url: `${url}${OFFCHAIN}/orders/batch`, headers: { 'x-api-key': apiKey }, body, orders: BATCH }
  await fireOrders(load, { requests: Math.ceil(orders / BATCH) }, SENDERS)
}

/** Orders of a book that many others rest in, beside the same orders of an empty one, on one server. */
export async function measureDeepBook(
  report: Report,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const resting = Number(process.env.BENCH_RESTING ?? 100_000)
  const set = await createReplicaSet()
  try {
    const { url } = await set.startReplica()
    const [full, bare] = [await set.openLedger(url), await set.openLedger(url)]
    await fillBook(url, full, resting)
    const { deep, empty } = await interleaveOrders(
      { deep: loadOf(url, full), empty: loadOf(url, bare) },
      rounds,
      seconds,
    )
    const of = `of a book with ${resting / 1000} thousand resting, beside an empty one`
    report.throughput(`orders ${of}`, deep, empty, 0.8)
    report.slowestOfHundred(`the slowest ${of}`, deep, empty, 2)
  } finally {
    await set.stop()
  }
}
