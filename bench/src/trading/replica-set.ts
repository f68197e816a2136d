import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '@tallystick/embedded'
import { startTestChain } from '@tallystick/testkit'
import postgres from 'postgres'
import { createOperatorService } from '../../../apps/server/src/access/index.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { migrate } from '../../../apps/server/src/platform/db/migrate.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'
import { bundledFile } from '../../../apps/server/test/process/programs.ts'
import { createDurableCluster } from './durable-cluster.ts'
import { OFFCHAIN, SERVER_FLAGS } from './market.ts'

export const CUSTOMERS = ['anna', 'bert', 'carl', 'dora']

export interface Ledger {
  readonly apiKey: string
  readonly orderBookId: string
}

export interface Replica {
  readonly url: string
  readonly process: ChildProcess
}

/** A database and a chain, and as many API servers on them as are started, bundled as they are shipped. */
export async function createReplicaSet() {
  const cluster = await createDurableCluster()
  await cluster.createTemplate('bench', async (url) => {
    await migrate(url)
  })
  const { url: databaseUrl } = await cluster.cloneDatabase('bench')
  const chain = await startTestChain()
  const database = createDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'tally-bench-setup' })
  const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
  const superuserUrl = Object.assign(new URL(cluster.superuserUrl), { pathname: new URL(databaseUrl).pathname })
  const superuser = postgres(superuserUrl.toString(), { max: 1, onnotice: () => {} })
  const replicas: Replica[] = []

  /** With a secret it passes orders on to others that have the same; all of them, where an order server is named. */
  async function startReplica(secret?: string, orderServer?: string): Promise<Replica> {
    const port = String(await freePort())
    const script = await bundledFile(fileURLToPath(new URL('./order-replica.ts', import.meta.url)), 'order-replica')
    const given = [secret, orderServer].filter((text) => text !== undefined)
    const args = [...SERVER_FLAGS, script, databaseUrl, chain.url, port, ...given]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const replica = { url: `http://127.0.0.1:${port}`, process: child }
    replicas.push(replica)
    await once(child.stdout, 'data')
    return replica
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

  return {
    superuser,
    startReplica,
    openLedger,
    async stop() {
      for (const { process: child } of replicas) child.kill('SIGKILL')
      await superuser.end()
      await database.close()
      await Promise.all([cluster.stop(), chain.stop()])
    },
  }
}
