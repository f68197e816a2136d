import { startApi } from './api.ts'
import type { Endpoints } from './connections.ts'
import { startOps } from './ops.ts'
import type { Config } from './platform/config.ts'
import { migrate } from './platform/db/migrate.ts'
import { createLog } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { startTelemetry } from './platform/telemetry.ts'
import type { Stoppable } from './run-main.ts'
import { startWorker } from './worker.ts'

/** API and worker in one process, on a database and chains that run elsewhere. */
export async function startApiAndWorker(
  config: Config,
  endpoints: Endpoints,
  environment: NodeJS.ProcessEnv,
): Promise<Stoppable> {
  const log = createLog({ level: config.LOG_LEVEL })
  const telemetry = await startTelemetry(environment, 'both')
  const metrics = createMetrics()
  await migrate(endpoints.directUrl ?? endpoints.databaseUrl)
  const api = await startApi(config, endpoints, log, metrics)
  const worker = await startWorker(config, endpoints, log, { metrics })
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
