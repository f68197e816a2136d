import {
  type BookChanged,
  type BookView,
  type Depth,
  type EngineEvent,
  type LevelChanged,
  POOL,
  type Trade,
  type TradeFailed,
  type TradeSettled,
} from '@tallystick/engine'
import { createLadder, type Ladder, type StreamLevel } from '@tallystick/wire'

/** A unit at one place of its journal, as the engine shows it. */
export interface UnitView {
  readonly sequence: number
  readonly headHash: string
  readonly books: readonly BookView[]
  /** By name. */
  readonly ladders: ReadonlyMap<string, Depth>
}

export interface Entry {
  readonly number: number
  readonly events: readonly EngineEvent[]
}

export interface TradeNews {
  readonly event: Trade | TradeSettled | TradeFailed
  /** The maker's book pooled when it happened: all who pool see it. */
  readonly isPooled: boolean
}

/** By price; what a level shows after the commit. */
export interface ChangedLevels {
  readonly bids: Map<string, StreamLevel>
  readonly asks: Map<string, StreamLevel>
}

/** What one commit changed. */
export interface UnitNews {
  readonly levels: ReadonlyMap<string, ChangedLevels>
  readonly trades: readonly TradeNews[]
}

export interface UnitPicture {
  book(bookId: string): BookView | undefined
  ladder(name: string): Ladder
  take(entries: readonly Entry[]): UnitNews
}

const levelOf = ({ price, quantity, orders }: Pick<LevelChanged, 'price' | 'quantity' | 'orders'>): StreamLevel => ({
  price: String(price),
  quantity: String(quantity),
  orderCount: orders,
})

function ladderFrom({ bids, asks }: Depth): Ladder {
  const ladder = createLadder()
  for (const level of bids.toReversed()) ladder.setBid(levelOf(level))
  for (const level of asks.toReversed()) ladder.setAsk(levelOf(level))
  return ladder
}

/** All ladders of a unit, kept from what the journal tells about them: whichever one a book stands on next is there already. */
export function createUnitPicture(view: UnitView): UnitPicture {
  const books = new Map(view.books.map((book) => [book.book, book]))
  const ladders = new Map([...view.ladders].map(([name, depth]) => [name, ladderFrom(depth)]))

  function ladder(name: string): Ladder {
    const known = ladders.get(name) ?? createLadder()
    ladders.set(name, known)
    return known
  }

  function takeLevel(event: LevelChanged, changed: Map<string, ChangedLevels>): void {
    const own = changed.get(event.ladder) ?? { bids: new Map(), asks: new Map() }
    changed.set(event.ladder, own)
    const level = levelOf(event)
    const isBid = event.side === 'BUY'
    if (isBid) ladder(event.ladder).setBid(level)
    else ladder(event.ladder).setAsk(level)
    ;(isBid ? own.bids : own.asks).set(level.price, level)
  }

  /** The engine's own rule: a book stands in the pool while it is in it, active, and in no auction. */
  function takeBook({ book, status, pooled, auction }: BookChanged): void {
    const isPooling = pooled && status === 'ACTIVE' && auction === null
    books.set(book, { book, status, auction, ladder: isPooling ? POOL : book })
  }

  return {
    book: (bookId) => books.get(bookId),
    ladder,
    take(entries) {
      const levels = new Map<string, ChangedLevels>()
      const trades: TradeNews[] = []
      for (const event of entries.flatMap(({ events }) => events)) {
        if (event.kind === 'level') takeLevel(event, levels)
        else if (event.kind === 'bookChanged') takeBook(event)
        else if (event.kind === 'trade' || event.kind === 'tradeSettled' || event.kind === 'tradeFailed')
          trades.push({ event, isPooled: books.get(event.book)?.ladder === POOL })
      }
      return { levels, trades }
    },
  }
}
