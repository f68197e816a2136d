import { createHash } from 'node:crypto'
import { appendEntry, createEngine, emptyHead, type OpenBook } from '@tallystick/engine'
import { seededRandom } from '@tallystick/testkit'
import { AppError } from '../../../src/platform/app-error.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type Once, ReplayedAnswer } from '../../../src/platform/once.ts'
import type { UnitRequest } from '../../../src/trading/unit/group.ts'
import type { BookFacts } from '../../../src/trading/unit/group-facts.ts'
import type { Turn } from '../../../src/trading/unit/turn.ts'
import { auditStored } from './audit-stored.ts'
import { type PlainOrder, placePlainly } from './plain-order.ts'
import { bytesFrom, clockOf, type Peers, type SimulatedProcess, startProcess } from './processes.ts'
import { createScheduler } from './scheduler.ts'
import { createStoredLane, type PlantedFault, type StoredUnit } from './stored-lane.ts'

const PROCESSES = 3
const CLIENTS = 4
const ORDERS_PER_CLIENT = 8
const UNITS = 2
/** When things stop going wrong, and when everybody must be done. */
const CALM_AT = 12_000
const OVER_AT = 60_000
const PATIENCE_MS = 3_000
const RULES = {
  tickSize: 1,
  lotSize: 1,
  minOrderSize: 1,
  maxOrderSize: null,
  makerFeeBps: 10,
  takerFeeBps: 20,
  mmMakerRebateBps: null,
  rollUnmatched: false,
}

export interface Simulation {
  readonly faults: readonly string[]
  /** Names everything that happened: the same seed has the same. */
  readonly digest: string
  readonly orders: number
  readonly groups: number
  readonly epochs: number
  readonly kills: number
  /** Orders that one process passed on to another. */
  readonly passed: number
  /** How often a process left the lane to another one. */
  readonly left: number
}

interface Wanted extends PlainOrder {
  /** This or the client order id makes it safe to ask again. */
  readonly key: string | null
}

