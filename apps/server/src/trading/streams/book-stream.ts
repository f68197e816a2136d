import { type BookView, POOL } from '@tallystick/engine'
import type { BookSnapshotRecord, BookUpdateRecord } from '@tallystick/wire'
import type { StreamMessage, StreamSink } from '../../platform/http/streams.ts'
import { tradeAfter } from './trade-news.rules.ts'
import type { Commit, FeedListener, UnitFeed } from './unit-feed.ts'
import type { TradeNews } from './unit-picture.rules.ts'

/** All who follow a book are told the same: written once per commit, not once per listener. */
const written = new WeakMap<Commit, Map<string, StreamMessage | null>>()

function once(commit: Commit, name: string, write: () => StreamMessage | null): StreamMessage | null {
  const texts = written.get(commit) ?? new Map<string, StreamMessage | null>()
  written.set(commit, texts)
  const known = texts.get(name)
  if (known !== undefined) return known
  const text = write()
  texts.set(name, text)
  return text
}

const asMessage = (record: BookSnapshotRecord | BookUpdateRecord): StreamMessage => ({
  event: record.type,
  data: JSON.stringify(record),
})

function requireBook({ picture }: UnitFeed, bookId: string): BookView {
  const book = picture.book(bookId)
  if (!book) throw new Error(`the journal knows no book ${bookId}`)
  return book
}

/** The tape of a book: its own trades, and while it pools those of the pool. */
const isSeenOn =
  (bookId: string, isPooling: boolean) =>
  ({ event, isPooled }: TradeNews): boolean =>
    event.book === bookId || event.takerBook === bookId || (isPooled && isPooling)

function tradesFor(bookId: string, isPooling: boolean, { news, rows }: Commit) {
  const seen = news.trades.filter(isSeenOn(bookId, isPooling)).map(({ event }) => event)
  return {
    trades: seen.filter(({ kind }) => kind === 'trade').map((event) => tradeAfter(event, rows)),
    outcomes: seen.flatMap((event) => {
      const { tradeId, settlementError } = tradeAfter(event, rows)
      if (event.kind === 'trade') return []
      return [
        { tradeId, settlementStatus: event.kind === 'tradeSettled' ? 'CONFIRMED' : 'FAILED', settlementError } as const,
      ]
    }),
  }
}

function snapshotOf(
  feed: UnitFeed,
  bookId: string,
  news: Pick<BookSnapshotRecord, 'trades' | 'outcomes'>,
): BookSnapshotRecord {
  const { status, auction, ladder } = requireBook(feed, bookId)
  const levels = feed.picture.ladder(ladder)
  return {
    type: 'snapshot',
    orderBookId: bookId,
    sequence: String(feed.sequence()),
    headHash: feed.headHash(),
    isPooled: ladder === POOL,
    status,
    auctionId: auction,
    bids: levels.bids(),
    asks: levels.asks(),
    ...news,
    checksum: levels.checksum(),
  }
}

/** Null: nothing of it concerns the book. */
function messageFor(
  feed: UnitFeed,
  before: BookView,
  commit: Commit,
  first: number,
): BookSnapshotRecord | BookUpdateRecord | null {
  const { book, status, auction, ladder } = requireBook(feed, before.book)
  const news = tradesFor(book, ladder === POOL || before.ladder === POOL, commit)
  // Other levels than before, most of which did not change: only the whole of them can be told.
  if (ladder !== before.ladder) return snapshotOf(feed, book, news)
  const changed = commit.news.levels.get(ladder)
  const isSame = status === before.status && auction === before.auction
  if (!changed && isSame && news.trades.length === 0 && news.outcomes.length === 0) return null
  return {
    type: 'update',
    firstSequence: String(first),
    lastSequence: String(commit.last),
    headHash: commit.headHash,
    status,
    auctionId: auction,
    bids: [...(changed?.bids.values() ?? [])],
    asks: [...(changed?.asks.values() ?? [])],
    ...news,
    checksum: feed.picture.ladder(ladder).checksum(),
  }
}

/** Shows a book now, and every commit that changes it from here on. What does not concern it is part of the next range. */
export function followBook(feed: UnitFeed, bookId: string, sink: StreamSink): FeedListener {
  let before = requireBook(feed, bookId)
  let sent = feed.sequence()
  sink.send(asMessage(snapshotOf(feed, bookId, { trades: [], outcomes: [] })))
  return {
    onCommit(commit) {
      const message = once(commit, `${bookId} ${sent}`, () => {
        const record = messageFor(feed, before, commit, sent + 1)
        return record && asMessage(record)
      })
      before = requireBook(feed, bookId)
      if (!message) return
      sent = commit.last
      sink.send(message)
    },
    onEnd: (reason) => sink.end(reason),
  }
}
