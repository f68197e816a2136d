import type { Chain } from '../platform/chain/chain.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type RepeatedJob, startRepeating } from '../platform/repeat.ts'
import { createMonitor, type MonitorParts } from './monitor.service.ts'

/** A suspicion waits no longer for its second look than for a block or two. */
const SECOND_LOOK_MS = 2_000

/** Every few blocks, one look at all promises of one chain. */
export function startMonitorJob(
  parts: MonitorParts & { readonly chain: Chain; readonly metrics: Metrics; readonly intervalMs: number },
): RepeatedJob {
  const { chain, clock, log, metrics, intervalMs } = parts
  const monitor = createMonitor(parts)
  const chainLabel = { chain: String(chain.chainId) }
  let shown: { contract: string; invariant: string }[] = []
  return startRepeating(intervalMs, async () => {
    try {
      const { held, broken, suspected, dismissed, unread } = await monitor.pass(chain)
      metrics.invariantsHeld.set(chainLabel, held)
      metrics.invariantsUnread.set(chainLabel, unread.length)
      metrics.invariantsSuspected.set(chainLabel, suspected)
      metrics.suspicionsDismissed.inc(chainLabel, dismissed)
      metrics.invariantsCheckedAt.set(chainLabel, clock.now().getTime() / 1000)
      // What is whole again must not go on being shown as broken.
      for (const before of shown) metrics.invariantBroken.remove({ ...chainLabel, ...before })
      shown = broken.map(({ contract, invariant }) => ({ contract, invariant }))
      for (const now of shown) metrics.invariantBroken.set({ ...chainLabel, ...now }, 1)
      return suspected > 0 ? Math.min(intervalMs, SECOND_LOOK_MS) : undefined
    } catch (error) {
      metrics.watchErrors.inc({ ...chainLabel, watch: 'invariants' })
      log.error({ chainId: chain.chainId, err: error }, 'looking at the promises of contracts failed; trying again')
      return undefined
    }
  })
}
