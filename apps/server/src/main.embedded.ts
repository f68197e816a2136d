import { createWriteStream, mkdirSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isPortFree, PortInUseError } from '@tallystick/embedded'
import { startApi } from './api.ts'
import {
  createMarketKeeper,
  createTradingBots,
  createTradingKeeper,
  demoFile,
  seedDemo,
  welcome,
} from './demo/index.ts'
import { deleteStack, startEmbeddedStack } from './embedded-stack.ts'
import { startOps } from './ops.ts'
import { systemClock } from './platform/clock.ts'
import { parseConfig } from './platform/config.ts'
import { migrate } from './platform/db/migrate.ts'
import { createLog } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { systemRandom } from './platform/random.ts'
import { startTelemetry } from './platform/telemetry.ts'
import { runMain, type Stoppable } from './run-main.ts'
import { startWorker } from './worker.ts'

/** Where Prometheus exporters are looked for. */
const OPS_PORT_OF_DEMO = 9464

/** With both URLs set nothing is embedded and nothing is seeded: API and worker in one process. */
async function startExternal(
  config: ReturnType<typeof parseConfig>,
  external: NonNullable<ReturnType<typeof parseConfig>['external']>,
): Promise<Stoppable> {
  const log = createLog({ level: config.LOG_LEVEL })
  const telemetry = await startTelemetry(process.env, 'both')
  const metrics = createMetrics()
  await migrate(external.directUrl ?? external.databaseUrl)
  const api = await startApi(config, external, log, metrics)
  const worker = await startWorker(config, external, log, { metrics })
  const face = { process: 'both', metrics, readiness: worker.readiness } as const
  const ops = await startOps(config, face, log).catch(async (error: unknown) => {
    await api.stop()
    await worker.stop()
    throw error
  })
  log.info({ url: api.url }, 'serving HTTP and following chains')
  return {
    async stop() {
      await api.stop()
      await worker.stop()
      await ops?.stop()
      await telemetry.stop()
    },
  }
}

/** Stops the parts in the reverse order of their start, each one even when another could not be stopped. */
function createParts() {
  const started: Stoppable[] = []
  let stopped: Promise<void> | undefined

  async function stopAll(): Promise<void> {
    const failures: unknown[] = []
    for (const part of started.toReversed()) await part.stop().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  return {
    add<Part extends Stoppable>(part: Part): Part {
      started.push(part)
      return part
    },
    stop(): Promise<void> {
      stopped ??= stopAll()
      return stopped
    },
  }
}

async function startEverything(abandoned: AbortSignal): Promise<Stoppable> {
  const parsed = parseConfig(process.env)
  if (parsed.external) return startExternal(parsed, parsed.external)
  const config = { ...parsed, DATA_DIR: resolve(parsed.DATA_DIR) }
  if (config.PORT !== 0 && !(await isPortFree(config.PORT)))
    throw new PortInUseError(config.PORT, 'Tallystick (choose another with PORT=<number>)')
  mkdirSync(config.DATA_DIR, { recursive: true })
  if (process.argv.includes('--fresh')) await deleteStack(config.DATA_DIR)
  const logFile = join(config.DATA_DIR, 'tallystick.log')
  const log = createLog({
    level: config.LOG_LEVEL,
    // Opened here and not by the stream, so that a folder without write permission is a failed start and not an uncaught error.
    destination: createWriteStream(logFile, { fd: openSync(logFile, 'a') }),
  })

  const parts = createParts()
  const ended = new Promise<never>((_, reject) => {
    abandoned.addEventListener('abort', () => reject(abandoned.reason))
  })
  // Only looked at while starting.
  ended.catch(() => {})
  try {
    const stack = parts.add(await startEmbeddedStack(config, { clock: systemClock, random: systemRandom }))
    abandoned.throwIfAborted()
    await migrate(stack.endpoints.databaseUrl)
    parts.add(await startTelemetry(process.env, 'demo'))
    const metrics = createMetrics()
    const api = parts.add(await startApi({ ...config, SHUTDOWN_DELAY_MS: 0 }, stack.endpoints, log, metrics))
    const worker = parts.add(await startWorker(config, stack.endpoints, log, { metrics, mayStartOver: true }))
    const opsPort = config.OPS_PORT ?? ((await isPortFree(OPS_PORT_OF_DEMO)) ? OPS_PORT_OF_DEMO : 0)
    const face = { process: 'both', metrics, readiness: worker.readiness } as const
    const ops = await startOps({ ...config, OPS_PORT: opsPort }, face, log)
    if (ops) parts.add(ops)
    abandoned.throwIfAborted()
    const seeding = seedDemo({
      config,
      databaseUrl: stack.endpoints.databaseUrl,
      baseUrl: api.url,
      rpcUrl: stack.rpcUrl,
      clock: systemClock,
      random: systemRandom,
    })
    // Giving up half-way is fine: the next start does what is missing.
    const demo = await Promise.race([seeding, ended])
    const acting = { world: demo, file: demoFile(config.DATA_DIR), log, clock: systemClock, random: systemRandom }
    const keepers = [parts.add(createMarketKeeper(acting)), parts.add(createTradingKeeper(acting))]
    await Promise.race([Promise.all(keepers.map((keeper) => keeper.catchUp())), ended])
    for (const keeper of keepers) keeper.start()
    if (process.argv.includes('--bots')) await parts.add(createTradingBots(acting)).start()
    process.stdout.write(welcome(demo, { opsUrl: ops?.url, dataDir: config.DATA_DIR, seconds: process.uptime() }))
    void stack.broken.then(async (part) => {
      process.stderr.write(`tallystick: ${part} ended unexpectedly. Run npm start again; your data is kept.\n`)
      await parts.stop().catch(() => {})
      process.exit(1)
    })
  } catch (error) {
    await parts.stop()
    throw error
  }
  return {
    async stop() {
      await parts.stop()
      log.info('stopped')
    },
  }
}

await runMain(startEverything)
