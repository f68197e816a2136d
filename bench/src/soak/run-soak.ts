import { setTimeout as sleep } from 'node:timers/promises'
import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { connectChain, deploy, seededRandom } from '@tallystick/testkit'
import postgres from 'postgres'
import { createOperatorService } from '../../../apps/server/src/access/index.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'
import { auditRows, replay } from './audit.ts'
import { type Client, startClient } from './client.ts'
import { type Deployment, type Part, startDeployment } from './deployment.ts'
import { followerFault } from './follower-check.ts'
import { createInstanceModel, createViolations, type InstanceModel, type Violations } from './ledger.ts'

export interface SoakOptions {
  readonly trials: number
  /** Kills of the database, the chain and the worker, spread over the run. */
  readonly otherKills: number
  readonly seed: number
  readonly clients?: number
  /** Writes are compared and replayed after this many trials, and at the end. */
  readonly auditEvery?: number
  readonly onProgress?: (line: string) => void
}

export interface SoakFigures {
  readonly trials: number
  readonly otherKills: Record<Part, number>
  readonly acknowledged: number
  /** Requests that were sent for them, repeats included. */
  readonly attempts: number
  readonly replays: number
  readonly seconds: number
  readonly violations: Violations
}

const TOKENS = 6
/** The chain writes its state down about once a second: tokens must be safe before it is killed. */
const CHAIN_DUMP_MS = 3_000

async function prepare(deployment: Deployment, clients: number): Promise<InstanceModel[]> {
  const chain = connectChain(deployment.rpcUrl)
  const owner = chain.accounts[0]?.address
  const tokens: string[] = []
  for (let index = 1; index <= TOKENS; index++) {
    const args = [`Soak ${index}`, `SOAK${index}`, 6, owner]
    tokens.push((await deploy(chain, { abi: demoCashAbi, bytecode: demoCashBytecode, args })).toLowerCase())
  }
  const database = createDatabase({ url: deployment.databaseUrl, poolSize: 1, applicationName: 'tally-soak' })
  const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
  const models: InstanceModel[] = []
  for (let index = 1; index <= clients; index++) {
    const request = { name: `soak ${index}`, chainId: chain.chainId, environment: 'DEVELOPMENT' } as const
    models.push(
      createInstanceModel(await operator.createInstance({ ...request, services: ['external-tokens'] }), tokens),
    )
  }
  await database.close()
  await sleep(CHAIN_DUMP_MS)
  return models
}

/** Kills parts of a deployment over and over while clients write, and compares what they were told with what is there. */
export async function runSoak(options: SoakOptions): Promise<SoakFigures> {
  const { trials, otherKills, seed, clients: clientCount = 4, auditEvery = 100, onProgress = () => {} } = options
  const begun = Date.now()
  const random = seededRandom(seed)
  const violations = createViolations()
  const killed: Record<Part, number> = { postgres: 0, chain: 0, worker: 0 }
  const deployment = await startDeployment()
  const sql = postgres(deployment.superuserUrl, { max: 1, onnotice: () => undefined, fetch_types: false })
  let clients: Client[] = []
  let replays = 0
  try {
    const models = await prepare(deployment, clientCount)
    clients = models.map((model, index) =>
      startClient({
        name: `c${index}`,
        model,
        apiUrls: deployment.apiUrls,
        random: seededRandom(seed + index + 1),
        violations,
      }),
    )
    const replayed = new Map(models.map((model) => [model, 0]))

    async function audit(everything: boolean): Promise<void> {
      await Promise.all(clients.map((client) => client.pause()))
      for (const model of models) {
        await auditRows(sql, model, violations)
        const from = everything ? 0 : (replayed.get(model) ?? 0)
        replays += await replay(model.acknowledged.slice(from), deployment.apiUrls, random, violations)
        replayed.set(model, model.acknowledged.length)
        // Replaying must not have changed anything.
        await auditRows(sql, model, violations)
      }
      const fault = await followerFault(sql, deployment.rpcUrl)
      if (fault) violations.other.push(fault)
      for (const client of clients) client.resume()
    }

    const parts: readonly Part[] = ['postgres', 'chain', 'worker']
    let othersDone = 0
    for (let trial = 1; trial <= trials; trial++) {
      await sleep(random.integer(0, 200))
      await deployment.killAndRestartApi(random.chance(0.5) ? 0 : 1)
      if ((othersDone + 1) * trials <= trial * otherKills) {
        const part = parts[othersDone++ % parts.length] ?? 'worker'
        await sleep(random.integer(0, 100))
        await deployment.killAndRestart(part)
        killed[part] += 1
      }
      if (trial % auditEvery === 0 && trial < trials) {
        await audit(false)
        onProgress(`${trial} trials, ${Math.round((Date.now() - begun) / 1000)} s`)
      }
    }
    await audit(true)
    for (const death of deployment.ownDeaths) violations.other.push(death)
    const acknowledged = models.reduce((sum, model) => sum + model.acknowledged.length, 0)
    const attempts = clients.reduce((sum, client) => sum + client.attempts(), 0)
    const seconds = (Date.now() - begun) / 1000
    return { trials, otherKills: killed, acknowledged, attempts, replays, seconds, violations }
  } finally {
    await Promise.all(clients.map((client) => client.stop()))
    await sql.end({ timeout: 5 })
    await deployment.stop()
  }
}
