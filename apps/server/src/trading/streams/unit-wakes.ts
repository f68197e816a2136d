import type { Database } from '../../platform/db/database.ts'
import { systemTimers, type Timers } from '../../platform/timers.ts'

const CHANNEL = 'tally_units'
/** A busy unit commits hundreds of times a second; each look reads all that came since the one before. */
const LOOKS_APART_MS = 20
/** A word to other processes costs the database as much as a commit. */
const WORDS_APART_MS = 200

/** Does it at once, and what is asked for soon after that once, when so much time has passed. */
function spaced(timers: Timers, apartMs: number, work: (unitId: string) => void): (unitId: string) => void {
  /** Units that rest, and whether something was asked for meanwhile. */
  const resting = new Map<string, { isAskedFor: boolean }>()
  return function ask(unitId) {
    const rest = resting.get(unitId)
    if (rest) {
      rest.isAskedFor = true
      return
    }
    const begun = { isAskedFor: false }
    resting.set(unitId, begun)
    timers.after(apartMs, () => {
      resting.delete(unitId)
      if (begun.isAskedFor) ask(unitId)
    })
    work(unitId)
  }
}

/** Says, after a commit and never inside of it, which unit has news: to this process at once, to the others through the database. */
export function createUnitWakes({ signals }: Pick<Database, 'signals'>, timers: Timers = systemTimers) {
  const sleepers = new Map<string, () => void>()
  let hush: (() => void) | undefined
  const wakeHere = spaced(timers, LOOKS_APART_MS, (unitId) => sleepers.get(unitId)?.())
  const wakeOthers = spaced(timers, WORDS_APART_MS, (unitId) => signals.send(CHANNEL, unitId))

  return {
    committed(unitId: string): void {
      if (sleepers.has(unitId)) wakeHere(unitId)
      wakeOthers(unitId)
    },

    /** One sleeper per unit. Answers how to stop. */
    onNews(unitId: string, wake: () => void): () => void {
      sleepers.set(unitId, wake)
      hush ??= signals.listen(
        CHANNEL,
        (word) => sleepers.get(word)?.(),
        () => {
          for (const one of sleepers.values()) one()
        },
      )
      return () => {
        sleepers.delete(unitId)
        if (sleepers.size > 0) return
        hush?.()
        hush = undefined
      }
    },
  }
}

export type UnitWakes = ReturnType<typeof createUnitWakes>
