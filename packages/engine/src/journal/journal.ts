import type { Command } from '../commands.ts'
import type { Engine } from '../engine.ts'
import type { EngineEvent } from '../events.ts'
import { readCanonicalText } from './canonical-text.ts'
import { entryText } from './entry-text.ts'
import { sha256 } from './hash.ts'

export const JOURNAL_VERSION = 1

/** One command with what came of it. The hash covers the body and, through the hash before, all earlier bodies. */
export interface JournalEntry {
  /** Counted from 1. */
  readonly number: number
  /** Canonical text of `{ version, number, command, events }`. */
  readonly body: string
  readonly hash: string
}

export interface Head {
  readonly number: number
  readonly hash: string
}

interface Body {
  readonly version: number
  readonly number: number
  readonly command: Command
  readonly events: readonly EngineEvent[]
}

export class JournalBroken extends Error {
  readonly number: number

  constructor(number: number, why: string) {
    super(`Journal entry ${number}: ${why}`)
    this.name = 'JournalBroken'
    this.number = number
  }
}

/** The head of a journal without entries: a journal of one unit cannot be passed off as another's. */
export const emptyHead = (unit: string): Head => ({
  number: 0,
  hash: sha256(`tallystick journal ${JOURNAL_VERSION} ${unit}`),
})

const chained = (previous: string, body: string): string => sha256(`${previous}\n${body}`)

/**
 * The same text. One that was put together is kept as its hundred pieces, and each collection of garbage copies them until it is committed, which
 * costs more than all else about an entry. To ask for a character makes one piece of them; the answer is used, so that nobody leaves out the question.
 */
function inOnePiece(text: string): string {
  if (Number.isNaN(text.charCodeAt(0))) throw new Error('an entry without a text')
  return text
}

export function appendEntry(head: Head, command: Command, events: readonly EngineEvent[]): JournalEntry {
  const number = head.number + 1
  const body = inOnePiece(entryText(JOURNAL_VERSION, number, command, events))
  return { number, body, hash: chained(head.hash, body) }
}

/** Checks that entries follow the head and each other; gives the new head. */
export function verifyEntries(head: Head, entries: Iterable<JournalEntry>): Head {
  let { number, hash } = head
  for (const entry of entries) {
    if (entry.number !== number + 1) throw new JournalBroken(entry.number, `follows ${number}`)
    hash = chained(hash, entry.body)
    if (entry.hash !== hash) throw new JournalBroken(entry.number, 'its hash does not fit')
    number = entry.number
  }
  return { number, hash }
}

export function readEntry({ number, body }: JournalEntry): Body {
  const read = readCanonicalText(body) as Body
  if (read.version !== JOURNAL_VERSION) throw new JournalBroken(number, `version ${read.version} cannot be read`)
  if (read.number !== number) throw new JournalBroken(number, `its body says ${read.number}`)
  return read
}

/** Does again, on an engine that stands at the head, what the entries say; every event must come out as written. */
export function replay(engine: Engine, head: Head, entries: Iterable<JournalEntry>): Head {
  let at = head
  for (const entry of entries) {
    at = verifyEntries(at, [entry])
    const { command } = readEntry(entry)
    if (entryText(JOURNAL_VERSION, entry.number, command, engine.apply(command)) !== entry.body)
      throw new JournalBroken(entry.number, 'other events came out of it')
  }
  return at
}
