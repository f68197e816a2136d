export interface RepeatedJob {
  /** Ends when the turn that runs is over. */
  stop(): Promise<void>
}

/** Turn after turn with a pause in between, until stopped. A turn answers for its own faults. */
export function startRepeating(pauseMs: number, turn: () => Promise<void>): RepeatedJob {
  let stopped = false
  let wake: (() => void) | undefined

  async function run(): Promise<void> {
    while (!stopped) {
      await turn()
      if (stopped) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs)
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
