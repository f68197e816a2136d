import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { startTestChain } from '@tallystick/testkit'
import postgres from 'postgres'
import { createOperatorService } from '../../../apps/server/src/access/index.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { migrate } from '../../../apps/server/src/platform/db/migrate.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'
import { bundledFile } from '../../../apps/server/test/process/programs.ts'
import { startServing } from '../serving-script.ts'
import { createDurableCluster } from './durable-cluster.ts'

export const OFFCHAIN = '/orderbooks/stocks/api/offchain'
const CUSTOMERS = 32
/** How operators are told to start a server. */
export const SERVER_FLAGS = ['--max-semi-space-size=64']
const PLENTY = '9000000000000000000'

/** A database, a chain, the servers in a process of their own, bundled as they are shipped, and an instance with books and customers. */
export async function createMarket() {
  const cluster = await createDurableCluster()
  await cluster.createTemplate('bench', async (url) => {
    await migrate(url)
  })
  const { url: databaseUrl } = await cluster.cloneDatabase('bench')
  const chain = await startTestChain()
  const database = createDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'tally-bench-setup' })
  const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
  const createInstance = (name: string) =>
    operator.createInstance({ name, chainId: chain.chainId, environment: 'DEVELOPMENT', services: ['trading'] })
  const { instanceId, apiKey } = await createInstance('market')
  const neighbour = await createInstance('neighbour')
  await database.close()
  const superuserUrl = Object.assign(new URL(cluster.superuserUrl), {
    pathname: new URL(databaseUrl).pathname,
  }).toString()
  const superuser = postgres(superuserUrl, { max: 1, onnotice: () => {} })
  await superuser.unsafe(`
    create table unmatched_orders (order_id uuid primary key, book_id uuid, holder text, side text, price bigint, quantity bigint, created_at timestamptz);
    create index on unmatched_orders (holder, created_at desc);
    create table unmatched_journal (id bigserial primary key, entry text);
    create table unmatched_balances (holder text, side text, available numeric, primary key (holder, side));
    grant all on unmatched_orders, unmatched_journal, unmatched_balances, unmatched_journal_id_seq to tally_operator`)
  const customers = Array.from({ length: CUSTOMERS }, (_, index) => `customer-${index}`)
  for (const customer of customers)
    for (const side of ['BUY', 'SELL'])
      await superuser`insert into unmatched_balances values (${customer}, ${side}, 1e40::numeric)`

  const script = await bundledFile(fileURLToPath(new URL('./order-servers.ts', import.meta.url)), 'order-servers')
  const servers = await startServing<{ product: number; ungrouped: number; bare: number }>([
    ...SERVER_FLAGS,
    script,
    databaseUrl,
    chain.url,
  ])
  const { ports } = servers
  const product = `http://127.0.0.1:${ports.product}`

  async function call(path: string, body: object, key = apiKey): Promise<{ id: string }> {
    const response = await fetch(`${product}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return (JSON.parse(text) as { data: { id: string } }).data
  }

  return {
    instanceId,
    headers: { 'x-api-key': apiKey },
    neighbour: { apiKey: neighbour.apiKey, headers: { 'x-api-key': neighbour.apiKey } },
    product,
    ungrouped: `http://127.0.0.1:${ports.ungrouped}`,
    bare: `http://127.0.0.1:${ports.bare}`,
    superuser,
    /** The process of the servers. */
    pid: servers.pid,
    customers,
    call,
    /** A book whose customers have plenty of both tokens. */
    async createBook(request: object = {}, key = apiKey) {
      const tokens = Array.from({ length: 2 }, () => `0x${randomBytes(20).toString('hex')}`)
      for (const tokenAddress of tokens) await call(`${OFFCHAIN}/ledger/tokens`, { tokenAddress, symbol: 'TKN' }, key)
      const [tokenAddress, quoteTokenAddress] = tokens
      const { id } = await call(
        `${OFFCHAIN}/order-books`,
        {
          tokenAddress,
          quoteTokenAddress,
          name: 'n',
          symbol: 's',
          ...request,
        },
        key,
      )
      for (const customerRef of customers)
        for (const token of tokens)
          await call(`${OFFCHAIN}/ledger/credit`, { customerRef, tokenAddress: token, amount: PLENTY }, key)
      return { id, tokenAddress }
    },
    async stop() {
      servers.stop()
      await superuser.end()
      await Promise.all([cluster.stop(), chain.stop()])
    },
  }
}

export type Market = Awaited<ReturnType<typeof createMarket>>
