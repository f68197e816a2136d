import { AppError } from '../app-error.ts'
import type { AdmissionBounds } from '../bounds.ts'

/** Requests of one instance that are worked on at once while others want something too; alone, it may have them all. */
const SHARE = 8
/** For so long after its last request an instance counts as one that wants something. */
const PRESENT_MS = 1_000

export interface Admission {
  /**
   * Lets a request in when it is its turn, or refuses it before anything was done. What it answers is called when the request is over.
   */
  enter(owner: string, now: number): Promise<() => void>
}

interface Guest {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Whoever would only make a queue longer is told so at once: a request that waits for seconds is repeated by its sender, and then there are
 * two. And an instance that sends more than it gets done waits for itself: the work of a process is shared out among those who want some.
 */
export function createAdmission({ inAll, perInstance }: AdmissionBounds): Admission {
  const guests = new Map<string, Guest>()
  /** The two that came last: enough to know whether there is another one. */
  let [latest, other] = [
    { owner: '', at: Number.NEGATIVE_INFINITY },
    { owner: '', at: Number.NEGATIVE_INFINITY },
  ]
  let inside = 0
  let clock = 0

  function note(owner: string, now: number): void {
    clock = now
    if (latest.owner !== owner) other = latest
    latest = { owner, at: now }
  }

  function isAlone(owner: string): boolean {
    const rival = latest.owner === owner ? other : latest
    return clock - rival.at > PRESENT_MS
  }

  const mayRun = (owner: string, { running }: Guest) => running < SHARE || isAlone(owner)

  function leave(owner: string, guest: Guest): void {
    inside -= 1
    guest.running -= 1
    while (guest.waiting.length > 0 && mayRun(owner, guest)) {
      guest.running += 1
      guest.waiting.shift()?.()
    }
    if (guest.running === 0) guests.delete(owner)
  }

  return {
    async enter(owner, now) {
      note(owner, now)
      const guest = guests.get(owner) ?? { running: 0, waiting: [] }
      if (inside >= inAll || guest.running + guest.waiting.length >= perInstance) throw new AppError('OVERLOADED')
      guests.set(owner, guest)
      inside += 1
      if (mayRun(owner, guest)) guest.running += 1
      else await new Promise<void>((resolve) => guest.waiting.push(resolve))
      return () => leave(owner, guest)
    },
  }
}
