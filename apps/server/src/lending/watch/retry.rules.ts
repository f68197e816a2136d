const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The pauses after failed attempts: more than half a day in all, for receivers that are down over night. */
const pauses = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR]

export const MOST_ATTEMPTS = pauses.length + 1

/** When to try again; null: it was tried often enough. `chance` between 0 and 1 spreads what failed together by a tenth. */
export function nextAttempt(attempts: number, now: Date, chance: number): Date | null {
  const pause = pauses[attempts - 1]
  return pause === undefined ? null : new Date(now.getTime() + Math.round(pause * (0.9 + 0.2 * chance)))
}
