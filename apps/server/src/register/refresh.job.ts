import type { Log } from '../platform/log.ts'
import type { RegisterRefresh } from './refresh.service.ts'

/** How often the job asks whose turn it is. */
const LOOK_EVERY_MS = 60_000

/** Keeps the register fresh until stopped. */
export function startRefreshJob({ refresh, log }: { readonly refresh: RegisterRefresh; readonly log: Log }): {
  stop(): Promise<void>
} {
  const stopping = new AbortController()
  let running: Promise<void> | undefined

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
  const begin = () => {
    running ??= turn().finally(() => {
      running = undefined
    })
  }
  begin()
  const timer = setInterval(begin, LOOK_EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
