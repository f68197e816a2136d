import { setTimeout as sleep } from 'node:timers/promises'
import { demoCashAbi } from '@tallystick/abi'
import { type ChainClients, connectChain, deployLendingSuite, send, wallet } from '@tallystick/testkit'
import type { Sql } from 'postgres'
import type { Address, Hash } from 'viem'
import { createOperatorService } from '../../../apps/server/src/access/index.ts'
import { abis } from '../../../apps/server/src/lending/contracts.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'
import { createLendingMarket, marketsPath } from '../lending-market.ts'
import type { Cluster } from './start-cluster.ts'

const owner = wallet(0)
const POSITIONS = '/lending-external-securities/api/positions'
const DEPOSIT = 1_000_000n
const PLENTY = 10n ** 15n
const FIRST_DEPOSIT = 10n ** 9n
const PACE_MS = 400
const REQUEST_TIMEOUT_MS = 15_000
/** Longer than a node is ever gone here. */
const GIVE_UP_MS = 420_000
/** How long the follower may take to see what a chain has undone. */
const UNDONE_MS = 20_000

export interface Confirms {
  /** Deposits that the service called proven. */
  readonly confirmed: ReadonlySet<Hash>
  readonly faults: string[]
  /** One deposit on the chain, confirmed. */
  depositOnce(): Promise<Hash>
  /** What the API says that the pool holds of the depositor, now. */
  shares(): Promise<string>
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

/** A market with a pool that one wallet pays into. */
async function prepareMarket(cluster: Cluster, chain: ChainClients) {
  const { factory } = await deployLendingSuite(chain)
  const database = createDatabase({ url: cluster.urls.primary, poolSize: 1, applicationName: 'tally-confirms' })
  const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
  const request = { name: 'confirms', chainId: chain.chainId, environment: 'DEVELOPMENT' } as const
  const lender = await operator.createInstance({ ...request, services: ['external-tokens', 'lending'] })
  await database.as('tally_operator', async (sql) => {
    await sql`
      insert into deployed_contracts (chain_id, name, address, recorded_at)
      values (${chain.chainId}, 'LendingFactory', ${factory}, now())`
  })
  await database.close()
  const world = { databaseUrl: cluster.urls.primary, chain, factory, lender }
  const marketId = await createLendingMarket(world, cluster.urls.api)
  const answer = await fetch(`${cluster.urls.api}${marketsPath}/${marketId}`, {
    headers: { 'x-api-key': lender.apiKey },
  })
  const { data } = (await answer.json()) as { data: { marketAddress: Address } }
  const { asset } = await chain.publicClient.readContract({
    address: data.marketAddress,
    abi: abis.market,
    functionName: 'parts',
  })
  const cash = (functionName: string, args: readonly unknown[]) =>
    send(chain, { address: asset, abi: demoCashAbi, functionName, args, account: owner })
  await cash('mint', [owner.address, PLENTY])
  await cash('approve', [data.marketAddress, PLENTY])
  return { marketId, market: data.marketAddress, apiKey: lender.apiKey }
}

/** Pays into a pool, reports each payment until the service calls it proven, and goes on. */
export async function startConfirms(cluster: Cluster): Promise<Confirms> {
  const chain = connectChain(cluster.chain.url)
  const { marketId, market, apiKey } = await prepareMarket(cluster, chain)
  const confirmed = new Set<Hash>()
  const faults: string[] = []
  let isStopped = false
  let paused: { resolve(): void } | undefined
  const ask = (path: string, request: RequestInit = {}) =>
    fetch(`${cluster.urls.api}${POSITIONS}/${marketId}${path}`, {
      ...request,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })

  const deposit = async (amount: bigint): Promise<Hash> => {
    const call = { address: market, abi: abis.market, functionName: 'addLiquidity', args: [amount], account: owner }
    const { transactionHash } = await send(chain, call)
    return transactionHash
  }

  async function confirm(txHash: Hash): Promise<void> {
    for (const deadline = Date.now() + GIVE_UP_MS; ; await sleep(100)) {
      const answer = await ask('/add-liquidity', { method: 'POST', body: JSON.stringify({ txHash }) }).catch(
        () => undefined,
      )
      const text = await answer?.text().catch(() => undefined)
      if (answer?.status === 200) return void confirmed.add(txHash)
      const isPassing = answer === undefined || answer.status >= 500 || text?.includes('TX_NOT_FOUND')
      if (!isPassing) throw new Error(`the deposit ${txHash} was refused: ${text}`)
      if (Date.now() > deadline) throw new Error(`the deposit ${txHash} was never confirmed: ${text}`)
    }
  }

  async function depositOnce(): Promise<Hash> {
    const txHash = await deposit(DEPOSIT)
    await confirm(txHash)
    return txHash
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      if (paused) {
        paused.resolve()
        await sleep(10)
        continue
      }
      await depositOnce().catch((error: unknown) => faults.push((error as Error).message))
      await sleep(PACE_MS)
    }
  }

  await confirm(await deposit(FIRST_DEPOSIT))
  const running = run()
  return {
    confirmed,
    faults,
    depositOnce,
    async shares() {
      const answer = await ask(`/provider-balance/${owner.address}`)
      const { data } = (await answer.json()) as { data: { shares: string } }
      return data.shares
    },
    pause: () =>
      new Promise((resolve) => {
        paused = { resolve }
      }),
    resume() {
      paused = undefined
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

/** What was called proven stands on the chain and in the record alike; what the chain has undone stands in neither. Answers what is wrong. */
export async function auditConfirms(sql: Sql, rpcUrl: string, confirmed: ReadonlySet<Hash>): Promise<string[]> {
  const { publicClient } = connectChain(rpcUrl)
  const blocks = new Map<Hash, string | undefined>()
  for (const hash of confirmed)
    blocks.set(
      hash,
      await publicClient.getTransactionReceipt({ hash }).then(
        ({ blockHash }) => blockHash,
        () => undefined,
      ),
    )
  async function wrong(): Promise<string[]> {
    const rows = await sql<{ hash: Hash; block: string }[]>`
      select distinct tx_hash as hash, block_hash as block from chain_live_facts
      where tx_hash in ${sql([...confirmed])} and operation = 'market.LiquidityAdded'`
    const live = new Map(rows.map(({ hash, block }) => [hash, block]))
    return [...blocks].flatMap(([hash, block]) => {
      if (live.get(hash) === block) return []
      if (block === undefined) return [`the deposit ${hash} is undone on the chain and stands in the record`]
      return [`the deposit ${hash} was confirmed and is lost`]
    })
  }
  for (const deadline = Date.now() + UNDONE_MS; ; await sleep(200)) {
    const found = await wrong()
    if (found.length === 0 || Date.now() > deadline) return found
  }
}
