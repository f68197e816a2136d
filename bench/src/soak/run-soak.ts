import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@tallystick/testkit'
import postgres from 'postgres'
import { auditRows, replay } from './audit.ts'
import { type Client, startClient } from './client.ts'
import { type Part, startDeployment } from './deployment.ts'
import { followerFault } from './follower-check.ts'
import { prepareInstances } from './instances.ts'
import { createViolations, type Violations } from './ledger.ts'

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
    const models = await prepareInstances(deployment, clientCount)
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
