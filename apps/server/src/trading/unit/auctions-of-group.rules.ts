import type { Amount, EngineEvent } from '@tallystick/engine'

/** The auction that collects the orders of a book. */
export interface RunningAuction {
  readonly auctionId: string
  readonly endsAt: Date
}

export interface AuctionRow extends RunningAuction {
  readonly bookId: string
  /** By the clock of the database, like its end: workers' clocks differ. */
  readonly startedAt: Date
}

export interface EndedAuction {
  readonly auctionId: string
  readonly outcome: 'CLEARED' | 'CANCELLED'
  readonly price: Amount | null
  readonly volume: Amount
  readonly orders: number
}

interface BookBefore {
  readonly currentAuctionId: string | null
  readonly currentAuctionEndsAt: Date | null
  readonly readAt: Date
}

/** What a group of commands does to the auctions of its books. */
export function createAuctionsOfGroup(bookOf: (bookId: string) => BookBefore | undefined) {
  const planned = new Map<string, AuctionRow>()
  const running = new Map<string, RunningAuction | null>()
  /** New ones, and old ones whose end moved. */
  const rows = new Map<string, AuctionRow>()
  const ended = new Map<string, EndedAuction>()

  function runningOn(bookId: string): RunningAuction | null {
    const known = running.get(bookId)
    if (known !== undefined) return known
    const { currentAuctionId: auctionId = null, currentAuctionEndsAt: endsAt = null } = bookOf(bookId) ?? {}
    return auctionId === null || endsAt === null ? null : { auctionId, endsAt }
  }

  /** What the book's row says of it. */
  const columnsOf = (auction: RunningAuction | null) => ({
    current_auction_id: auction?.auctionId ?? null,
    current_auction_ends_at: auction?.endsAt ?? null,
  })

  function changed(bookId: string, auctionId: string | null) {
    const before = runningOn(bookId)
    // A book that closes drops its auction without a word.
    if (before && !ended.has(before.auctionId))
      ended.set(before.auctionId, {
        auctionId: before.auctionId,
        outcome: 'CANCELLED',
        price: null,
        volume: 0,
        orders: 0,
      })
    const row = auctionId === null ? null : planned.get(auctionId)
    if (row === undefined) throw new Error(`nobody said how long auction ${auctionId} runs`)
    running.set(bookId, row)
    if (row) rows.set(row.auctionId, row)
    return columnsOf(row)
  }

  return {
    rows,
    ended,
    runningOn,

    /** How long an auction runs, said before the command that opens it; of one that runs, from now on. Its columns, if it runs. */
    plan(bookId: string, auctionId: string, seconds: number) {
      const startedAt = bookOf(bookId)?.readAt
      if (!startedAt) throw new Error(`the unit holds no book ${bookId}`)
      const row = { auctionId, bookId, startedAt, endsAt: new Date(startedAt.getTime() + seconds * 1000) }
      if (runningOn(bookId)?.auctionId !== auctionId) {
        planned.set(auctionId, row)
        return undefined
      }
      running.set(bookId, row)
      rows.set(auctionId, row)
      return columnsOf(row)
    },

    /** The columns of every book whose auction changed. */
    take(events: readonly EngineEvent[]): [bookId: string, columns: ReturnType<typeof columnsOf>][] {
      const books: [string, ReturnType<typeof columnsOf>][] = []
      for (const event of events) {
        if (event.kind === 'auctionEnded') {
          const { auction: auctionId, outcome, price, volume, orders } = event
          ended.set(auctionId, { auctionId, outcome, price, volume, orders })
        }
        if (event.kind === 'bookChanged' && event.auction !== (runningOn(event.book)?.auctionId ?? null))
          books.push([event.book, changed(event.book, event.auction)])
      }
      return books
    },
  }
}

export type AuctionsOfGroup = ReturnType<typeof createAuctionsOfGroup>
