import { createWriteStream, mkdirSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isPortFree, PortInUseError } from '@tallystick/embedded'
import { createLog, migrate, parseConfig, systemClock, systemRandom } from '@tallystick/server/platform'
import {
  createMetrics,
  runMain,
  type Stoppable,
  startApi,
  startApiAndWorker,
  startOps,
  startTelemetry,
  startWorker,
} from '@tallystick/server/processes'
import { deleteStack, demoFile, startEmbeddedStack } from '@tallystick/server/stack'
import { createDemoRoles } from './demo-roles.ts'
import { chainBeginsAt } from './demo-time.ts'
import { createMarketKeeper } from './markets/index.ts'
import { seedDemo } from './seed-demo.ts'
import { createStages } from './stages.ts'
import { readStartOptions, type StartOptions } from './start-options.ts'
import { createStocksKeeper } from './stocks/index.ts'
import { createTradingBots, createTradingKeeper } from './trading/index.ts'
import { createTravellingClock } from './travelling-clock.ts'
import { welcome } from './welcome.ts'

/** Where Prometheus exporters are looked for. */
const OPS_PORT_OF_DEMO = 9464

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

/**
 * Of one process that has everything to itself. Who waits for it is on the same machine, and nobody could take over from it: a machine that
 * is busy for some seconds shall not cost it its place.
 */
const PATIENT = {
  DATABASE_STATEMENT_TIMEOUT_MS: '60000',
  DATABASE_LOCK_TIMEOUT_MS: '30000',
  VENUE_TIMEOUT_MS: '30000',
  RPC_TIMEOUT_MS: '30000',
}

async function startEverything(options: StartOptions, abandoned: AbortSignal): Promise<Stoppable> {
  const parsed = parseConfig(process.env)
  // Nothing is embedded and nothing is seeded then.
  if (parsed.external) return startApiAndWorker(parsed, parsed.external, process.env)
  const config = { ...parseConfig({ ...PATIENT, ...process.env }), DATA_DIR: resolve(parsed.DATA_DIR) }
  if (config.PORT !== 0 && !(await isPortFree(config.PORT)))
    throw new PortInUseError(config.PORT, 'Tallystick (choose another with PORT=<number>)')
  mkdirSync(config.DATA_DIR, { recursive: true })
  if (options.fresh) await deleteStack(config.DATA_DIR)
  const logFile = join(config.DATA_DIR, 'tallystick.log')
  const log = createLog({
    level: config.LOG_LEVEL,
    // Opened here and not by the stream, so that a folder without write permission is a failed start and not an uncaught error.
    destination: createWriteStream(logFile, { fd: openSync(logFile, 'a') }),
  })

  const stages = createStages({
    write: (text) => process.stdout.write(text),
    seconds: () => process.uptime(),
    isTerminal: process.stdout.isTTY === true,
  })
  const parts = createParts()
  const ended = new Promise<never>((_, reject) => {
    abandoned.addEventListener('abort', () => reject(abandoned.reason))
  })
  // Only looked at while starting.
  ended.catch(() => {})
  try {
    stages.doing('database')
    stages.doing('chain')
    const onStarted = (part: 'database' | 'chain', where: string) =>
      stages.done(part, part === 'chain' ? `${where}, a node of its own` : `PostgreSQL, files in ${where}`)
    const tools = { clock: systemClock, random: systemRandom, onStarted }
    const stack = parts.add(await startEmbeddedStack(config, tools, chainBeginsAt(systemClock)))
    abandoned.throwIfAborted()
    stages.doing('schema')
    stages.done('schema', `version ${await migrate(stack.endpoints.databaseUrl)}`)
    stages.doing('server')
    parts.add(await startTelemetry(process.env, 'demo'))
    const metrics = createMetrics()
    const roles = createDemoRoles(demoFile(config.DATA_DIR), stack.rpcUrl)
    const tradingClock = createTravellingClock(systemClock)
    const apiConfig = { ...config, SHUTDOWN_DELAY_MS: 0 }
    const api = parts.add(await startApi(apiConfig, stack.endpoints, log, metrics, roles, tradingClock))
    const worker = parts.add(await startWorker(config, stack.endpoints, log, { metrics, mayStartOver: true }))
    const opsPort = config.OPS_PORT ?? ((await isPortFree(OPS_PORT_OF_DEMO)) ? OPS_PORT_OF_DEMO : 0)
    const face = { process: 'both', metrics, readiness: worker.readiness } as const
    const ops = await startOps({ ...config, OPS_PORT: opsPort }, face, log)
    if (ops) parts.add(ops)
    abandoned.throwIfAborted()
    stages.done('server', `${api.url} answers, the worker follows the chain`)
    const seeding = seedDemo({
      config,
      databaseUrl: stack.endpoints.databaseUrl,
      baseUrl: api.url,
      rpcUrl: stack.rpcUrl,
      clock: systemClock,
      tradingClock,
      random: systemRandom,
      stages,
    })
    // Giving up half-way is fine: the next start does what is missing.
    const demo = await Promise.race([seeding, ended])
    const acting = { world: demo, file: demoFile(config.DATA_DIR), log, clock: systemClock, random: systemRandom }
    const keepers = [createMarketKeeper(acting), createTradingKeeper(acting), createStocksKeeper(acting)]
    for (const keeper of keepers) parts.add(keeper)
    stages.doing('keepers')
    await Promise.race([Promise.all(keepers.map((keeper) => keeper.catchUp())), ended])
    stages.done('keepers', 'prices are fresh, an auction and a request for quote are open')
    for (const keeper of keepers) keeper.start()
    if (options.bots) await parts.add(createTradingBots(acting)).start()
    process.stdout.write(welcome(demo, { opsUrl: ops?.url, dataDir: config.DATA_DIR, seconds: process.uptime() }))
    void stack.broken.then(async (part) => {
      process.stderr.write(`tallystick: ${part} ended unexpectedly. Run npm start again; your data is kept.\n`)
      await parts.stop().catch(() => {})
      process.exit(1)
    })
  } catch (error) {
    stages.end()
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

const options = readStartOptions(process.argv.slice(2))
if ('says' in options) {
  const shown = options.exitCode === 0 ? process.stdout : process.stderr
  shown.write(options.says)
  process.exitCode = options.exitCode
} else await runMain((abandoned) => startEverything(options, abandoned))
