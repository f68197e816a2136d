import { DatabaseUnavailableError } from '../../platform/db/database.ts'
import type { Timers } from '../../platform/timers.ts'
import { inTurnFor } from './home.rules.ts'

/** Whoever could not be reached is not tried again for so long. */
export const GONE_MS = 1_000

/** The servers that match, for one that does not: who takes a lane that nobody has. */
export function createOrderServers(urls: readonly string[], timers: Pick<Timers, 'elapsed'>) {
  const goneUntil = new Map<string, number>()
  return {
    /** Others match, and this server does not. */
    doMatch: urls.length > 0,

    /** Undefined: there are none, and this server matches by itself. */
    nextFor(laneId: string): string | undefined {
      if (urls.length === 0) return undefined
      const found = inTurnFor(laneId, urls).find((url) => (goneUntil.get(url) ?? 0) <= timers.elapsed())
      if (found === undefined) throw new DatabaseUnavailableError('no server that matches orders can be reached')
      return found
    },

    isGone(url: string): void {
      if (urls.length > 0) goneUntil.set(url, timers.elapsed() + GONE_MS)
    },
  }
}

export type OrderServers = ReturnType<typeof createOrderServers>
