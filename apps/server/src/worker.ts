import { startHousekeepingJob } from './access/index.ts'
import { connect, type Endpoints } from './connections.ts'
import { callKinds, projections } from './features.ts'
import { createFollower, startFollowJob } from './follower/index.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import type { Log } from './platform/log.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { systemRandom } from './platform/random.ts'

export interface RunningWorker {
  stop(): Promise<void>
}

/** Follows every chain and keeps house until stopped. Several workers may run; they never do the same thing twice. */
export async function startWorker(
  config: Config,
  endpoints: Endpoints,
  log: Log,
  options: { readonly metrics?: Metrics; readonly mayStartOver?: boolean } = {},
): Promise<RunningWorker> {
  const metrics = options.metrics ?? createMetrics()
  const connections = await connect(config, endpoints, { poolSize: 4, applicationName: 'tally-worker' })
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
  })
  const jobs = [
    startHousekeepingJob({ database, clock: systemClock, log }),
    ...chains.all.map((chain) =>
      startFollowJob({
        chain,
        follower,
        intervalMs: config.FOLLOW_INTERVAL_MS,
        log,
        onPass: (chainId, report) => {
          const labels = { chain: String(chainId) }
          metrics.chainHead.set(labels, Number(report.head))
          metrics.chainFollowed.set(labels, Number(report.followedTo))
          metrics.factsOrphaned.inc(labels, report.orphanedFacts)
        },
        onError: (chainId) => metrics.followErrors.inc({ chain: String(chainId) }),
      }),
    ),
  ]
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
      await connections.close()
    },
  }
}
