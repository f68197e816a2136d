import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '@tallystick/embedded'
import { createTestCluster, seededRandom, startTestChain } from '@tallystick/testkit'
import { createOperatorService } from '../../../apps/server/src/access/index.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { migrate } from '../../../apps/server/src/platform/db/migrate.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'
import { bundledFile } from '../../../apps/server/test/process/programs.ts'
import type { Sample } from '../measure.ts'
import { fireOrders } from './load.ts'
import { DURABLE, OFFCHAIN, SERVER_FLAGS } from './market.ts'

const LEDGERS = 16
const CUSTOMERS = ['anna', 'bert', 'carl', 'dora']
const CONNECTIONS = 64
const random = seededRandom(5)

interface Ledger {
  readonly apiKey: string
  readonly orderBookId: string
}

/** The same load on one server, and spread over two that share a database. */
export async function measureReplicas(rounds: number, seconds: number): Promise<{ one: Sample[]; two: Sample[] }> {
  const cluster = await createTestCluster(DURABLE)
  await cluster.createTemplate('bench', async (url) => {
    await migrate(url)
  })
  const { url: databaseUrl } = await cluster.cloneDatabase('bench')
  const chain = await startTestChain()
  const database = createDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'tally-bench-setup' })
  const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
  const children: ChildProcess[] = []

  async function startReplica(secret?: string): Promise<string> {
    const port = String(await freePort())
    const script = await bundledFile(fileURLToPath(new URL('./order-replica.ts', import.meta.url)), 'order-replica')
    const args = [...SERVER_FLAGS, script, databaseUrl, chain.url, port, ...(secret ? [secret] : [])]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    await once(child.stdout, 'data')
    return `http://127.0.0.1:${port}`
  }

  async function openLedger(url: string): Promise<Ledger> {
    const { apiKey } = await operator.createInstance({
      name: 'ledger',
      chainId: chain.chainId,
      environment: 'DEVELOPMENT',
      services: ['trading'],
    })
    const call = async (path: string, body: object) => {
      const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
      const response = await fetch(`${url}${OFFCHAIN}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!response.ok) throw new Error(await response.text())
      return ((await response.json()) as { data: { id: string } }).data
    }
    const [base, quote] = [0, 1].map(() => `0x${randomBytes(20).toString('hex')}`)
    for (const tokenAddress of [base, quote]) await call('/ledger/tokens', { tokenAddress, symbol: 'TKN' })
    const book = { tokenAddress: base, quoteTokenAddress: quote, name: 'n', symbol: 's' }
    const { id: orderBookId } = await call('/order-books', book)
    for (const customerRef of CUSTOMERS)
      for (const tokenAddress of [base, quote])
        await call('/ledger/credit', { customerRef, tokenAddress, amount: '9000000000000000000' })
    return { apiKey, orderBookId }
  }

  const openLedgers = async (url: string): Promise<Ledger[]> => {
    const opened: Ledger[] = []
    while (opened.length < LEDGERS) opened.push(await openLedger(url))
    return opened
  }

  /** Any ledger, any server: nobody in front knows who has which. */
  async function fire(urls: readonly string[], ledgers: readonly Ledger[]): Promise<Sample> {
    let turn = 0
    const next = () => {
      const { apiKey, orderBookId } = random.pick(ledgers)
      turn += 1
      const side = turn % 2 === 0 ? 'BUY' : 'SELL'
      const order = {
        customerRef: random.pick(CUSTOMERS),
        side,
        orderType: 'LIMIT',
        price: '100000000',
        quantity: '1000000',
      }
      return { headers: { 'x-api-key': apiKey }, body: JSON.stringify({ orderBookId, ...order }) }
    }
    const samples = await Promise.all(
      urls.map((url) =>
        fireOrders(
          { url: `${url}${OFFCHAIN}/orders`, headers: {}, body: () => '', next, orders: 1 },
          seconds,
          CONNECTIONS / urls.length,
        ),
      ),
    )
    return {
      answers: samples.reduce((sum, { answers }) => sum + answers, 0),
      perSecond: samples.reduce((sum, { perSecond }) => sum + perSecond, 0),
      p50Ms: Math.max(...samples.map(({ p50Ms }) => p50Ms)),
      p99Ms: Math.max(...samples.map(({ p99Ms }) => p99Ms)),
    }
  }

  try {
    const secret = randomBytes(32).toString('hex')
    const alone = await startReplica()
    const both = [await startReplica(secret), await startReplica(secret)]
    // Each has ledgers of its own, so that neither has to take one from the other.
    const [ofOne, ofTwo] = [await openLedgers(alone), await openLedgers(both[0] ?? alone)]
    const samples = { one: [] as Sample[], two: [] as Sample[] }
    for (let round = 0; round <= rounds; round += 1) {
      const [one, two] = [await fire([alone], ofOne), await fire(both, ofTwo)]
      // The first round only warms up.
      if (round === 0) continue
      samples.one.push(one)
      samples.two.push(two)
    }
    return samples
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await database.close()
    await Promise.all([cluster.stop(), chain.stop()])
  }
}
