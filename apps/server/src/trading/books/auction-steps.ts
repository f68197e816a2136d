import { AppError } from '../../platform/app-error.ts'
import type { Looks, Turn } from '../unit/index.ts'
import type { AuctionSettings } from './auction-settings.ts'

/** What was found of the orders that an auction has collected, before the turn in which they are cleared. */
export interface AuctionLook {
  /** Whom the turn has to know. */
  readonly looks: readonly Looks[]
  /** What everybody waits for, as the beginning of a sentence; null: the auction can be cleared. */
  waitsFor(turn: Turn): string | null
  /** Ends what would not be taken if it came now, each with the reason. */
  prune(turn: Turn): void
}

type Status = 'ACTIVE' | 'PAUSED' | 'CLOSED'

/** From now on the book collects orders, those that rest included. */
export function beginAuction(turn: Turn, bookId: string, auctionId: string, seconds: number): void {
  turn.planAuction(bookId, auctionId, seconds)
  const [first] = turn.execute({ kind: 'openAuction', at: 0, book: bookId, auction: auctionId }).events
  if (first?.kind === 'refused') throw new Error(`an auction could not be opened: ${first.code}`)
}

/** Clears what was collected; `next` follows at once, or the book trades continuously. */
export function clearAuction(turn: Turn, bookId: string, next: { auctionId: string; seconds: number } | null): void {
  if (next) turn.planAuction(bookId, next.auctionId, next.seconds)
  const { events } = turn.execute({
    kind: 'uncross',
    at: 0,
    book: bookId,
    ...(next ? { next: next.auctionId } : {}),
  })
  if (events[0]?.kind === 'refused') throw new Error(`an auction could not be cleared: ${events[0].code}`)
}

/** Asked before anything is done: a paused book clears nothing. */
export function requireClearable(turn: Turn, bookId: string, after: Status, { tradingMode }: AuctionSettings): void {
  if (tradingMode === 'CONTINUOUS' && after === 'PAUSED' && turn.auction(bookId))
    throw new AppError('INVALID_CONFIG', {
      detail: 'The running auction cannot be cleared while the book is paused: send status ACTIVE with it.',
    })
}

/**
 * Brings a book's auction in line with its settings. Who leaves auctions clears the running one now; what is left of its orders goes to the
 * continuous book, or is cancelled, as the book says. A book that is resumed gives its auction a whole interval again.
 */
export function alignAuction(
  turn: Turn,
  bookId: string,
  { before, after }: { readonly before: Status; readonly after: Status },
  { tradingMode, auctionIntervalSeconds: seconds }: AuctionSettings,
  newAuctionId: () => string,
): void {
  const running = turn.auction(bookId)
  if (after !== 'ACTIVE') return
  if (tradingMode === 'CONTINUOUS') {
    if (running) clearAuction(turn, bookId, null)
  } else if (seconds !== null) {
    if (running && before !== 'ACTIVE') turn.planAuction(bookId, running.auctionId, seconds)
    if (!running && tradingMode === 'PERIODIC_AUCTION') beginAuction(turn, bookId, newAuctionId(), seconds)
  }
}
