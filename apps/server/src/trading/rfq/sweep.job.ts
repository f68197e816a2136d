import type { Log } from '../../platform/log.ts'
import { type RepeatedJob, startRepeating } from '../../platform/repeat.ts'
import type { Sweep } from './sweep.service.ts'

const EVERY_MS = 5_000

/** Several workers may sweep; a request is swept by one of them. */
export function startSweepJob({ sweep }: Sweep, log: Log): RepeatedJob {
  return startRepeating(EVERY_MS, async () => {
    try {
      return (await sweep()).isFull ? 'more' : undefined
    } catch (error) {
      log.error({ err: error }, 'ending requests for quote failed; trying again')
      return undefined
    }
  })
}
