import type { Log } from '../../platform/log.ts'
import { type RepeatedJob, startRepeating } from '../../platform/repeat.ts'
import type { AuctionSchedule } from './auction-schedule.service.ts'

const LOOK_EVERY_MS = 500

/** Serves auctions until stopped. */
export function startAuctionJob(parts: { readonly schedule: AuctionSchedule; readonly log: Log }): RepeatedJob {
  return startRepeating(LOOK_EVERY_MS, async () => {
    try {
      const { isMoreDue } = await parts.schedule.pass()
      return isMoreDue ? 'more' : undefined
    } catch (error) {
      parts.log.error({ err: error }, 'looking for auctions failed; trying again')
      return undefined
    }
  })
}
