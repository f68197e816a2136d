import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { RestoredState } from '../engine.ts'

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
    return { restoration: 'kept', latestTimestamp: last }
  }
  const broken = existsSync(stateFile)
  if (broken) renameSync(stateFile, `${stateFile}.corrupt`)
  const before = readLatestTimestamp(previous)
  if (before === undefined) return { restoration: broken || existsSync(previous) ? 'lost' : 'fresh' }
  keepFirstGenesis(previous)
  copyAtomically(previous, stateFile)
  return { restoration: 'previous', latestTimestamp: before }
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
