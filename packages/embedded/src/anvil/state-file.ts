import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * fresh: no state yet. kept: the last dump was complete. previous: it was not, the copy before it is used.
 * lost: neither was usable, the chain starts empty.
 */
export type Restoration = 'fresh' | 'kept' | 'previous' | 'lost'

export interface RestoredState {
  restoration: Restoration
  /** Seconds; undefined when the chain starts empty. */
  latestTimestamp?: number
  bytes: number
}

export function previousCopyOf(stateFile: string): string {
  return `${stateFile}.previous`
}

/**
 * The node overwrites its state in place, so a kill during a dump leaves half a file, which it then refuses to load.
 * Puts a complete state in place, or none, and keeps a copy of it.
 */
export function restoreState(stateFile: string): RestoredState {
  const previous = previousCopyOf(stateFile)
  const last = readLatestTimestamp(stateFile)
  if (last !== undefined) {
    copyAtomically(stateFile, previous)
    return { restoration: 'kept', latestTimestamp: last, bytes: statSync(stateFile).size }
  }
  const broken = existsSync(stateFile)
  if (broken) renameSync(stateFile, `${stateFile}.corrupt`)
  const before = readLatestTimestamp(previous)
  if (before === undefined) return { restoration: broken || existsSync(previous) ? 'lost' : 'fresh', bytes: 0 }
  copyAtomically(previous, stateFile)
  return { restoration: 'previous', latestTimestamp: before, bytes: statSync(stateFile).size }
}

/** One spelling per file, so that the command line of a running node can be compared with it. */
export function canonicalStateFile(stateFile: string): string {
  const absolute = resolve(stateFile)
  mkdirSync(dirname(absolute), { recursive: true })
  return join(realpathSync(dirname(absolute)), basename(absolute))
}

export function copyAtomically(from: string, to: string): void {
  copyFileSync(from, `${to}.copying`)
  renameSync(`${to}.copying`, to)
}

function readLatestTimestamp(stateFile: string): number | undefined {
  try {
    const state = JSON.parse(readFileSync(stateFile, 'utf8')) as { block?: { timestamp?: string }; accounts?: object }
    const timestamp = Number(state.block?.timestamp)
    return state.accounts && Number.isSafeInteger(timestamp) ? timestamp : undefined
  } catch {
    return undefined
  }
}
