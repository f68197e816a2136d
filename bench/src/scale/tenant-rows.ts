import { randomBytes, randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { createOperatorService } from '../../../apps/server/src/access/index.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'
import { call } from '../call.ts'
import { createLendingMarket, marketsPath } from '../lending-market.ts'
import { interleave, type Load } from '../measure.ts'
import type { Report } from '../report.ts'
import { OFFCHAIN } from '../trading/market.ts'
import { type BenchWorld, createBenchWorld, startServers } from '../world.ts'
import { copyDatabase, fill } from './databases.ts'
import { type JobPass, timeJobs } from './job-passes.ts'
import { copyTenant } from './tenant-copy.ts'

const FEW = 10
const CUSTOMERS = ['anna', 'bert']
const ORDERS = 20
const TOKENS = 3
const CONNECTIONS = 4
const BARS = { p50: 1.5, p99: 2 }

interface Tenant {
  readonly instanceId: string
  readonly apiKey: string
}

async function createTenant({ databaseUrl, chain }: BenchWorld, name: string): Promise<Tenant> {
  const database = createDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'tally-bench-setup' })
  const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
  const services = ['external-tokens', 'lending', 'trading'] as const
  const request = { name, chainId: chain.chainId, environment: 'DEVELOPMENT' as const, services: [...services] }
  const tenant = await operator.createInstance(request)
  await database.close()
  return tenant
}

/** Tokens, and a book with customers and orders. */
async function furnish({ tokens }: BenchWorld, product: string, { apiKey }: Tenant): Promise<void> {
  const headers = { 'x-api-key': apiKey }
  const post = <T>(path: string, body: object) => call<T>(`${product}${path}`, { headers, body })
  for (const tokenAddress of tokens.slice(0, TOKENS))
    await post('/external-tokens/api/import', { tokenAddress, assetType: 'BOND' })
  const [base, quote] = [0, 1].map(() => `0x${randomBytes(20).toString('hex')}`)
  for (const tokenAddress of [base, quote]) await post(`${OFFCHAIN}/ledger/tokens`, { tokenAddress, symbol: 'TKN' })
  const book = { tokenAddress: base, quoteTokenAddress: quote, name: 'n', symbol: 's' }
  const { data } = await post<{ data: { id: string } }>(`${OFFCHAIN}/order-books`, book)
  for (const customerRef of CUSTOMERS)
    for (const tokenAddress of [base, quote])
      await post(`${OFFCHAIN}/ledger/credit`, { customerRef, tokenAddress, amount: '9000000000000000' })
  for (let turn = 0; turn < ORDERS; turn += 1)
    await post(`${OFFCHAIN}/orders`, {
      orderBookId: data.id,
      customerRef: CUSTOMERS[turn % 2],
      side: turn % 2 === 0 ? 'BUY' : 'SELL',
      ...{ orderType: 'LIMIT', price: turn % 3 === 0 ? '90000000' : '100000000', quantity: '1000000' },
    })
}

/** A market, a hook on it and a relayer: what the jobs of a worker look after, with nothing to do for any of them. */
async function giveMarket(world: BenchWorld, product: string, tenant: Tenant): Promise<Address> {
  const marketId = await createLendingMarket({ ...world, lender: tenant }, product)
  const headers = { 'x-api-key': tenant.apiKey }
  const { data } = await call<{ data: { marketAddress: Address } }>(`${product}${marketsPath}/${marketId}`, {
    method: 'GET',
    headers,
  })
  await fill(world, world.databaseUrl, async (sql) => {
    await sql`
      insert into hooks (instance_id, hook_id, market_id, name, kind, url, secret, active, armed_at, armed_block, created_at, updated_at)
      values (${tenant.instanceId}, ${randomUUID()}, ${marketId}, 'seizures', 'LOAN_SEIZED', 'https://hooks.example/', 'secret', true, now(), 0, now(), now())`
    await sql`
      insert into relayers (instance_id, chain_id, address, remote_url, created_at, updated_at)
      values (${tenant.instanceId}, ${world.chain.chainId}, ${`0x${randomBytes(20).toString('hex')}`}, 'http://127.0.0.1:9/', now(), now())`
  })
  return data.marketAddress.toLowerCase() as Address
}

