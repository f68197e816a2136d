import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@tallystick/testkit'
import postgres, { type Sql } from 'postgres'
import { createOperatorService } from '../../../apps/server/src/access/index.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'
import { listenTenaciously, type TenaciousListener } from '../../../apps/server/test/streams/tenacious-listener.ts'
import { auditLane, auditLedger, auditUnit } from '../../../apps/server/test/trading/audit.ts'
import { type Deployment, startDeployment } from '../soak/deployment.ts'
import { type OrderClient, startOrderClient } from './crash-client.ts'

export interface CrashOptions {
  /** Kills of an API process while orders are sent. */
  readonly trials: number
  /** Kills of PostgreSQL, spread over the run. */
  readonly databaseKills: number
  readonly seed: number
  readonly clients?: number
  readonly auditEvery?: number
  readonly onProgress?: (line: string) => void
}

export interface CrashFigures {
  readonly acknowledged: number
  readonly refused: number
  readonly attempts: number
  readonly foundAgain: number
  readonly trades: number
  /** How often somebody who listens had to come back. */
  readonly streams: number
  readonly seconds: number
  readonly violations: string[]
}

const OFFCHAIN = '/orderbooks/stocks/api/offchain'
const PLENTY = '1000000000000000'

interface Market {
  readonly instanceId: string
  readonly apiKey: string
  readonly books: string[]
}

/** An instance with two books on the same tokens' ledger, and customers with money. */
async function prepare(deployment: Deployment, clients: number): Promise<Market> {
  const database = createDatabase({ url: deployment.databaseUrl, poolSize: 1, applicationName: 'tally-crash' })
  const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
  const request = { name: 'crash', chainId: 31_337, environment: 'DEVELOPMENT', services: ['trading'] } as const
  const { instanceId, apiKey } = await operator.createInstance({ ...request, services: [...request.services] })
  await database.close()
  async function call(path: string, body: object): Promise<{ id: string }> {
    const response = await fetch(`${deployment.apiUrls[0]}${OFFCHAIN}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${text}`)
    return (JSON.parse(text) as { data: { id: string } }).data
  }
  const tokens = Array.from({ length: 3 }, () => `0x${randomBytes(20).toString('hex')}`)
  for (const tokenAddress of tokens) await call('/ledger/tokens', { tokenAddress, symbol: 'TKN' })
  const [quote = '', ...bases] = tokens
  const books: string[] = []
  for (const base of bases) {
    const pair = { tokenAddress: base, quoteTokenAddress: quote }
    books.push(
      (await call('/order-books', { ...pair, name: 'Crash', symbol: 'CRSH', makerFeeBps: 3, takerFeeBps: 9 })).id,
    )
  }
  for (let client = 0; client < clients; client += 1)
    for (let customer = 1; customer <= 3; customer += 1)
      for (const tokenAddress of tokens)
        await call('/ledger/credit', { customerRef: `c${client}-${customer}`, tokenAddress, amount: PLENTY })
  return { instanceId, apiKey, books }
}

/** Every acknowledged order is there once, nothing else is, and all rows agree with the journal. */
async function audit(sql: Sql, market: Market, clients: readonly OrderClient[], violations: string[]): Promise<number> {
  try {
    await auditLane(sql, market.instanceId)
  } catch (error) {
    violations.push((error as Error).message)
  }
  const rows = await sql<{ name: string; id: string }[]>`select client_order_id as name, order_id as id from orders`
  const stored = new Map(rows.map(({ name, id }) => [name, id]))
  if (stored.size !== rows.length) violations.push(`${rows.length - stored.size} orders are doubled`)
  const told = new Map(clients.flatMap(({ acknowledged }) => [...acknowledged]))
  for (const [name, id] of told) if (stored.get(name) !== id) violations.push(`${name} was acknowledged and is lost`)
  for (const name of stored.keys()) if (!told.has(name)) violations.push(`${name} is there and nobody was told`)
  let trades = 0
  try {
    const engines = []
    for (const book of market.books) {
      const unit = await auditUnit(sql, book)
      engines.push(unit.engine)
      trades += unit.trades
    }
    await auditLedger(sql, market.instanceId, engines)
  } catch (error) {
    violations.push((error as Error).message)
  }
  return trades
}

