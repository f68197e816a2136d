interface RoundsParts {
  /** One round; whether everything is as it should be. It never rejects. */
  pass(isStopping: () => boolean): Promise<boolean>
  readonly everyMs: number
  /** What cannot be kept is tried again later and later, but not later than this. */
  readonly mostPatientMs: number
}

/** Does the same again and again, one round after the other. */
export function createRounds({ pass, everyMs, mostPatientMs }: RoundsParts) {
  let isStopping = false
  let running: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const round = () => pass(() => isStopping)

  function schedule(afterMs: number): void {
    if (isStopping) return
    timer = setTimeout(() => {
      running = round().then((isWell) => schedule(isWell ? everyMs : Math.min(afterMs * 2, mostPatientMs)))
    }, afterMs)
  }

  return {
    /** Once, at once: what grew old while nobody looked. */
    catchUp: round,
    start: () => schedule(everyMs),
    async stop(): Promise<void> {
      isStopping = true
      clearTimeout(timer)
      await running
    },
  }
}
