import { cancelAuction, openAuction, uncross } from './auction/auction.ts'
import { type Clearing, clearingPrice } from './auction/clearing-price.ts'
import { openBook, setPooled, updateBook } from './books/books.ts'
import { setReference } from './books/reference.ts'
import type { Amend, Command, Place } from './commands.ts'
import type { EngineEvent } from './events.ts'
import { sha256 } from './journal/hash.ts'
import { restoreUnit, snapshotParts, takeSnapshot } from './journal/snapshot.ts'
import { amend } from './orders/amend.ts'
import { cancel, expireDue, massCancel } from './orders/cancel.ts'
import { type MakerView, makersFor } from './orders/makers.ts'
import { place } from './orders/place.ts'
import type { Refusal } from './orders/refusal.ts'
import { report } from './orders/report.ts'
import { type Reservation, reservationFor } from './orders/reservation-for.ts'
import { settle, unwind } from './orders/settlement.ts'
import { type BookView, viewBooks } from './unit/book-view.ts'
import { type Depth, depthOf } from './unit/depth.ts'
import { tellLevels } from './unit/levels-told.ts'
import { type OrderView, toView, viewOrder } from './unit/order-view.ts'
import { createUnit, takeEvents, tell, type Unit } from './unit/unit.ts'

/** One matching unit: a lone book, or the books of a pool. */
export interface Engine {
  /** Does one command, whole. What came of it is all in the events. */
  apply(command: Command): EngineEvent[]
  /** What has to be reserved before the command is done, if anything. */
  reservationFor(command: Place | Amend): Reservation | null
  /** The resting orders that the command would meet if it were done next, best first. Changes nothing. */
  makersFor(command: Place): readonly MakerView[]
  /** When the next live order expires, in milliseconds. */
  nextExpiry(): number | null
  /** Every book, and whether it stands alone or in the pool. */
  books(): readonly BookView[]
  /** The levels a book trades on, best first: with its pool, while it is in one. Null: no such book. */
  depth(book: string, levels: number): Depth | null
  /** What the auction of a book has collected, oldest first. Empty: nothing, or no auction. */
  collected(book: string): readonly OrderView[]
  /** What its auction would clear at if it ended now, as far as prices decide. Null: nothing crosses, or no auction. */
  indicative(book: string): Clearing | null
  /** A live order, or an ended one with trades that can still fail. */
  order(id: string): OrderView | null
  /** The state as one text; the same state always gives the same bytes. */
  snapshot(): string
  /** The same text in parts. The state is that of now; commands may be applied before the last part is asked for. */
  snapshotParts(): Iterable<string>
  /** How many orders a snapshot would hold. */
  size(): number
  stateHash(): string
}

export const createEngine = (): Engine => engineOf(createUnit())

export const restoreEngine = (snapshot: string): Engine => engineOf(restoreUnit(snapshot))

function engineOf(unit: Unit): Engine {
  return {
    apply(command) {
      if (command.at > unit.now) {
        unit.now = command.at
        expireDue(unit)
      }
      const refusal = perform(unit, command)
      if (refusal) tell(unit, { kind: 'refused', command: command.kind, subject: subjectOf(command), ...refusal })
      tellLevels(unit)
      return takeEvents(unit)
    },
    reservationFor: (command) => reservationFor(unit, command),
    makersFor: (command) => makersFor(unit, command),
    nextExpiry: () => unit.expiry.nextMoment(),
    books: () => viewBooks(unit),
    depth: (book, levels) => depthOf(unit, book, levels),
    collected: (book) => [...(unit.books.get(book)?.pending ?? [])].map(toView),
    indicative(id) {
      const book = unit.books.get(id)
      return book ? clearingPrice([...book.pending], book.reference?.price ?? null) : null
    },
    order: (id) => viewOrder(unit, id),
    snapshot: () => takeSnapshot(unit),
    snapshotParts: () => snapshotParts(unit),
    size: () => unit.orders.count(),
    stateHash: () => sha256(takeSnapshot(unit)),
  }
}

function subjectOf(command: Command): string {
  if ('order' in command) return command.order
  if ('trade' in command) return String(command.trade)
  return ('book' in command ? command.book : undefined) ?? ''
}

function perform(unit: Unit, command: Command): Refusal | null {
  switch (command.kind) {
    case 'place':
      return place(unit, command)
    case 'cancel':
      return cancel(unit, command)
    case 'amend':
      return amend(unit, command)
    case 'massCancel':
      return massCancel(unit, command)
    case 'settle':
      return settle(unit, command)
    case 'unwind':
      return unwind(unit, command)
    case 'setReference':
      return setReference(unit, command)
    case 'openAuction':
      return openAuction(unit, command)
    case 'uncross':
      return uncross(unit, command)
    case 'cancelAuction':
      return cancelAuction(unit, command)
    case 'openBook':
      return openBook(unit, command)
    case 'updateBook':
      return updateBook(unit, command)
    case 'pool':
    case 'unpool':
      return setPooled(unit, command)
    case 'report':
      return report(unit, command)
    case 'expire':
      return null
  }
}
