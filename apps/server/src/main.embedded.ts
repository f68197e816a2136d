import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isPortFree, PortInUseError } from '@tallystick/embedded'
import { startApi } from './api.ts'
import { seedDemo, welcome } from './demo/index.ts'
import { startEmbeddedStack } from './embedded-stack.ts'
import { systemClock } from './platform/clock.ts'
import { parseConfig } from './platform/config.ts'
import { migrate } from './platform/db/migrate.ts'
import { createLog } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { systemRandom } from './platform/random.ts'
import { runMain, type Stoppable } from './run-main.ts'
import { startWorker } from './worker.ts'

/** With both URLs set nothing is embedded and nothing is seeded: API and worker in one process. */
async function startExternal(
  config: ReturnType<typeof parseConfig>,
  external: NonNullable<ReturnType<typeof parseConfig>['external']>,
): Promise<Stoppable> {
  const log = createLog({ level: config.LOG_LEVEL })
  const metrics = createMetrics()
  await migrate(external.databaseUrl)
  const api = await startApi(config, external, log, metrics)
  const worker = await startWorker(config, external, log, { metrics })
  log.info({ url: api.url }, 'serving HTTP and following chains')
  return {
    async stop() {
      await api.stop()
      await worker.stop()
    },
  }
}

async function startEverything(): Promise<Stoppable> {
  const parsed = parseConfig(process.env)
  if (parsed.external) return startExternal(parsed, parsed.external)
  const config = { ...parsed, DATA_DIR: resolve(parsed.DATA_DIR) }
  if (config.PORT !== 0 && !(await isPortFree(config.PORT)))
    throw new PortInUseError(config.PORT, 'Tallystick (choose another with PORT=<number>)')
  if (process.argv.includes('--fresh')) rmSync(config.DATA_DIR, { recursive: true, force: true })
  mkdirSync(config.DATA_DIR, { recursive: true })
  const log = createLog({
    level: config.LOG_LEVEL,
    destination: createWriteStream(join(config.DATA_DIR, 'tallystick.log'), { flags: 'a' }),
  })

  const started: Stoppable[] = []
  const stop = async () => {
    for (const part of started.reverse()) await part.stop()
    log.info('stopped')
  }
  try {
    const stack = await startEmbeddedStack(config, { clock: systemClock, random: systemRandom })
    started.push(stack)
    await migrate(stack.endpoints.databaseUrl)
    const metrics = createMetrics()
    const api = await startApi(config, stack.endpoints, log, metrics)
    started.push(api)
    started.push(await startWorker(config, stack.endpoints, log, { metrics, mayStartOver: true }))
    const demo = await seedDemo({
      config,
      databaseUrl: stack.endpoints.databaseUrl,
      baseUrl: api.url,
      rpcUrl: stack.rpcUrl,
      clock: systemClock,
      random: systemRandom,
    })
    process.stdout.write(welcome(demo, { dataDir: config.DATA_DIR }))
    void stack.broken.then(async (part) => {
      process.stderr.write(`tallystick: ${part} ended unexpectedly. Run npm start again; your data is kept.\n`)
      await stop().catch(() => {})
      process.exit(1)
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

await runMain(startEverything)
