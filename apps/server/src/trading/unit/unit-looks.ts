import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { KnownUnit } from './known-units.ts'
import { refreshMemory, type UnitMemory, type UnitState } from './unit-memory.ts'

/** How long somebody who looks waits for a commit of this process before everything is read again. */
const LOOK_PAUSE_MS = 10
const LOOK_ATTEMPTS = 100

interface LookParts {
  readonly database: Database
  readonly clock: Clock
  readonly known: (unitId: string) => KnownUnit
  /** Ends the orders of a unit whose time is over. */
  readonly expireDue: (unitId: string) => Promise<void>
}

/** What units show to those who change nothing. */
export function createUnitLooks({ database, clock, known, expireDue }: LookParts) {
  /** Several who look at once read once. */
  function refresh(unit: KnownUnit): Promise<void> {
    unit.refreshing ??= refreshMemory(database.unit(unit.unitId), unit.unitId, unit.memory).finally(() => {
      unit.refreshing = undefined
    })
    return unit.refreshing
  }

  /**
   * Shows what is committed, at least up to the version that the caller read. Waits for a group of this process that is being written, for
   * nobody else: whoever holds the unit elsewhere does not keep anybody from looking. `show` does not wait, so nothing changes meanwhile.
   */
  async function look<T>(unitId: string, readVersion: bigint, show: (state: Readonly<UnitState>) => T): Promise<T> {
    const unit = known(unitId)
    const { memory } = unit
    for (let attempt = 1; attempt <= LOOK_ATTEMPTS; attempt += 1) {
      const { state, inUse } = memory
      if (state?.isCommitted && state.version >= readVersion) return show(state)
      if (inUse) await inUse.over
      else await refresh(unit)
      if (memory.state && !memory.state.isCommitted) await sleep(LOOK_PAUSE_MS)
    }
    // A transaction of this process has not ended in all that time: what it left in memory is worth nothing to those who look.
    const aside: UnitMemory = { state: undefined }
    await refreshMemory(database.unit(unitId), unitId, aside)
    if (!aside.state) throw new Error(`unit ${unitId} could not be read`)
    return show(aside.state)
  }

  return {
    /**
     * The same for whoever is shown a book: an order that is past its time is ended first, whether or not somebody swept since. What is
     * shown and the place in the journal that is shown with it then agree.
     */
    async lookNow<T>(unitId: string, readVersion: bigint, show: (state: Readonly<UnitState>) => T): Promise<T> {
      const seen = await look(unitId, readVersion, (state) => {
        const due = state.engine.nextExpiry()
        return due !== null && due <= clock.now().getTime() ? null : { value: show(state) }
      })
      if (seen) return seen.value
      await expireDue(unitId)
      return look(unitId, readVersion, show)
    },

    /** For checks: the hash of the whole state, replayed from the journal if need be. */
    async stateHash(unitId: string): Promise<string> {
      await refresh(known(unitId))
      return look(unitId, 0n, ({ engine }) => engine.stateHash())
    },
  }
}
