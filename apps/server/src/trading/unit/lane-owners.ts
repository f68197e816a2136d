import type { Timers } from '../../platform/timers.ts'
import type { Owner } from './lane.store.ts'
import type { LaneHomes } from './lane-homes.ts'
import type { LaneJournal } from './lane-journal.ts'
import { GONE_MS, type OrderServers } from './order-servers.ts'

/** What this process matches itself. */
export interface Holding {
  isOurs(laneId: string): boolean
  /** Whom the database knows this process as, in that lane. */
  nameIn(laneId: string): string
  /** Forgets the lane once no group of it is under way. Answers the name that it was ours under; undefined: it is not any more. */
  drop(laneId: string): Promise<string | undefined>
}

interface OwnersParts {
  readonly journal: Pick<LaneJournal, 'owner' | 'claim' | 'leave'>
  readonly timers: Timers
  readonly url: Owner['url']
  readonly orderServers: OrderServers
  readonly homes: LaneHomes
  readonly holding: Holding
}

interface Known {
  /** Who else has it, or is to take it, as far as was seen, and until when that holds. */
  seen: { readonly url: string | undefined; readonly until: number; readonly isHome?: true }
  /** Somebody looks who has it. */
  seeking: Promise<void> | undefined
  /** It is being left to another server. */
  leaving: Promise<void> | undefined
}

/** The server that is to take a lane, another one or this one, is believed to be the one for so long; by then it has it. */
const EXPECTED_MS = 1_000
/** What was let in before a lane is left is performed by then. */
const LAST_ORDERS_MS = 50
/** Reading so many resting orders anew takes a quarter of a second: a lane with more of them stays where it is. */
const MOST_RESTING = 10_000
const NOBODY_SEEN = { url: undefined, until: 0 }

/** Where the orders of a lane go: to the server that has it, to the one that it belongs to, or nowhere else. */
export function createLaneOwners({ journal, timers, url, orderServers, homes, holding }: OwnersParts) {
  const lanes = new Map<string, Known>()

  function knownOf(laneId: string): Known {
    let known = lanes.get(laneId)
    if (!known) {
      known = { seen: NOBODY_SEEN, seeking: undefined, leaving: undefined }
      lanes.set(laneId, known)
    }
    return known
  }

  /**
   * Who has the lane. One that nobody has is taken at once by the server that it belongs to: of two servers that begin to serve it together, the
   * other one then passes its orders on. Else it would find out in the middle of a group, and move the lane under the first one.
   */
  async function seek(laneId: string, known: Known): Promise<void> {
    const asked = timers.elapsed()
    let owner = await journal.owner(laneId)
    const name = holding.nameIn(laneId)
    if (!owner && url !== undefined) {
      const home = homes.elsewhere(laneId)
      if (home !== undefined) {
        known.seen = { url: home, until: asked + EXPECTED_MS, isHome: true }
        return
      }
      if (await journal.claim(laneId, { name, url })) {
        known.seen = { url: undefined, until: asked + EXPECTED_MS }
        return
      }
      owner = await journal.owner(laneId)
    }
    // Under another name and our address: it was ours, and nobody knows yet that we left it.
    const isOther = owner !== undefined && owner.name !== name && owner.url !== url
    known.seen = isOther ? { url: owner?.url ?? undefined, until: asked + (owner?.leaseMs ?? 0) } : NOBODY_SEEN
  }

  /** Orders that come meanwhile wait for the end of it, and go to the other server. */
  async function leave(laneId: string, known: Known, to: string): Promise<void> {
    await new Promise<void>((resolve) => timers.after(LAST_ORDERS_MS, resolve))
    const name = await holding.drop(laneId)
    if (name === undefined) return
    known.seen = { url: to, until: timers.elapsed() + EXPECTED_MS, isHome: true }
    await journal.leave(laneId, name)
  }

  /** The server that has the lane, or is to take it, if it is another one that can be asked. */
  async function servedAt(laneId: string, mustLook = false): Promise<string | undefined> {
    const known = knownOf(laneId)
    await homes.meet()
    await known.leaving
    if (holding.isOurs(laneId)) return undefined
    if (mustLook || known.seen.until <= timers.elapsed()) {
      known.seeking ??= seek(laneId, known).finally(() => {
        known.seeking = undefined
      })
      await known.seeking
    }
    return known.seen.url ?? orderServers.nextFor(laneId)
  }

  return {
    servedAt,

    /** Whether an answer of that server is worth waiting for: one that has left the lane passes on what it was asked for. */
    stillAnswers: async (laneId: string, url: string): Promise<boolean> =>
      (await servedAt(laneId)) === url || homes.isThere(url),

    /** The server that has the lane could not be reached. */
    isGone(laneId: string, url: string): void {
      orderServers.isGone(url)
      homes.isGone(url)
      const known = knownOf(laneId)
      // Of many that were passed on to it together, the first one has told.
      if (known.seen.url !== url) return
      // Nobody has a lane that it only was to take: the next one takes it. One that it has is its own until its lease is over.
      known.seen = known.seen.isHome ? NOBODY_SEEN : { url: undefined, until: timers.elapsed() + GONE_MS }
    },

    /** After a group of ours: one that belongs to another server is left to it. */
    served(laneId: string, resting: () => number): void {
      const known = knownOf(laneId)
      if (known.leaving || homes.elsewhere(laneId) === undefined || resting() > MOST_RESTING) return
      const to = homes.nextToLeave(laneId)
      if (to === undefined) return
      known.leaving = leave(laneId, known, to)
        // Whoever cannot say that it leaves the lane lets its lease run out.
        .catch(() => undefined)
        .finally(() => {
          known.leaving = undefined
        })
    },
  }
}
