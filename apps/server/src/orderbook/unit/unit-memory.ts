import { createEngine, type Engine, emptyHead, type Head, replay, restoreEngine } from '@tallystick/engine'
import type { Sql } from '../../platform/db/database.ts'
import * as store from './unit.store.ts'

/** A unit as this process last knew it. */
export interface UnitState {
  readonly engine: Engine
  version: bigint
  head: Head
  /** False while it is ahead of a transaction that somebody else will commit or take back. */
  isCommitted: boolean
}

/** What this process remembers of one unit; undefined: nothing it could trust. */
export interface UnitMemory {
  state: UnitState | undefined
}

const isAt = ({ version, head }: UnitState, row: store.UnitHead): boolean =>
  version === row.version && head.hash === row.headHash

/** Plays what others did meanwhile. Undefined: the memory is of something that never was committed. */
function catchUp(state: UnitState, row: store.UnitHead, missed: readonly store.StoredEntry[]): UnitState | undefined {
  if (state.version > row.version || state.head.number + missed.length !== Number(row.sequence)) return undefined
  try {
    const head = replay(state.engine, state.head, missed)
    return head.hash === row.headHash
      ? { engine: state.engine, version: row.version, head, isCommitted: true }
      : undefined
  } catch {
    // The chain does not fit what is remembered: it was taken back.
    return undefined
  }
}

async function loadAll(sql: Sql, unitId: string, row: store.UnitHead): Promise<UnitState> {
  const [snapshot] = await store.newestSnapshot(sql, unitId)
  const engine = snapshot ? restoreEngine(snapshot.state) : createEngine()
  const from = snapshot ? { number: Number(snapshot.sequence), hash: snapshot.hash } : emptyHead(unitId)
  const head = replay(engine, from, await store.readEntries(sql, unitId, from.number))
  if (head.hash !== row.headHash) throw new Error(`the journal of unit ${unitId} does not lead to its head`)
  return { engine, version: row.version, head, isCommitted: true }
}

/**
 * Brings the memory to what the locked row says: nothing to do, only what was missed, or all from the newest snapshot.
 * `missed` are the journal entries after the remembered ones.
 */
export async function synchronise(
  sql: Sql,
  unitId: string,
  memory: UnitMemory,
  row: store.UnitHead,
  missed: readonly store.StoredEntry[],
): Promise<UnitState> {
  const { state } = memory
  // Not to be trusted while it is being changed.
  memory.state = undefined
  const current = state && isAt(state, row) ? state : state && catchUp(state, row, missed)
  memory.state = current ?? (await loadAll(sql, unitId, row))
  memory.state.isCommitted = true
  return memory.state
}
