import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { createOperatorService } from '../../../apps/server/src/access/index.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'
import type { TenaciousListener } from '../../../apps/server/test/streams/tenacious-listener.ts'
import { auditLane, auditLedger, auditUnit } from '../../../apps/server/test/trading/audit.ts'
import type { OrderClient } from './crash-client.ts'

const OFFCHAIN = '/orderbooks/stocks/api/offchain'
const PLENTY = '1000000000000000'

export interface OrderMarket {
  readonly instanceId: string
  readonly apiKey: string
  readonly books: string[]
}

/** An instance with two books on the same tokens' ledger, and customers with money. */
export async function prepareMarket(
  deployment: { readonly databaseUrl: string; readonly apiUrls: readonly string[] },
  clients: number,
): Promise<OrderMarket> {
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
export async function auditOrders(
  sql: Sql,
  market: OrderMarket,
  clients: readonly OrderClient[],
  violations: string[],
): Promise<number> {
  try {
    await auditLane(sql, market.instanceId)
  } catch (error) {
    violations.push((error as Error).message)
  }
  // Whoever else sends orders here gives them no names.
  const rows = await sql<{ name: string; id: string }[]>`
    select client_order_id as name, order_id as id from orders where client_order_id is not null`
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
export async function auditHeard(
  sql: Sql,
  bookId: string,
  listener: TenaciousListener,
  violations: string[],
): Promise<void> {
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
