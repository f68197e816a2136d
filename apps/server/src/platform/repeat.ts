import { traced } from './trace.ts'

export interface RepeatedJob {
  /** Ends when the turn that runs is over. */
  stop(): Promise<void>
}

/**
 * Turn after turn until stopped, with a pause in between. A turn answers for its own faults, and `'more'` when it left work behind: then
 * the next one follows at once. A number is the length of this one pause.
 */
export function startRepeating(pauseMs: number, turn: () => Promise<unknown>): RepeatedJob {
  let stopped = false
  let wake: (() => void) | undefined

  async function run(): Promise<void> {
    while (!stopped) {
      // Whatever a turn asks of others is one trace.
      const left = await traced(() => ({ name: 'turn of a job', kind: 'internal' }), turn)
      if (stopped) return
      if (left === 'more') continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, typeof left === 'number' ? left : pauseMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  const running = run()
  return {
    async stop() {
      stopped = true
      wake?.()
      await running
    },
  }
}
