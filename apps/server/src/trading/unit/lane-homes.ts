import type { Timers } from '../../platform/timers.ts'
import { inTurnFor } from './home.rules.ts'
import { HERE_FOR_MS, type Owner } from './lane.store.ts'
import type { LaneJournal } from './lane-journal.ts'

/** How often a server to which orders come says that it is there, and asks who else is. */
const MEET_EVERY_MS = 1_000
const STAYS_AFTER_MS = 5_000
/** Between two lanes that are left: each has to be read anew where it goes. */
const LEAVE_EVERY_MS = 250

interface HomesParts {
  readonly journal: Pick<LaneJournal, 'meet'>
  readonly timers: Pick<Timers, 'elapsed'>
  readonly me: Owner
  /** Who has been there for so long is left lanes by others: one that starts and dies again gets none. */
  readonly staysAfterMs?: number | undefined
}

/**
 * Which server each lane belongs to, of those that match and are there. All of it is advice: lanes spread by it, and who asks none, or an old
 * one, takes nothing that is another's.
 */
export function createLaneHomes({ journal, timers, me, staysAfterMs = STAYS_AFTER_MS }: HomesParts) {
  /** Since when each of the others has been there, by its address. */
  let met = new Map<string, number>()
  let metAt = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  let leftAt = Number.NEGATIVE_INFINITY
  const goneUntil = new Map<string, number>()

  async function ask(): Promise<void> {
    askedAt = timers.elapsed()
    const at = askedAt
    try {
      const urls = await journal.meet(me)
      met = new Map(urls.filter((url) => url !== me.url).map((url) => [url, met.get(url) ?? at]))
      metAt = at
    } catch {
      // Whoever cannot ask goes on alone, and asks again.
    }
  }

  /** What was heard too long ago says nothing. */
  const isThere = (url: string): boolean => {
    const now = timers.elapsed()
    return met.has(url) && now - metAt <= HERE_FOR_MS && (goneUntil.get(url) ?? Number.NEGATIVE_INFINITY) <= now
  }

  /** The server that a lane belongs to, if that is another one. */
  function elsewhere(laneId: string): string | undefined {
    if (me.url === undefined) return undefined
    const [home] = inTurnFor(laneId, [me.url, ...[...met.keys()].filter(isThere)])
    return home === me.url ? undefined : home
  }

  return {
    elsewhere,
    isThere,

    /** Asks who is there, when it is time to. Who knows that already need not wait for it. */
    async meet(): Promise<void> {
      if (timers.elapsed() - askedAt >= MEET_EVERY_MS)
        asking ??= ask().finally(() => {
          asking = undefined
        })
      if (metAt === Number.NEGATIVE_INFINITY) await asking
    },

    /** To whom this server leaves a lane now, if to anybody. */
    nextToLeave(laneId: string): string | undefined {
      const now = timers.elapsed()
      if (now - leftAt < LEAVE_EVERY_MS) return undefined
      const home = elsewhere(laneId)
      if (home === undefined || now - (met.get(home) ?? now) < staysAfterMs) return undefined
      leftAt = now
      return home
    },

    /** It could not be reached, and is believed to be gone until the database would say so too. */
    isGone(url: string): void {
      met.delete(url)
      goneUntil.set(url, timers.elapsed() + HERE_FOR_MS)
    },
  }
}

export type LaneHomes = ReturnType<typeof createLaneHomes>
