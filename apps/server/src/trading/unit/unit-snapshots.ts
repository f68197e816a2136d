import { setImmediate as turnOfLoop } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { KnownUnit } from './known-units.ts'
import type { Lanes } from './lanes.ts'
import * as store from './unit.store.ts'
import type { UnitState } from './unit-memory.ts'

/** Entries of the journal: a server that takes a book over does again what came after the last one, about thirty thousand a second. */
const EVERY = 10_000
/** A snapshot holds every order there is. Of a large book it is taken less often, so that an order costs the same in a book of any size. */
const ENTRIES_PER_ORDER_HELD = 0.5

interface SnapshotParts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly lanes: Pick<Lanes, 'settled'>
  /** Entries after which the state is stored, so that nobody replays more than this. */
  readonly every: number | undefined
}

/** Whoever has orders for this or another book is served between two parts. */
async function written(parts: Iterable<string>): Promise<string> {
  const texts: string[] = []
  for (const part of parts) {
    texts.push(part)
    await turnOfLoop()
  }
  return texts.join('')
}

/** States of units, stored so that a start does not begin with the first entry of a journal. */
export function createUnitSnapshots({ database, clock, log, lanes, every = EVERY }: SnapshotParts) {
  /** Those that are being stored, by unit. */
  const underWay = new Map<string, Promise<void>>()

  async function storeState({ unitId, laneId }: KnownUnit, state: UnitState): Promise<void> {
    const { number: sequence, hash } = state.head
    try {
      const text = await written(state.engine.snapshotParts())
      // Nobody may find a state that leads beyond the rows of its journal.
      if (laneId) await lanes.settled(laneId)
      await database.as('tally_venue', async (sql) => {
        await store.nameUnit(sql, unitId)
        await store.insertSnapshot(sql, unitId, { sequence, state: text, hash }, clock.now())
      })
    } catch (error) {
      // Only the next start is slower for it.
      log.warn({ err: error, unit: unitId }, 'a snapshot could not be stored')
    }
  }

  return {
    /** When it is time for one: of the state as it is now. Orders do not wait until it is stored: the rows that it waits for may take long. One at a time. */
    keep(unit: KnownUnit): void {
      const { unitId, memory } = unit
      const { state } = memory
      if (!state || underWay.has(unitId)) return
      const entries = state.head.number - unit.snapshotAt
      if (entries < Math.max(every, state.engine.size() * ENTRIES_PER_ORDER_HELD)) return
      unit.snapshotAt = state.head.number
      underWay.set(
        unitId,
        storeState(unit, state).finally(() => underWay.delete(unitId)),
      )
    },

    /** Until nothing is being stored. */
    async stored(): Promise<void> {
      await Promise.all(underWay.values())
    },
  }
}
