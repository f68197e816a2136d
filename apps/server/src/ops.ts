import { VERSION } from './app.ts'
import type { Config } from './platform/config.ts'
import { type RunningOps, startOpsServer } from './platform/http/ops-server.ts'
import type { Readiness } from './platform/http/readiness.ts'
import type { Log } from './platform/log.ts'
import { listenToMeasures, type Metrics } from './platform/metrics.ts'

/** What a process shows of itself. */
export interface Face {
  readonly process: 'api' | 'worker' | 'both'
  readonly metrics: Metrics
  readonly readiness: readonly Readiness[]
}

/** The operator's port of a process, where one is configured. */
export async function startOps(
  config: Pick<Config, 'OPS_HOST' | 'OPS_PORT'>,
  { process, ...parts }: Face,
  log: Log,
): Promise<RunningOps | undefined> {
  if (config.OPS_PORT === undefined) return undefined
  listenToMeasures(parts.metrics)
  parts.metrics.processInfo.set({ process, version: VERSION }, 1)
  const ops = await startOpsServer({ ...parts, version: VERSION }, { host: config.OPS_HOST, port: config.OPS_PORT })
  log.info({ url: ops.url }, 'serving health and metrics')
  return ops
}
