import { startHousekeepingJob } from './access/index.ts'
import { connect, type Endpoints } from './connections.ts'
import { callKinds, projections } from './features.ts'
import { createFollower, startFollowJob } from './follower/index.ts'
import { startDeliveryJob, startWatchJob } from './lending/index.ts'
import { startMonitorJob } from './monitor/index.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { relayerKeysOf, tradingSettingsOf } from './platform/config-parts.ts'
import type { Database } from './platform/db/database.ts'
import type { Readiness } from './platform/http/readiness.ts'
import type { Log } from './platform/log.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { createOutgoingTargets } from './platform/outgoing/outgoing-targets.ts'
import { systemRandom } from './platform/random.ts'
import { connectionsReadiness } from './readiness.ts'
import { createRegisterRefresh, startRefreshJob } from './register/index.ts'
import { startRelayerJob } from './relayer/index.ts'
import { createTrading, startTradingJobs } from './trading/index.ts'
import { createFollowing, startSurveyJob } from './worker-face.ts'
import { createWritesService } from './writes/index.ts'

/** Nodes behind one address differ by a block or two; none lags longer than this and still serves. */
const LAG_GRACE_MS = 15_000

export interface RunningWorker {
  /** What a worker stands on, and whether it does its work. */
  readonly readiness: readonly Readiness[]
  stop(): Promise<void>
}

/** Only where the operator says where the files are. */
function refreshJobs(config: Config, database: Database, log: Log) {
  if (config.REGISTER_URLS.length === 0) return []
  const refresh = createRegisterRefresh(
    { database, clock: systemClock, random: systemRandom },
    {
      addresses: config.REGISTER_URLS,
      intervalMs: config.REGISTER_REFRESH_MINUTES * 60_000,
      timeoutMs: config.REGISTER_TIMEOUT_MS,
      maxBytes: config.REGISTER_MAX_BYTES,
    },
  )
  return [startRefreshJob({ refresh, log })]
}

/** Follows every chain and keeps house until stopped. Several workers may run; they never do the same thing twice. */
export async function startWorker(
  config: Config,
  endpoints: Endpoints,
  log: Log,
  options: { readonly metrics?: Metrics; readonly mayStartOver?: boolean } = {},
): Promise<RunningWorker> {
  const metrics = options.metrics ?? createMetrics()
  const connections = await connect(config, endpoints, { poolSize: 8, applicationName: 'tally-worker', serves: 'jobs' })
  const { chains, database } = connections
  const follower = createFollower({
    database,
    clock: systemClock,
    random: systemRandom,
    log,
    kinds: callKinds,
    projections,
    confirmations: config.CONFIRMATIONS,
    mayStartOver: options.mayStartOver ?? false,
    lagGraceMs: LAG_GRACE_MS,
  })
  const watch = { database, clock: systemClock, random: systemRandom, log, metrics }
  const following = createFollowing(chains.all, { clock: systemClock })
  const targets = createOutgoingTargets({ allowedHosts: config.WEBHOOK_ALLOWED_HOSTS })
  const writes = createWritesService({ ...watch, kinds: callKinds, projections })
  const trading = createTrading({ ...watch, ...tradingSettingsOf(config), chains, writes })
  const jobs = [
    startHousekeepingJob({ database, clock: systemClock, log }),
    ...refreshJobs(config, database, log),
    ...chains.all.map((chain) =>
      startFollowJob({
        chain,
        follower,
        intervalMs: config.FOLLOW_INTERVAL_MS,
        log,
        onPass: (chainId, report) => {
          following.looked(chainId)
          const labels = { chain: String(chainId) }
          metrics.chainHead.set(labels, Number(report.head))
          metrics.chainFollowed.set(labels, Number(report.followedTo))
          metrics.factsOrphaned.inc(labels, report.orphanedFacts)
        },
        onError: (chainId) => metrics.followErrors.inc({ chain: String(chainId) }),
      }),
    ),
    ...chains.all.map((chain) => startSurveyJob(chain, metrics)),
    ...chains.all.map((chain) => startWatchJob({ ...watch, chain, intervalMs: config.WATCH_INTERVAL_MS })),
    ...chains.all.map((chain) => startMonitorJob({ ...watch, chain, intervalMs: config.MONITOR_INTERVAL_MS })),
    startDeliveryJob({ ...watch, targets }),
    ...startTradingJobs(trading, watch),
    ...chains.all.map((chain) =>
      startRelayerJob({
        ...watch,
        chain,
        keys: relayerKeysOf(config),
        confirmations: config.CONFIRMATIONS,
        intervalMs: config.RELAYER_INTERVAL_MS,
        stuckMs: config.RELAYER_STUCK_SECONDS * 1000,
      }),
    ),
  ]
  return {
    readiness: [...connectionsReadiness(connections, metrics), ...following.readiness],
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
      await connections.close()
    },
  }
}
