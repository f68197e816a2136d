import { createEngine, type Engine, emptyHead, type Head, replay, restoreEngine } from '@tallystick/engine'
import type { SharedRows } from '../../platform/db/database.ts'
import * as store from './unit.store.ts'

/** A unit as this process last knew it. */
export interface UnitState {
  readonly engine: Engine
  version: bigint
  head: Head
  /** False while it is ahead of a transaction that somebody else will commit or take back. */
  isCommitted: boolean
}

/** What this process remembers of one unit. */
export interface UnitMemory {
  /** Undefined: nothing it could trust. */
  state: UnitState | undefined
  /** Set from the moment a group has its lock until it has ended: meanwhile the state belongs to it alone. */
  inUse?: InUse | undefined
}

export interface InUse {
  readonly over: Promise<void>
  end(): void
}

export function takeIntoUse(memory: UnitMemory): void {
  // A group that runs again because its connection broke: those who look wait for the end of it all.
  if (memory.inUse) return
  let end: () => void = () => undefined
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  memory.inUse = { over, end }
}

export function giveBack(memory: UnitMemory): void {
  const { inUse } = memory
  memory.inUse = undefined
  inUse?.end()
}

const isAt = ({ version, head }: UnitState, row: store.UnitHead): boolean =>
  version === row.version && head.hash === row.headHash

/** Plays what others did meanwhile. Undefined: the memory is of something that never was committed. */
function catchUp(state: UnitState, row: store.UnitHead, read: readonly store.StoredEntry[]): UnitState | undefined {
  // Somebody who only looked may have caught up since they were asked for.
  const missed = read.filter(({ number }) => number > state.head.number)
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

const startOf = (unitId: string, snapshot: store.StoredSnapshot | undefined): Head =>
  snapshot ? { number: Number(snapshot.sequence), hash: snapshot.hash } : emptyHead(unitId)

function build(
  unitId: string,
  snapshot: store.StoredSnapshot | undefined,
  row: store.UnitHead,
  entries: readonly store.StoredEntry[],
): UnitState {
  const engine = snapshot ? restoreEngine(snapshot.state) : createEngine()
  const head = replay(engine, startOf(unitId, snapshot), entries)
  if (head.hash !== row.headHash) throw new Error(`the journal of unit ${unitId} does not lead to its head`)
  return { engine, version: row.version, head, isCommitted: true }
}

/** All from the newest snapshot. Throws when what is stored does not lead to the head. */
export async function buildUnit(stored: store.UnitEntries, unitId: string, row: store.UnitHead): Promise<UnitState> {
  const snapshot = await stored.newestSnapshot()
  return build(unitId, snapshot, row, await stored.entriesAfter(startOf(unitId, snapshot).number))
}

/** Head and later entries of one moment, without a lock. */
async function readSince(rows: SharedRows, unitId: string, after: number) {
  const found = await rows.read((sql) => store.readHeadAndEntries(sql, unitId, after))
  const [row] = found
  if (!row) throw new Error(`there is no unit ${unitId}`)
  const entries = found.flatMap(({ number, body, hash }) => (number === null ? [] : [{ number, body, hash }]))
  return { row: { version: row.version, sequence: row.sequence, headHash: row.headHash }, entries }
}

/**
 * Brings the memory to what is committed, for somebody who only looks: it waits for nobody. Does nothing when a group took the memory
 * meanwhile; ask again once that is over.
 */
export async function refreshMemory(rows: SharedRows, unitId: string, memory: UnitMemory): Promise<void> {
  const { state } = memory
  const isStill = () => !memory.inUse && memory.state === state
  if (state) {
    const { row, entries } = await readSince(rows, unitId, state.head.number)
    if (!isStill()) return
    // Ahead of a commit that somebody else makes: theirs to end.
    if (!state.isCommitted && state.version > row.version) return
    memory.state = isAt(state, row) ? state : catchUp(state, row, entries)
    if (memory.state) memory.state.isCommitted = true
    return
  }
  const [snapshot] = await rows.read((sql) => store.newestSnapshot(sql, unitId))
  const { row, entries } = await readSince(rows, unitId, startOf(unitId, snapshot).number)
  if (isStill()) memory.state = build(unitId, snapshot, row, entries)
}

/**
 * Brings the memory to what the locked row says: nothing to do, only what was missed, or all from the newest snapshot.
 * `missed` are the journal entries after the remembered ones.
 */
export async function synchronise(
  stored: store.UnitEntries,
  unitId: string,
  memory: UnitMemory,
  row: store.UnitHead,
  missed: readonly store.StoredEntry[],
): Promise<UnitState> {
  const { state } = memory
  // Not to be trusted while it is being changed.
  memory.state = undefined
  const current = state && isAt(state, row) ? state : state && catchUp(state, row, missed)
  memory.state = current ?? (await buildUnit(stored, unitId, row))
  memory.state.isCommitted = true
  return memory.state
}
