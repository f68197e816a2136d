import type { Chain } from '../../platform/chain/chain.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { type RepeatedJob, startRepeating } from '../../platform/repeat.ts'
import type { ExpirySweep } from './expire-orders.service.ts'
import type { SettlementWatch } from './watch-settlements.service.ts'

const EVERY_MS = 4_000

/** Looks after what waits to be settled on one chain. Several workers may do so at once. */
export function startSettlementJob(parts: {
  readonly watch: SettlementWatch
  readonly chain: Chain
  readonly log: Log
  readonly metrics: Metrics
}): RepeatedJob {
  const { watch, chain, log, metrics } = parts
  const labels = { chain: String(chain.chainId) }
  let place: string | undefined
  return startRepeating(EVERY_MS, async () => {
    try {
      place = await watch.pass(chain, place)
      if (place !== undefined) return 'more'
      const { count, oldestSeconds } = await watch.waiting(chain)
      metrics.settlementsPending.set(labels, count)
      metrics.settlementsOldestPending.set(labels, oldestSeconds)
      return undefined
    } catch (error) {
      place = undefined
      metrics.watchErrors.inc({ ...labels, watch: 'settlements' })
      log.error({ chainId: chain.chainId, err: error }, 'watching settlements failed; trying again')
      return undefined
    }
  })
}

/** Ends orders that are past their time. */
export function startExpiryJob({ sweep, log }: { readonly sweep: ExpirySweep; readonly log: Log }): RepeatedJob {
  return startRepeating(EVERY_MS, async () => {
    try {
      await sweep.sweep()
    } catch (error) {
      log.error({ err: error }, 'ending orders that are due failed; trying again')
    }
  })
}
