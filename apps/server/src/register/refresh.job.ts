import type { Log } from '../platform/log.ts'
import { type RepeatedJob, startRepeating } from '../platform/repeat.ts'
import type { RegisterRefresh } from './refresh.service.ts'

/** How often the job asks whose turn it is. */
const LOOK_EVERY_MS = 60_000

/** Keeps the register fresh until stopped. */
export function startRefreshJob({
  refresh,
  log,
}: {
  readonly refresh: RegisterRefresh
  readonly log: Log
}): RepeatedJob {
  const stopping = new AbortController()

  async function turn(): Promise<void> {
    try {
      for (const { outcome, source, file, reason, importNumber } of await refresh(stopping.signal))
        log[outcome === 'refused' ? 'error' : 'info'](
          { source, file, reason, importNumber },
          `register file ${outcome}`,
        )
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ err: error }, 'the register could not be refreshed; trying again later')
    }
  }
  const job = startRepeating(LOOK_EVERY_MS, turn)
  return {
    stop() {
      stopping.abort()
      return job.stop()
    },
  }
}
