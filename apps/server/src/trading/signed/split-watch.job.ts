import type { Chain } from '../../platform/chain/chain.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { type RepeatedJob, startRepeating } from '../../platform/repeat.ts'
import type { SplitWatch } from './split-watch.service.ts'

const EVERY_MS = 4_000

/** Looks for splits on one chain. Several workers may do so at once. */
export function startSplitJob(parts: {
  readonly watch: SplitWatch
  readonly chain: Chain
  readonly log: Log
  readonly metrics: Metrics
}): RepeatedJob {
  const { watch, chain, log, metrics } = parts
  return startRepeating(EVERY_MS, async () => {
    try {
      await watch.pass(chain)
    } catch (error) {
      metrics.watchErrors.inc({ chain: String(chain.chainId), watch: 'splits' })
      log.error({ chainId: chain.chainId, err: error }, 'looking for splits failed; trying again')
    }
  })
}
