import type { Chain } from '../platform/chain/chain.ts'
import type { Log } from '../platform/log.ts'
import { type RepeatedJob, startRepeating } from '../platform/repeat.ts'
import type { Follower, PassReport } from './follower.service.ts'

/** Follows one chain until stopped. A failed pass is logged and tried again: the next one starts where the last commit left off. */
export function startFollowJob(parts: {
  readonly chain: Chain
  readonly follower: Follower
  readonly intervalMs: number
  readonly log: Log
  readonly onPass?: (chainId: number, report: PassReport) => void
  readonly onError?: (chainId: number, error: unknown) => void
}): RepeatedJob {
  const { chain, follower, log } = parts
  return startRepeating(parts.intervalMs, async () => {
    try {
      const report = await follower.pass(chain)
      if (report) parts.onPass?.(chain.chainId, report)
      return report && report.followedTo < report.head ? 'more' : undefined
    } catch (error) {
      parts.onError?.(chain.chainId, error)
      log.error({ chainId: chain.chainId, err: error }, 'following the chain failed; trying again')
      return undefined
    }
  })
}
