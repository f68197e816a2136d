import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs'
import type { RestoredState } from '../engine.ts'
import { placeFile } from '../place-file.ts'
import { type DumpedState, parseDump, timestampOf, withFirstGenesis, withNewestBlocks } from './dumped-state.ts'

/** A dump over the first is cut down to the second, so that this does not happen again at once. */
export const LARGE_BYTES = 48 * 1024 * 1024
const CUT_DOWN_BYTES = 24 * 1024 * 1024

export function previousCopyOf(stateFile: string): string {
  return `${stateFile}.previous`
}

/**
 * The node overwrites its state in place, so a kill during a dump leaves half a file, which it then refuses to load.
 * Puts a complete state in place, or none, and keeps a copy of it.
 */
export function restoreState(stateFile: string): RestoredState {
  const previous = previousCopyOf(stateFile)
  const last = readState(stateFile)
  if (last !== undefined) {
    tidy(stateFile, last)
    copyAtomically(stateFile, previous)
    return { restoration: 'kept', latestTimestamp: timestampOf(last.state) }
  }
  const broken = existsSync(stateFile)
  if (broken) renameSync(stateFile, `${stateFile}.corrupt`)
  const before = readState(previous)
  if (before === undefined) return { restoration: broken || existsSync(previous) ? 'lost' : 'fresh' }
  tidy(previous, before)
  copyAtomically(previous, stateFile)
  return { restoration: 'previous', latestTimestamp: timestampOf(before.state) }
}

interface ReadState {
  state: DumpedState
  bytes: number
}

function readState(file: string): ReadState | undefined {
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  const state = parseDump(text)
  return state && { state, bytes: text.length }
}

function tidy(file: string, { state, bytes }: ReadState): void {
  const whole = withFirstGenesis(state)
  const tidied = bytes > LARGE_BYTES ? withNewestBlocks(whole, CUT_DOWN_BYTES) : whole
  if (tidied !== state) placeFile(file, JSON.stringify(tidied))
}

function copyAtomically(from: string, to: string): void {
  copyFileSync(from, `${to}.copying`)
  renameSync(`${to}.copying`, to)
}
