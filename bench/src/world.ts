import { fileURLToPath } from 'node:url'
import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { createTestCluster, deploy, deployLendingSuite, startTestChain } from '@tallystick/testkit'
import type { Address } from 'viem'
import { createOperatorService } from '../../apps/server/src/access/index.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../apps/server/src/platform/db/database.ts'
import { migrate } from '../../apps/server/src/platform/db/migrate.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { startServing } from './serving-script.ts'

const TOKENS = 20

/** A database and a chain with what the measured routes read, and two instances: one lists tokens, the other has a market. */
export async function createBenchWorld() {
  const cluster = await createTestCluster()
  await cluster.createTemplate('bench', async (url) => {
    await migrate(url)
  })
  const { url: databaseUrl } = await cluster.cloneDatabase('bench')
  const chain = await startTestChain()
  const { chainId } = chain
  const { factory } = await deployLendingSuite(chain)

  const database = createDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'tally-bench-setup' })
  const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
  const instanceOf = { chainId, environment: 'DEVELOPMENT' as const }
  const holder = await operator.createInstance({ ...instanceOf, name: 'tokens', services: ['external-tokens'] })
  const request = { name: 'limited', scopes: ['tokens:read'] as const, rateLimitPerMinute: 1_000_000 }
  const limited = await operator.createKey(holder.instanceId, request)
  const lender = await operator.createInstance({
    ...instanceOf,
    name: 'lending',
    services: ['external-tokens', 'lending'],
  })
  await database.as('tally_operator', async (sql) => {
    await sql`
      insert into deployed_contracts (chain_id, name, address, recorded_at)
      values (${chainId}, 'LendingFactory', ${factory}, now())`
  })
  await database.close()

  const owner = chain.accounts[0]?.address
  const tokens: Address[] = []
  for (let index = 0; index < TOKENS; index += 1) {
    const args = [`Token ${index}`, `T${index}`, 6, owner]
    tokens.push(await deploy(chain, { abi: demoCashAbi, bytecode: demoCashBytecode, args }))
  }
  const stop = async () => {
    await Promise.all([cluster.stop(), chain.stop()])
  }
  return {
    databaseUrl,
    superuserUrl: cluster.superuserUrl,
    chain,
    factory,
    holder,
    limitedKey: limited.apiKey,
    lender,
    tokens,
    stop,
  }
}

export type BenchWorld = Awaited<ReturnType<typeof createBenchWorld>>

/** The product and its rivals, in a process of their own. */
export async function startServers({ databaseUrl, chain, holder, tokens }: BenchWorld) {
  const script = fileURLToPath(new URL('./servers.ts', import.meta.url))
  const args = [databaseUrl, chain.url, holder.instanceId, tokens[0] ?? '']
  const { ports, stop } = await startServing<{ product: number; bare: number }>(['--import', 'tsx', script, ...args])
  const at = (port: number) => `http://127.0.0.1:${port}`
  return { product: at(ports.product), bare: at(ports.bare), stop }
}

/** Where the two listen. */
export interface Addresses {
  readonly product: string
  readonly bare: string
}