async function measureRequests(
  report: Report,
  urls: { readonly few: string; readonly many: string },
  { tenant, token, rounds, seconds, tenants }: Effort & { tenant: Tenant; token: Address },
): Promise<void> {
  const headers = { 'x-api-key': tenant.apiKey, 'content-type': 'application/json' }
  const next = () => `bench-${randomUUID()}`
  const kinds: Record<string, (url: string) => Load> = {
    'list of tokens': (url) => ({ url: `${url}/external-tokens/api/list`, headers }),
    'list of orders': (url) => ({ url: `${url}${OFFCHAIN}/customers/anna/orders`, headers }),
    'a write with a key': (url) => ({
      url: `${url}/external-tokens/api/${token}/image`,
      method: 'PUT',
      headers,
      body: JSON.stringify({ imageURI: 'https://a.example/i.png' }),
      uniqueHeader: { name: 'idempotency-key', next },
    }),
  }
  for (const [label, loadOf] of Object.entries(kinds)) {
    const load = (url: string) => ({ ...loadOf(url), connections: CONNECTIONS })
    const read = await interleave({ many: load(urls.many), few: load(urls.few) }, rounds, seconds)
    const sizes = `${tenants} / ${FEW} tenants`
    report.slowness(`${label}, p50, ${sizes}`, read.many, read.few, BARS.p50)
    report.slowestOfHundred(`${label}, p99, ${sizes}`, read.many, read.few, BARS.p99)
  }
}

/** A pass that takes longer than the time to the next one falls behind for ever. */
function reportJobs(report: Report, few: readonly JobPass[], many: readonly JobPass[], tenants: number): void {
  many.forEach(({ job, ms, everyMs }, index) => {
    const share = ms / everyMs
    const raw = `${ms.toFixed(0)} ms of every ${everyMs / 1000} s, ${few[index]?.ms.toFixed(0)} ms with ${FEW}`
    report.row(`a pass of ${job}, ${tenants} tenants, of its time`, share, '<= 1.00', share <= 1, raw)
  })
}

interface Effort {
  readonly rounds: number
  readonly seconds: number
  readonly tenants: number
}

/** What a tenant notices of ten thousand others that do nothing, and what they cost a worker. */
export async function measureTenants(report: Report, effort: Effort): Promise<void> {
  const { tenants } = effort
  const world = await createBenchWorld()
  const stops: (() => unknown)[] = [world.stop]
  try {
    const setup = await startServers(world)
    stops.unshift(setup.stop)
    const [measured, pattern] = [await createTenant(world, 'measured'), await createTenant(world, 'pattern')]
    for (const tenant of [measured, pattern]) await furnish(world, setup.product, tenant)
    const market = await giveMarket(world, setup.product, pattern)
    setup.stop()

    const begun = performance.now()
    const manyUrl = await copyDatabase(world, 'bench_many')
    let rows = 0
    for (const [url, count] of [
      [world.databaseUrl, FEW],
      [manyUrl, tenants],
    ] as const) {
      // Two are there already.
      const copy = { instanceId: pattern.instanceId, market, from: 1, to: Math.max(1, count - 2) }
      rows = await fill(world, url, (sql) => copyTenant(sql, copy))
    }
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    process.stdout.write(`        ${tenants} tenants with ${rows} rows each: ${seconds} s to fill\n`)
    const few = await startServers(world)
    const many = await startServers({ ...world, databaseUrl: manyUrl })
    stops.unshift(few.stop, many.stop)
    const [token = '0x'] = world.tokens
    const urls = { few: few.product, many: many.product }
    await measureRequests(report, urls, { ...effort, tenant: measured, token })
    for (const { stop } of [few, many]) stop()
    reportJobs(report, await timeJobs(world), await timeJobs({ ...world, databaseUrl: manyUrl }), tenants)
  } finally {
    for (const stop of stops) await stop()
  }
}
