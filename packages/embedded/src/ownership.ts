import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isAlive, parentPid } from './process-inspection.ts'

/**
 * Beside the files of every child stands a note "parent child". A child whose real parent is still the noted one has
 * a living owner; any other child was left behind by a parent that died and may be taken over.
 */
export function recordOwner(path: string, childPid: number): void {
  writeFileSync(noteOf(path), `${process.pid} ${childPid}\n`, { mode: 0o600 })
}

export function forgetOwner(path: string): void {
  rmSync(noteOf(path), { force: true })
}

export function livingOwner(path: string, childPid: number): number | undefined {
  const note = readNote(path)
  return note && note.child === childPid && note.owner === parentPid(childPid) ? note.owner : undefined
}

/** The child of a parent that is certainly dead; undefined also when nothing is known. */
export function abandonedChild(path: string): number | undefined {
  const note = readNote(path)
  return note && !isAlive(note.owner) ? note.child : undefined
}

function readNote(path: string): { owner: number; child: number } | undefined {
  try {
    const [owner, child] = readFileSync(noteOf(path), 'utf8').trim().split(' ').map(Number)
    return owner && child ? { owner, child } : undefined
  } catch {
    return undefined
  }
}

function noteOf(path: string): string {
  return `${path}.owner`
}