/** Some processes, clients and a database, on a machine, a network and a clock that the seed decides on. */
export async function simulate(seed: number, planted?: PlantedFault): Promise<Simulation> {
  const random = seededRandom(seed)
  const scheduler = createScheduler(random)
  const [clock, bytes] = [clockOf(scheduler), bytesFrom(random)]
  const id = () => newId(clock, bytes)
  const laneId = id()
  const accounts = Array.from({ length: CLIENTS }, (_, index) => ({ accountId: id(), holder: `offchain:c${index}` }))
  const units = new Map(Array.from({ length: UNITS }, () => newUnit(id(), laneId, random)))
  const stored = createStoredLane(laneId, units, accounts, scheduler.elapsed, planted)
  const faults: string[] = []
  /** Which request brought an order into being, committed or not. */
  const broughtBy = new Map<string, Wanted>()
  const acknowledged = new Map<Wanted, string>()

  for (const { holder } of accounts) for (const token of stored.tokens) stored.moveAside(holder, token, 3_000n)

  // In every other world processes know each other.
  const peers: Peers | undefined = seed % 2 === 0 ? { known: new Map(), passed: 0 } : undefined
  const start = () => {
    const process = startProcess({ scheduler, random, stored, planted, peers })
    process.setTrouble(scheduler.elapsed() < CALM_AT ? 0.04 : 0)
    return process
  }
  const processes: SimulatedProcess[] = Array.from({ length: PROCESSES }, start)
  const pause = (milliseconds: number) => new Promise<void>((resolve) => scheduler.after(milliseconds, resolve))

  /** Mostly the same one: whoever has the lane is asked again, until somebody else is. */
  let favourite = 0
  function somebody(): SimulatedProcess {
    if (random.chance(0.03)) favourite = random.integer(0, PROCESSES - 1)
    // Those that know each other are asked in turn, as behind a balancer.
    return processes[random.chance(peers ? 0.5 : 0.95) ? favourite : random.integer(0, PROCESSES - 1)] ?? start()
  }

  /** Undefined: it failed, or whoever was asked is no more. */
  const answered = <T>(answer: Promise<T>): Promise<T | undefined> =>
    Promise.race([answer.catch(() => undefined), pause(PATIENCE_MS).then(() => undefined)])

  function perform(wanted: Wanted, turn: Turn): { orderId: string } {
    const orderId = placePlainly(turn, laneId, id(), wanted)
    broughtBy.set(orderId, wanted)
    return { orderId }
  }

  const onceOf = (key: string): Once => ({
    operation: 'submitOrder',
    key,
    fingerprint: Buffer.from(key),
    answered: (value) => ({ status: 200, body: JSON.stringify(value) }),
    refused: (error) => ({ status: 400, body: JSON.stringify({ code: (error as AppError).code }) }),
  })

  const requestOf = (wanted: Wanted): UnitRequest<unknown> => ({
    grant: null,
    looks: {
      instanceId: laneId,
      holders: [wanted.holder],
      clientOrderIds: wanted.clientOrderId === null ? [] : [wanted.clientOrderId],
    },
    isOrder: true,
    ...(wanted.key === null ? {} : { once: onceOf(wanted.key) }),
    perform: (turn) => perform(wanted, turn),
  })

  /** The id of the order; null: refused. Undefined: nobody knows, ask again. */
  function endOf(error: unknown): string | null | undefined {
    if (error instanceof ReplayedAnswer) return (JSON.parse(error.answer.body) as { orderId?: string }).orderId ?? null
    if (!(error instanceof AppError)) return undefined
    if (error.code === 'DUPLICATE_CLIENT_ORDER_ID') return (error.extra as { orderId: string }).orderId
    return error.code === 'IDEMPOTENCY_IN_FLIGHT' ? undefined : null
  }

  async function attempt(wanted: Wanted): Promise<string | null | undefined> {
    const sent = somebody().submit(wanted.unitId, requestOf(wanted))
    const answer = sent.then((value) => (value as { orderId: string }).orderId, endOf)
    return answered(answer)
  }

  /** Asks again until it knows. Then somebody reads, wherever it may be: the rows must show it. */
  async function place(wanted: Wanted): Promise<void> {
    let end: string | null | undefined
    while (end === undefined) {
      end = await attempt(wanted)
      if (end === undefined) await pause(random.integer(10, 500))
    }
    if (end === null) return
    acknowledged.set(wanted, end)
    const orderId = end
    const reader = random.pick(processes)
    const seen = reader.settled().then(() => reader.read(() => stored.orders.has(orderId)))
    if ((await answered(seen)) === false)
      faults.push(`order ${orderId} was answered, and whoever read after that did not see it`)
  }

  async function client(holder: string): Promise<void> {
    for (let count = 0; count < ORDERS_PER_CLIENT; count += 1) {
      const isKeyed = random.chance(0.5)
      await place({
        unitId: random.pick([...units.keys()]),
        holder,
        side: random.pick(['BUY', 'SELL'] as const),
        price: random.integer(9, 11) * 1_000_000,
        quantity: random.integer(1, 60),
        clientOrderId: isKeyed ? null : `id-${count}`,
        key: isKeyed ? `${holder}-${count}` : null,
      })
      if (random.chance(0.3)) await pause(random.integer(1, 1_500))
      if (random.chance(0.25)) {
        const amount = BigInt(random.integer(-1_500, 1_000))
        const held = random.chance(0.2) ? random.integer(50, 800) : 0
        await answered(random.pick(processes).moveAside(holder, random.pick(stored.tokens), amount, held))
      }
    }
  }

  let kills = 0
  function disturb(): void {
    if (scheduler.elapsed() >= CALM_AT) {
      for (const process of processes) process.setTrouble(0)
      return
    }
    const victim = random.integer(0, processes.length - 1)
    if (random.chance(0.5)) processes[victim]?.sleep(random.integer(100, 9_000))
    else {
      kills += 1
      processes[victim]?.kill()
      processes[victim] = start()
    }
    scheduler.after(random.integer(200, 4_000), disturb)
  }

  let left = accounts.length
  for (const { holder } of accounts) void client(holder).then(() => (left -= 1))
  scheduler.after(random.integer(100, 2_000), disturb)
  await scheduler.run(OVER_AT)
  if (left > 0) faults.push(`${left} clients were never answered`)

  const last = start()
  let isWritten = false
  void last.settled().then(
    () => (isWritten = true),
    (error) => faults.push(`rows could not be written: ${(error as Error).message}`),
  )
  await scheduler.run(OVER_AT * 2)
  if (!isWritten) faults.push('rows were never written')
  faults.push(...auditStored(stored))
  for (const [wanted, orderId] of acknowledged)
    if (broughtBy.get(orderId) !== wanted || !stored.orders.has(orderId))
      faults.push(`order ${orderId} was answered and is not there`)
  const counts = new Map<Wanted, number>()
  for (const orderId of stored.orders.keys()) {
    const wanted = broughtBy.get(orderId)
    if (wanted) counts.set(wanted, (counts.get(wanted) ?? 0) + 1)
  }
  for (const count of counts.values()) if (count > 1) faults.push(`one request came to ${count} orders`)

  const heads = [...units].map(([unitId, { entries }]) => [unitId, entries.at(-1)?.hash])
  const digest = createHash('sha256')
    .update(JSON.stringify([heads, [...acknowledged.values()], String(stored.lane.epoch), faults]))
    .digest('hex')
  const epochs = Number(stored.lane.epoch)
  return {
    faults,
    digest,
    orders: acknowledged.size,
    groups: stored.groups.length,
    epochs,
    kills,
    passed: peers?.passed ?? 0,
    left: stored.left(),
  }
}

function newUnit(unitId: string, laneId: string, random: ReturnType<typeof seededRandom>): [string, StoredUnit] {
  const [base, quote] = [random.hex(20), random.hex(20)]
  const engine = createEngine()
  const open: OpenBook = {
    kind: 'openBook',
    at: 0,
    book: unitId,
    instance: laneId,
    base,
    quote,
    rules: RULES,
    staged: false,
    pooled: false,
  }
  const { number, body, hash } = appendEntry(emptyHead(unitId), open, engine.apply(open))
  const book = {
    bookId: unitId,
    instanceId: laneId,
    tokenAddress: base,
    quoteTokenAddress: quote,
    status: 'ACTIVE',
    settlementMode: 'OFF_CHAIN',
    quoteDecimals: null,
    tradingMode: 'CONTINUOUS',
    auctionIntervalSeconds: null,
    currentAuctionId: null,
    currentAuctionEndsAt: null,
    priceRefEnabled: false,
    priceRefEnforcement: 'NONE',
    priceRefHaltOnStale: false,
    priceRefStaleTolerance: null,
    priceRefLastUpdated: null,
    priceRefLastPrice: null,
    priceRefSpreadBps: null,
    priceRefCircuitBreakerBps: null,
    priceRefClaim: null,
    readAt: new Date(0),
  } satisfies BookFacts
  return [unitId, { book, version: 1n, entries: [{ number, body, hash }] }]
}
