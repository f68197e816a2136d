import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median, type Sample } from './measure.ts'
import type { Report } from './report.ts'
import { loadOf, orderOf } from './trading/ledger-load.ts'
import { fireOrders } from './trading/load.ts'
import { OFFCHAIN } from './trading/market.ts'
import { createReplicaSet, type Ledger } from './trading/replica-set.ts'

type ReplicaSet = Awaited<ReturnType<typeof createReplicaSet>>

const BATCH = 100
const ASK_EVERY_MS = 50
const GIVE_UP_MS = 30_000
const LONGEST_ANSWER_MS = 10_000

async function placeOne(url: string, { apiKey, orderBookId }: Ledger): Promise<number> {
  const response = await fetch(`${url}${OFFCHAIN}/orders`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ orderBookId, ...orderOf(0) }),
    signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
  })
  await response.text()
  return response.status
}

/** How long the slowest answers take while the server has time to spare. */
async function measureHalfLoad(set: ReplicaSet, report: Report, seconds: number): Promise<void> {
  const { url } = await set.startReplica()
  const load = loadOf(url, await set.openLedger(url))
  await fireOrders(load, seconds)
  const { perSecond: full } = await fireOrders(load, seconds)
  const samples: Sample[] = []
  for (let round = 0; round < 3; round += 1)
    samples.push(await fireOrders({ ...load, requestsPerSecond: Math.round(full / 2) }, seconds))
  const spread = median(samples.map(({ p99Ms, p50Ms }) => p99Ms / p50Ms))
  const middle = (of: 'p50Ms' | 'p99Ms') => median(samples.map((sample) => sample[of])).toFixed(1)
  const raw = `p99 ${middle('p99Ms')} ms / p50 ${middle('p50Ms')} ms at ${Math.round(full / 2)}/s`
  report.row('durable orders at half load, p99 over p50', spread, '<= 3.00', spread <= 3, raw)
}

/** Until a server answers orders of a ledger whose owner is lost, and until it has the ledger in its own memory. */
async function measureTakeOver(set: ReplicaSet, report: Report, signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
  const secret = randomBytes(32).toString('hex')
  const [owner, other] = [await set.startReplica(secret), await set.startReplica(secret)]
  const ledger = await set.openLedger(owner.url)
  // Both know it: one has it, the other passes orders on.
  for (let count = 0; count < 20; count += 1)
    for (const { url } of [owner, other])
      if ((await placeOne(url, ledger)) !== 200) throw new Error('an order was refused')
  owner.process.kill(signal)
  const begun = performance.now()
  const elapsed = () => performance.now() - begun
  let answeredMs: number | undefined
  let ownedMs: number | undefined
  while ((answeredMs === undefined || ownedMs === undefined) && elapsed() < GIVE_UP_MS) {
    // Nobody waits for the one before: a server that sleeps keeps what it was sent.
    void placeOne(other.url, ledger).then(
      (status) => {
        if (status === 200) answeredMs ??= elapsed()
      },
      () => undefined,
    )
    await sleep(ASK_EVERY_MS)
    const [row] =
      await set.superuser`select 1 from lanes where owner_url = ${other.url} and lease_until > clock_timestamp()`
    if (row) ownedMs ??= elapsed()
  }
  owner.process.kill('SIGKILL')
  other.process.kill('SIGKILL')
  const seconds = (ownedMs ?? Number.POSITIVE_INFINITY) / 1000
  const raw = `first order answered after ${((answeredMs ?? Number.POSITIVE_INFINITY) / 1000).toFixed(2)} s`
  report.row(`take-over after ${signal} of the owner, seconds`, seconds, '<= 4.00', seconds <= 4, raw)
}

/** A new server, and a lane that has a long past: from the first order that it gets to its answer. */
async function measureColdStart(set: ReplicaSet, report: Report, entries: number): Promise<void> {
  const { url, process: first } = await set.startReplica()
  const ledger = await set.openLedger(url)
  const { apiKey, orderBookId } = ledger
  let turn = 0
  const body = () => JSON.stringify({ orderBookId, orders: Array.from({ length: BATCH }, () => orderOf(++turn)) })
  const load = { url: `${url}${OFFCHAIN}/orders/batch`, headers: { 'x-api-key': apiKey }, body, orders: BATCH }
  await fireOrders(load, { requests: Math.ceil(entries / BATCH) }, 16)
  first.kill('SIGKILL')
  await set.superuser`update lanes set lease_until = '-infinity'`
  const { url: next, process: second } = await set.startReplica()
  const neighbour = await set.openLedger(next)
  // What a server does once in its life is not the lane's.
  await placeOne(next, neighbour)
  const begun = performance.now()
  const status = await placeOne(next, ledger)
  const seconds = (performance.now() - begun) / 1000
  second.kill('SIGKILL')
  const raw = `${entries} orders behind it, answered ${status}`
  report.row('cold start of a lane, seconds', seconds, '<= 2.00', status === 200 && seconds <= 2, raw)
}

/** As many orders as it takes, for minutes on end, while their rows are written beside them: does it slow down? */
async function measureSustained(set: ReplicaSet, report: Report, minutes: number): Promise<void> {
  const { url, process: server } = await set.startReplica()
  const ledger = await set.openLedger(url)
  const load = loadOf(url, ledger)
  // A server that is new to its work is slower, and would flatter those after it.
  await fireOrders(load, 20)
  const rates: number[] = []
  for (let minute = 0; minute < minutes; minute += 1) rates.push((await fireOrders(load, 60)).perSecond)
  server.kill('SIGKILL')
  const [first = Number.NaN, last = Number.NaN] = [rates[0], rates.at(-1)]
  const raw = `orders/s by minute: ${rates.map(Math.round).join(' ')}`
  report.row(`orders in minute ${minutes}, beside the first`, last / first, '>= 0.90', last / first >= 0.9, raw)
}

/** In a process of its own, which has nothing else in its memory. */
function sayMemory(orders: number): void {
  const script = fileURLToPath(new URL('./trading/resting-memory.ts', import.meta.url))
  const said = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', script, String(orders)], {
    encoding: 'utf8',
    maxBuffer: 1 << 20,
  })
  process.stdout.write(said.status === 0 ? `        ${said.stdout}` : said.stderr)
}

/** How a venue behaves beside its rate: waiting, take-overs, starts, endurance and memory. A quarter of an hour, and so only by name. */
export async function measureVenue(report: Report, seconds: number): Promise<void> {
  const entries = Number(process.env.BENCH_ENTRIES ?? 1_000_000)
  const set = await createReplicaSet()
  try {
    await measureHalfLoad(set, report, seconds)
    await measureTakeOver(set, report, 'SIGKILL')
    await measureTakeOver(set, report, 'SIGSTOP')
    await measureColdStart(set, report, entries)
    await measureSustained(set, report, Number(process.env.BENCH_MINUTES ?? 10))
  } finally {
    await set.stop()
  }
  sayMemory(Number(process.env.BENCH_RESTING ?? 1_000_000))
}
