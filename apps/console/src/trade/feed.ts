import { type BookMessage, streamBook } from '../api/stream.ts'
import { type Kind, listTape, type Trade } from '../api/trading.ts'

export type Level = BookMessage['bids'][number]

export interface FeedState {
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
  /** Newest first. */
  readonly tape: readonly Trade[]
  readonly status: BookMessage['status']
  readonly auctionId: string | null
  /** The last journal entry that is in it. */
  readonly sequence: string
  readonly connection: 'opening' | 'live' | 'lost'
}

export interface FeedNews {
  /** The stream began, or began again: whatever was read before may be old. */
  readonly isFresh: boolean
  readonly trades: readonly Trade[]
  /** Trades that failed to settle: they count nowhere any more. */
  readonly hasFailed: boolean
}

/** More than a screen shows. */
const LEVELS = 50
const TAPE = 30
/** Nobody reads figures that change more often. */
const DRAW_MS = 100

const EMPTY: FeedState = {
  ...{ bids: [], asks: [], tape: [], status: 'ACTIVE', auctionId: null, sequence: '', connection: 'opening' },
}

function joined(fresh: readonly Trade[], known: readonly Trade[]): readonly Trade[] {
  const ids = new Set(fresh.map(({ tradeId }) => tradeId))
  return [...fresh, ...known.filter(({ tradeId }) => !ids.has(tradeId))].slice(0, TAPE)
}

/** Levels, tape and status of one book from its one stream. What is new is drawn with the next frame, ten times a second at most. */
export function createFeed(kind: Kind, bookId: string) {
  let state = EMPTY
  let latest: { book: { bids(limit: number): Level[]; asks(limit: number): Level[] } } | undefined
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let drawnAt = 0
  const stop = new AbortController()
  const listeners = new Set<() => void>()
  const hearers = new Set<(news: FeedNews) => void>()

  function draw(now: number): void {
    frame = 0
    drawnAt = now
    if (latest) state = { ...state, bids: latest.book.bids(LEVELS), asks: latest.book.asks(LEVELS) }
    for (const listener of listeners) listener()
  }

  function drawSoon(): void {
    if (frame !== 0 || timer !== undefined) return
    timer = setTimeout(
      () => {
        timer = undefined
        frame = requestAnimationFrame(draw)
      },
      drawnAt + DRAW_MS - performance.now(),
    )
  }

  async function readTape(): Promise<void> {
    const read = await listTape(kind, bookId, TAPE)
    // What came over the stream meanwhile is newer.
    state = { ...state, tape: joined(state.tape.filter(isNewerThan(read[0])), read) }
    drawSoon()
  }

  const isNewerThan = (one: Trade | undefined) => (trade: Trade) => one === undefined || trade.createdAt > one.createdAt

  function take(message: BookMessage, book: NonNullable<typeof latest>['book']): void {
    latest = { book }
    const { status, auctionId, trades, outcomes } = message
    const failed = new Map(outcomes.map((outcome) => [outcome.tradeId, outcome]))
    const known =
      failed.size === 0 ? state.tape : state.tape.map((trade) => ({ ...trade, ...failed.get(trade.tradeId) }))
    const sequence = message.type === 'snapshot' ? message.sequence : message.lastSequence
    const tape = trades.length === 0 ? known : joined(trades.toReversed(), known)
    state = { ...state, status, auctionId, sequence, tape, connection: 'live' }
    const isFresh = message.type === 'snapshot'
    if (isFresh) void readTape().catch(() => {})
    const hasFailed = outcomes.some(({ settlementStatus }) => settlementStatus === 'FAILED')
    if (isFresh || trades.length > 0 || outcomes.length > 0)
      for (const hear of hearers) hear({ isFresh, trades, hasFailed })
    drawSoon()
  }

  async function run(): Promise<void> {
    const onLost = () => {
      state = { ...state, connection: 'lost' }
      drawSoon()
    }
    try {
      for await (const { message, book } of streamBook(kind, bookId, { signal: stop.signal, onLost }))
        take(message, book)
    } catch (error) {
      if (stop.signal.aborted) return
      onLost()
      throw error
    }
  }

  return {
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Told at once, not once per frame. */
    hear(hearer: (news: FeedNews) => void) {
      hearers.add(hearer)
      return () => hearers.delete(hearer)
    },
    start: () => void run().catch(() => {}),
    stop() {
      stop.abort()
      clearTimeout(timer)
      cancelAnimationFrame(frame)
    },
  }
}

export type Feed = ReturnType<typeof createFeed>
