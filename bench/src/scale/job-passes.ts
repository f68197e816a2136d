import { keepHouse } from '../../../apps/server/src/access/housekeeping.service.ts'
import { callKinds, projections } from '../../../apps/server/src/features.ts'
import { createFollower } from '../../../apps/server/src/follower/index.ts'
import { createAlertWatch } from '../../../apps/server/src/lending/watch/watch-alerts.service.ts'
import { createLienWatch } from '../../../apps/server/src/lending/watch/watch-liens.service.ts'
import { createMonitor } from '../../../apps/server/src/monitor/monitor.service.ts'
import { connectChains } from '../../../apps/server/src/platform/chain/chains.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { createLog } from '../../../apps/server/src/platform/log.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'
import { createUpkeep } from '../../../apps/server/src/relayer/upkeep.service.ts'
import { createTrading } from '../../../apps/server/src/trading/index.ts'
import { createWritesService } from '../../../apps/server/src/writes/index.ts'
import { median } from '../measure.ts'

/** One that takes this long is not looked at again. */
const LONG_MS = 3_000
const PASSES = 5

interface Place {
  readonly databaseUrl: string
  readonly chain: { readonly chainId: number; readonly url: string }
}

/** A job, how long one pass takes, and how often a worker begins one unless it is told otherwise. */
export interface JobPass {
  readonly job: string
  readonly ms: number
  readonly everyMs: number
}

/** Everything that a worker does again and again, one after the other, as its own process would do it. */
export async function timeJobs({ databaseUrl, chain: at }: Place): Promise<JobPass[]> {
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 8,
    applicationName: 'tally-bench-jobs',
    serves: 'jobs',
  })
  const chains = await connectChains([{ chainId: at.chainId, urls: [at.url] }], {
    timeoutMs: 60_000,
    clock: systemClock,
  })
  const chain = chains.get(at.chainId)
  const parts = { database, chains, clock: systemClock, random: systemRandom, log: createLog({ level: 'silent' }) }
  const follower = createFollower({ ...parts, kinds: callKinds, projections, confirmations: 3, mayStartOver: false })
  const trading = createTrading({ ...parts, writes: createWritesService({ ...parts, kinds: callKinds, projections }) })
  const upkeep = createUpkeep({ ...parts, keys: {}, confirmations: 3, stuckMs: 60_000 })
  const fail = (error: unknown) => {
    throw error
  }
  const jobs: readonly [string, number, () => Promise<unknown>][] = [
    ['following the chain', 1_000, () => follower.pass(chain)],
    ['housekeeping', 600_000, () => keepHouse(database, systemClock)],
    ['watching liens', 15_000, () => createLienWatch(parts).pass(chain)],
    ['watching hooks', 15_000, () => createAlertWatch(parts).pass(chain)],
    ['promises of contracts', 10_000, () => createMonitor(parts).pass(chain)],
    ['relayers', 5_000, () => upkeep.pass(chain, fail)],
    ['rows of journals', 1_000, () => trading.units.projectLeft()],
    ['auctions', 500, () => trading.auctionSchedule.pass()],
    ['price feeds', 1_000, () => trading.feedRefresh.pass()],
    ['settlements', 4_000, () => trading.settlements.watch.pass(chain)],
    ['orders past their time', 4_000, () => trading.settlements.expiry.sweep()],
    ['splits', 4_000, () => trading.splits.watch.pass(chain)],
    ['requests for quote', 5_000, () => trading.rfqs.sweeping.sweep()],
  ]
  const timed: JobPass[] = []
  try {
    for (const [job, everyMs, pass] of jobs) {
      const times: number[] = []
      while (times.length < PASSES && !times.some((time) => time > LONG_MS)) {
        const begun = performance.now()
        await pass()
        times.push(performance.now() - begun)
      }
      timed.push({ job, everyMs, ms: median(times) })
    }
  } finally {
    await Promise.all([database.close(), chains.close()])
  }
  return timed
}
