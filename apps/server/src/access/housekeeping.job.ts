import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import { keepHouse } from './housekeeping.service.ts'

const EVERY_MS = 10 * 60 * 1000

/** Removes what has lapsed, now and then. */
export function startHousekeepingJob(parts: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve()
  const turn = () => {
    running = keepHouse(parts.database, parts.clock).catch((error: unknown) =>
      parts.log.error({ err: error }, 'housekeeping failed; trying again later'),
    )
  }
  turn()
  const timer = setInterval(turn, EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
