import type { Database } from '../../platform/db/database.ts'
import * as store from './unit.store.ts'
import { buildUnit } from './unit-memory.ts'

/**
 * Before entries up to `sequence` are taken away: there is a state of the unit at or behind them, and what is left of the journal leads from it to
 * the head. Stores one where there is none.
 */
export function keepRecoverable(database: Database, unitId: string, sequence: number, now: Date): Promise<void> {
  return database.as(
    'tally_operator',
    async (sql) => {
      const [row] = await store.readHead(sql, unitId)
      if (!row) throw new Error(`there is no unit ${unitId}`)
      const stored = store.entriesIn(sql, unitId)
      const state = await buildUnit(stored, unitId, row)
      const snapshot = await stored.newestSnapshot()
      if (snapshot && Number(snapshot.sequence) >= sequence) return
      const { number, hash } = state.head
      await store.insertSnapshot(sql, unitId, { sequence: number, state: state.engine.snapshot(), hash }, now)
    },
    'repeatable read',
  )
}
