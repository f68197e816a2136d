import { type Depth, JournalBroken, readEntry, verifyEntries } from '@tallystick/engine'
import { type Database, DatabaseUnavailableError } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { tape } from '../reads/index.ts'
import type { UnitsService } from '../unit/index.ts'
import { type CommittedEntry, readCommitted } from './journal.store.ts'
import { isTradeEvent, type TradeEvent, type TradeRows } from './trade-news.rules.ts'
import { createUnitPicture, type Entry, type UnitNews, type UnitPicture, type UnitView } from './unit-picture.rules.ts'

export interface FeedParts {
  readonly database: Pick<Database, 'unit'>
  readonly units: UnitsService
  readonly log: Log
}

/** One group of commands, as it was committed. */
export interface Commit {
  readonly first: number
  readonly last: number
  readonly headHash: string
  readonly entries: readonly Entry[]
  readonly news: UnitNews
  readonly rows: TradeRows
}

export interface FeedListener {
  onCommit(commit: Commit): void
  /** Nothing more will come: the reason is a code. */
  onEnd(reason: string): void
}

const PAGE = 2_000
const EVERY_LEVEL = Number.MAX_SAFE_INTEGER

export async function readTradeRows(
  database: FeedParts['database'],
  unitId: string,
  events: readonly TradeEvent[],
): Promise<TradeRows> {
  if (events.length === 0) return new Map()
  const found = await database.unit(unitId).read((sql) => tape.listNumberedTrades(sql, unitId, events))
  return new Map(found.map((row) => [Number(row.number), row]))
}

/** The whole unit at one moment, out of the memory that matches its orders. */
function viewOf({ units }: FeedParts, unitId: string, readVersion: bigint): Promise<UnitView> {
  return units.look(unitId, readVersion, ({ engine, head }) => {
    const books = engine.books()
    const ladders = new Map<string, Depth>()
    for (const { book, ladder } of books) {
      const depth = ladders.has(ladder) ? null : engine.depth(book, EVERY_LEVEL)
      if (depth) ladders.set(ladder, depth)
    }
    return { sequence: head.number, headHash: head.hash, books, ladders }
  })
}

/** Follows the journal of one unit, commit by commit, for all who listen to any of its books. */
export async function createUnitFeed(parts: FeedParts, unitId: string, readVersion: bigint) {
  const { database, log } = parts
  const listeners = new Set<FeedListener>()
  const start = await viewOf(parts, unitId, readVersion)
  const picture: UnitPicture = createUnitPicture(start)
  let head = { number: start.sequence, hash: start.headHash }
  let reading: Promise<void> | undefined
  let next: Promise<void> | undefined
  let isOver = false

  /** One after the other, each whole: between two of them, picture and listeners stand at the same place. */
  async function publish(group: readonly CommittedEntry[]): Promise<void> {
    const after = verifyEntries(head, group)
    const entries = group.map((entry) => ({ number: entry.number, events: readEntry(entry).events }))
    const rows = await readTradeRows(
      database,
      unitId,
      entries.flatMap(({ events }) => events.filter(isTradeEvent)),
    )
    const first = head.number + 1
    head = after
    const commit = { first, last: head.number, headHash: head.hash, entries, news: picture.take(entries), rows }
    for (const listener of [...listeners]) listener.onCommit(commit)
  }

  async function readOn(): Promise<void> {
    for (let more = true; more && !isOver; ) {
      const page = await database.unit(unitId).read((sql) => readCommitted(sql, unitId, head.number, PAGE))
      let group: CommittedEntry[] = []
      for (const entry of page) {
        group.push(entry)
        if (!entry.endsGroup) continue
        await publish(group)
        group = []
      }
      more = page.length === PAGE
      // The journal ends where a commit ended. Within it only what is far behind shows no ends: that is told in greater pieces.
      if (group.length > 0 && (!more || group.length === PAGE)) await publish(group)
    }
  }

  function end(reason: string): void {
    isOver = true
    for (const listener of [...listeners]) listener.onEnd(reason)
    listeners.clear()
  }

  async function read(): Promise<void> {
    try {
      if (!isOver) await readOn()
    } catch (error) {
      // Looked at again with the next wake-up, which comes by itself.
      if (error instanceof DatabaseUnavailableError) return
      log.error({ err: error, unit: unitId, broken: error instanceof JournalBroken }, 'a journal could not be followed')
      end('INTERNAL_ERROR')
    }
  }

  /** Takes everything that was committed before it was called. */
  function catchUp(): Promise<void> {
    if (!reading) {
      reading = read().finally(() => {
        reading = undefined
      })
      return reading
    }
    // Whether or not that one gets through: a failure remembered here would swallow every later call.
    next ??= reading
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return catchUp()
      })
    return next
  }

  return {
    picture,
    sequence: () => head.number,
    headHash: () => head.hash,
    isOver: () => isOver,
    listeners,
    catchUp,
  }
}

export type UnitFeed = Awaited<ReturnType<typeof createUnitFeed>>
