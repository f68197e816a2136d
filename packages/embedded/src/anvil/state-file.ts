import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
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
    keepFirstGenesis(stateFile)
    copyAtomically(stateFile, previous)
    return { restoration: 'kept', latestTimestamp: last, bytes: statSync(stateFile).size }
  }
  const broken = existsSync(stateFile)
  if (broken) renameSync(stateFile, `${stateFile}.corrupt`)
  const before = readLatestTimestamp(previous)
  if (before === undefined) return { restoration: broken || existsSync(previous) ? 'lost' : 'fresh', bytes: 0 }
  keepFirstGenesis(previous)
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

/**
 * Every start of the node makes a genesis block and dumps it beside the one of the chain; which of them it then shows as block 0
 * is chance. Only the first, on which the chain stands, may stay.
 */
function keepFirstGenesis(stateFile: string): void {
  const state = JSON.parse(readFileSync(stateFile, 'utf8')) as State
  const [first, ...later] = (state.blocks ?? [])
    .filter(({ header }) => Number(header.number) === 0)
    .sort((one, other) => Number(one.header.timestamp) - Number(other.header.timestamp))
  if (!first || later.length === 0) return
  const blocks = state.blocks?.filter((block) => !later.includes(block))
  writeFileSync(`${stateFile}.copying`, JSON.stringify({ ...state, blocks }))
  renameSync(`${stateFile}.copying`, stateFile)
}

interface State {
  block?: { timestamp?: string }
  accounts?: object
  blocks?: { header: { number: string; timestamp: string } }[]
}

function readLatestTimestamp(stateFile: string): number | undefined {
  try {
    const state = JSON.parse(readFileSync(stateFile, 'utf8')) as State
    const timestamp = Number(state.block?.timestamp)
    return state.accounts && Number.isSafeInteger(timestamp) ? timestamp : undefined
  } catch {
    return undefined
  }
}
