import { tradingOperations } from '@tallystick/wire'
import fastify from 'fastify'
import postgres from 'postgres'
import { createApp } from '../../../apps/server/src/app.ts'
import { connectChains } from '../../../apps/server/src/platform/chain/chains.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { newId } from '../../../apps/server/src/platform/ids.ts'
import { createLog } from '../../../apps/server/src/platform/log.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'

/**
 * The product beside its rivals in one process: a route that validates the same body and does nothing, the product with one commit per
 * order, and a route that only reserves and stores an order without ever matching it. Prints the ports and serves until it is killed.
 */
const [databaseUrl = '', rpcUrl = ''] = process.argv.slice(2)
const chains = await connectChains([{ chainId: undefined, urls: [rpcUrl] }], { timeoutMs: 10_000, clock: systemClock })
const database = createDatabase({ url: databaseUrl, poolSize: 20, applicationName: 'tally-bench' })
const parts = { log: createLog({ level: 'silent' }), clock: systemClock, random: systemRandom, database, chains }
const product = createApp(parts)
// The very same product, except that every order has a commit to itself.
const ungrouped = createApp({ ...parts, trading: { largestGroup: 1 } })

const bare = fastify({ logger: false })
const schema = { body: JSON.parse(JSON.stringify(tradingOperations.submitOffchainOrder.body)) as object }
bare.post('/empty', { schema }, async () => ({ success: true, data: {} }))

const sql = postgres(databaseUrl, { max: 20, connection: { role: 'tally_operator' }, fetch_types: false })
interface UnmatchedOrder {
  orderBookId: string
  customerRef: string
  side: string
  orderType: string
  price: string
  quantity: string
}
bare.post('/unmatched', { schema }, async (request) => {
  const order = request.body as UnmatchedOrder
  const orderId = newId(systemClock, systemRandom)
  const amount =
    order.side === 'SELL' ? BigInt(order.quantity) : (BigInt(order.quantity) * BigInt(order.price)) / 1_000_000n
  await sql.begin(async (tx) => {
    const held = await tx`
      update unmatched_balances set available = available - ${amount.toString()}::numeric
      where holder = ${order.customerRef} and side = ${order.side} and available >= ${amount.toString()}::numeric`
    if (held.count !== 1) throw new Error('too little')
    await tx`
      insert into unmatched_orders values (${orderId}, ${order.orderBookId}, ${order.customerRef}, ${order.side}, ${order.price}::bigint,
        ${order.quantity}::bigint, now())`
    await tx`insert into unmatched_journal (entry) values (${JSON.stringify(order)})`
  })
  return { success: true, data: { orderId } }
})

// The same figures as the daily statistics, read from the rollups and nothing around it.
bare.get<{ Querystring: { book: string } }>('/rollup', async (request) => ({
  days: await sql`
    select day::text, order_count, trade_count, volume_base::text, volume_quote::text, price_high::text, price_low::text, price_open::text,
      price_close::text
    from book_days where book_id = ${request.query.book} and day > current_date - 365 order by day`,
}))

await product.listen({ host: '127.0.0.1', port: 0 })
await ungrouped.listen({ host: '127.0.0.1', port: 0 })
await bare.listen({ host: '127.0.0.1', port: 0 })
const portOf = (app: typeof bare) => (app.addresses()[0] as { port: number }).port
const ports = {
  product: portOf(product as unknown as typeof bare),
  ungrouped: portOf(ungrouped as unknown as typeof bare),
  bare: portOf(bare),
}
process.stdout.write(`${JSON.stringify(ports)}\n`)
