import { startOps } from './ops.ts'
import { ConfigError, parseConfig } from './platform/config.ts'
import { createLog } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { startTelemetry } from './platform/telemetry.ts'
import { runMain } from './run-main.ts'
import { startWorker } from './worker.ts'

await runMain(async () => {
  const config = parseConfig(process.env)
  if (!config.external)
    throw new ConfigError('This process needs DATABASE_URL and RPC_URL. For everything embedded, run npm start.')
  const log = createLog({ level: config.LOG_LEVEL })
  const telemetry = await startTelemetry(process.env, 'worker')
  const metrics = createMetrics()
  const worker = await startWorker(config, config.external, log, { metrics })
  const face = { process: 'worker', metrics, readiness: worker.readiness } as const
  const ops = await startOps(config, face, log).catch(async (error: unknown) => {
    await worker.stop()
    throw error
  })
  log.info('following chains')
  return {
    async stop() {
      await worker.stop()
      await ops?.stop()
      await telemetry.stop()
    },
  }
})
