import type { Log } from '../../platform/log.ts'
import { type RepeatedJob, startRepeating } from '../../platform/repeat.ts'
import type { FeedRefresh } from './feed-refresh.service.ts'

const LOOK_EVERY_MS = 1_000

/** Asks feeds until stopped. */
export function startFeedJob({ refresh, log }: { readonly refresh: FeedRefresh; readonly log: Log }): RepeatedJob {
  return startRepeating(LOOK_EVERY_MS, async () => {
    try {
      const { isMoreDue } = await refresh.pass()
      return isMoreDue ? 'more' : undefined
    } catch (error) {
      log.error({ err: error }, 'looking for price feeds failed; trying again')
      return undefined
    }
  })
}
