/** Time that passes is passed in too. */
export interface Timers {
  /** Milliseconds since some moment; never falls. */
  elapsed(): number
  /** Does not keep the process alive. */
  after(milliseconds: number, work: () => void): void
}

export const systemTimers: Timers = {
  elapsed: () => performance.now(),
  after: (milliseconds, work) => void setTimeout(work, milliseconds).unref(),
}
