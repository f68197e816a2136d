import { readEntry } from '@tallystick/engine'
import type { StreamSink } from '../../platform/http/streams.ts'
import { asFill, behind, firstAfter, idOf, isBehind, type OwnEvent, ownEvents, type Place } from './fill.rules.ts'
import { readOwnTrades, readReach } from './journal.store.ts'
import type { TradeRows } from './trade-news.rules.ts'
import { type Commit, type FeedListener, type FeedParts, readTradeRows, type UnitFeed } from './unit-feed.ts'

export interface FillsRequest {
  readonly unitId: string
  readonly instanceId: string
  readonly after: Place
}

/** Journal entries that are looked through at once. */
const WINDOW = 500
/** Fills that may wait while older ones are read. */
const MOST_WAITING = 10_000

/** Own fills after a place: what is in the journal already is read from there, then every commit is taken as it comes. */
export function followFills(
  { database }: Pick<FeedParts, 'database'>,
  feed: UnitFeed,
  { unitId, instanceId, after }: FillsRequest,
  sink: StreamSink,
  onFailure: (error: unknown) => void,
): FeedListener & { place(): string; stop(): void } {
  const waiting: { own: OwnEvent[]; rows: TradeRows }[] = []
  let place = after
  let isLive = false
  let isStopped = false

  function show(own: readonly OwnEvent[], rows: TradeRows): void {
    for (const one of own) {
      if (isStopped || !isBehind(one.place, place)) continue
      place = one.place
      const fill = asFill(one, rows)
      sink.send({ event: fill.type, id: fill.id, data: JSON.stringify(fill) })
    }
  }

  async function readWindow(from: number, to: number): Promise<void> {
    const found = await database.unit(unitId).read((sql) => readOwnTrades(sql, unitId, instanceId, from, to))
    const own = ownEvents(
      found.map((entry) => ({ number: entry.number, events: readEntry(entry).events })),
      instanceId,
    )
    const rows = await readTradeRows(
      database,
      unitId,
      own.map(({ event }) => event),
    )
    // Asked last: what was taken away while it was read is noticed.
    const [reach] = await database.unit(unitId).read((sql) => readReach(sql, unitId))
    if (reach && reach.archived >= from) {
      isStopped = true
      sink.end('HISTORY_ARCHIVED')
      return
    }
    show(own, rows)
    place = behind(to)
    await sink.drained()
  }

  async function readOlder(upTo: number): Promise<void> {
    for (let from = Math.max(1, firstAfter(after)); from <= upTo && !isStopped; from += WINDOW)
      await readWindow(from, Math.min(from + WINDOW - 1, upTo))
    for (const { own, rows } of waiting.splice(0)) show(own, rows)
    isLive = true
  }

  sink.send({ event: 'ready', id: idOf(after), data: JSON.stringify({ type: 'ready', id: idOf(after) }) })
  readOlder(feed.sequence()).catch(onFailure)
  return {
    onCommit({ entries, rows }: Commit) {
      const own = ownEvents(entries, instanceId)
      if (own.length === 0) return
      if (isLive) show(own, rows)
      else waiting.push({ own, rows })
      if (waiting.length > MOST_WAITING) sink.end('SLOW_CONSUMER')
    },
    onEnd: (reason) => sink.end(reason),
    place: () => idOf(isLive ? behind(feed.sequence()) : place),
    stop() {
      isStopped = true
    },
  }
}