const HEARD_MS = 30_000

/** Who listened to a book, over all crashes, was told every trade once and stands where the journal stands. */
async function auditHeard(sql: Sql, bookId: string, listener: TenaciousListener, violations: string[]): Promise<void> {
  const [unit] = await sql<{ sequence: string; headHash: string }[]>`
    select sequence::text, head_hash as "headHash" from matching_units where unit_id = ${bookId}`
  const tape = await sql<{ id: string }[]>`select trade_id as id from trades where unit_id = ${bookId} order by number`
  const isThere = () => listener.place()?.headHash === unit?.headHash && listener.tradeIds.length >= tape.length
  for (const deadline = Date.now() + HEARD_MS; !isThere() && Date.now() < deadline; ) await sleep(50)
  const place = listener.place()
  if (place?.sequence !== unit?.sequence || place?.headHash !== unit?.headHash)
    violations.push(`a listener to ${bookId} stands at ${place?.sequence}, the journal at ${unit?.sequence}`)
  if (listener.tradeIds.join() !== tape.map(({ id }) => id).join())
    violations.push(`a listener to ${bookId} heard ${listener.tradeIds.length} fills, the tape has ${tape.length}`)
}

/** Kills the servers over and over while orders are sent to both, and compares what was answered with what is there. */
export async function runOrderCrashes(options: CrashOptions): Promise<CrashFigures> {
  const { trials, databaseKills, seed, clients: count = 4, auditEvery = 100, onProgress = () => {} } = options
  const begun = Date.now()
  const random = seededRandom(seed)
  const violations: string[] = []
  const deployment = await startDeployment()
  const sql = postgres(deployment.superuserUrl, { max: 1, onnotice: () => undefined, fetch_types: false })
  let clients: OrderClient[] = []
  let listeners: { bookId: string; listener: TenaciousListener }[] = []
  let trades = 0
  try {
    const market = await prepare(deployment, count)
    clients = Array.from({ length: count }, (_, index) =>
      startOrderClient({
        name: `c${index}`,
        apiKey: market.apiKey,
        apiUrls: deployment.apiUrls,
        books: market.books,
        random: seededRandom(seed + index + 1),
      }),
    )
    const dice = seededRandom(seed + 1_000)
    listeners = market.books.map((bookId) => ({
      bookId,
      listener: listenTenaciously({ bookId, key: market.apiKey, pickServer: () => dice.pick(deployment.apiUrls) }),
    }))
    async function check(): Promise<void> {
      await Promise.all(clients.map((client) => client.pause()))
      trades = await audit(sql, market, clients, violations)
      for (const { bookId, listener } of listeners) await auditHeard(sql, bookId, listener, violations)
      for (const client of clients) client.resume()
    }
    let killed = 0
    for (let trial = 1; trial <= trials; trial += 1) {
      await sleep(random.integer(0, 200))
      await deployment.killAndRestartApi(random.chance(0.5) ? 0 : 1)
      if ((killed + 1) * trials <= trial * databaseKills) {
        killed += 1
        await deployment.killAndRestart('postgres')
      }
      if (trial % auditEvery === 0 && trial < trials) {
        await check()
        onProgress(`${trial} trials, ${Math.round((Date.now() - begun) / 1000)} s, ${violations.length} violations`)
      }
    }
    await check()
    violations.push(
      ...deployment.ownDeaths,
      ...[...clients, ...listeners.map(({ listener }) => listener)].flatMap(({ faults }) => faults),
    )
    const sum = (of: (client: OrderClient) => number) => clients.reduce((total, client) => total + of(client), 0)
    return {
      acknowledged: sum(({ acknowledged }) => acknowledged.size),
      refused: sum(({ refused }) => refused.size),
      attempts: sum((client) => client.attempts()),
      foundAgain: sum((client) => client.foundAgain()),
      trades,
      streams: listeners.reduce((total, { listener }) => total + listener.connections(), 0),
      seconds: (Date.now() - begun) / 1000,
      violations,
    }
  } finally {
    await Promise.all([...clients, ...listeners.map(({ listener }) => listener)].map((one) => one.stop()))
    await sql.end({ timeout: 5 })
    await deployment.stop()
  }
}
