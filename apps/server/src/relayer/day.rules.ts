const DAY_MS = 24 * 60 * 60 * 1000

/** The UTC day that limits count by. */
export function dayOf(now: Date): { start: Date; end: Date } {
  const start = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  return { start: new Date(start), end: new Date(start + DAY_MS) }
}

/** Whole seconds until then, at least one. */
export const secondsUntil = (then: Date, now: Date): number =>
  Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000))
