import {
  type Amend,
  type Amount,
  appendEntry,
  type Command,
  type EngineEvent,
  type OrderView,
  type Place,
  type Refused,
} from '@tallystick/engine'
import type { Fold, Folded } from './fold.rules.ts'
import type { LoggedPrice } from './group-facts.store.ts'
import type { AccountFacts, BookFacts, GroupFacts } from './group-facts.ts'
import type { Money } from './money.rules.ts'
import type { Party } from './party.rules.ts'
import type { UnitState } from './unit-memory.ts'
import type { NewOrder, OrderRow } from './unit-rows.rules.ts'

export type Placed = Folded & { readonly order: OrderRow; readonly events: readonly EngineEvent[] }

/** What one request sees of its unit while it is its turn: all that was committed, and what the turns before it did. */
export interface Turn {
  readonly at: Date
  book(bookId: string): BookFacts | undefined
  order(orderId: string): OrderView | null
  account(party: Party): AccountFacts | undefined
  orderNamed(party: Party, clientOrderId: string): string | undefined
  readonly money: Money
  /** What the command needs reserved, if anything; an order that needs nothing will be refused. */
  needed(command: Place | Amend): Amount
  place(command: Place, order: NewOrder): Placed | { readonly refused: Refused }
  /** Any other command. It carries no time, so that a refusal leaves no trace. */
  execute(command: Command): Folded & { readonly events: readonly EngineEvent[] }
  /** Columns of the book's row that follow from what was executed. */
  changeBook(bookId: string, columns: Readonly<Record<string, unknown>>): void
  logPrice(price: LoggedPrice): void
}

const refusalIn = (events: readonly EngineEvent[]) => events.find((event) => event.kind === 'refused')

export interface TurnParts {
  readonly at: Date
  readonly state: UnitState
  readonly facts: GroupFacts
  readonly fold: Fold
  readonly money: Money
  readonly entries: { number: number; body: string; hash: string }[]
  readonly bookChanges: Map<string, Record<string, unknown>>
  readonly prices: LoggedPrice[]
}

/** The turns of a group share all of this: what one did, the next one sees. */
export function createTurn({ at, state, facts, fold, money, entries, bookChanges, prices }: TurnParts): Turn {
  const { engine } = state
  const now = at.getTime()
  /** Ids used by earlier turns of the group. */
  const named = new Map<string, string>()
  const nameOf = ({ instanceId, holder }: Party, id: string) => `${instanceId} ${holder}\n${id}`

  /** Journals what was applied; a refusal that changed nothing needs no entry. */
  function journal(command: Command, events: readonly EngineEvent[]): number {
    const { number, body, hash } = appendEntry(state.head, command, events)
    state.head = { number, hash }
    entries.push({ number, body, hash })
    return number
  }

  function changeBook(bookId: string, columns: Readonly<Record<string, unknown>>): void {
    bookChanges.set(bookId, { ...bookChanges.get(bookId), ...columns, updated_at: at })
  }

  const statusOf = (bookId: string) => bookChanges.get(bookId)?.status ?? facts.books.get(bookId)?.status

  return {
    at,
    money,
    book: (bookId) => facts.books.get(bookId),
    order: (orderId) => engine.order(orderId),
    account: (party) => facts.accountOf(party),
    orderNamed: (party, id) => named.get(nameOf(party, id)) ?? facts.orderNamed(party, id),
    needed: (command) => engine.reservationFor(command)?.amount ?? 0,

    place(command, order) {
      // What needs nothing will be refused: without a time of its own it then changes nothing, and needs no journal entry.
      const timed = { ...command, at: engine.reservationFor(command) ? now : 0 }
      const events = engine.apply(timed)
      const refused = refusalIn(events)
      if (refused && events.length === 1 && timed.at === 0) return { refused }
      if (refused) throw new Error(`the unit refused an order that it said it would take: ${refused.code}`)
      const { price = null, quantity } = command
      const number = journal(timed, events)
      fold.placed(order, price, quantity, number)
      money.take(events)
      const folded = fold.take(events, number)
      const row = fold.orders.get(order.orderId)
      if (!row) throw new Error('an order that was placed has no row')
      if (order.clientOrderId !== null) named.set(nameOf(order, order.clientOrderId), order.orderId)
      return { ...folded, events, order: { ...row } }
    },

    execute(command) {
      const timeless = { ...command, at: 0 }
      const events = engine.apply(timeless)
      if (events.length === 1 && refusalIn(events))
        return { events, trades: [], ended: [], isSelfTradePrevented: false }
      const number = journal(timeless, events)
      money.take(events)
      // A circuit breaker pauses a book without being asked.
      for (const event of events)
        if (event.kind === 'bookChanged' && event.status !== statusOf(event.book))
          changeBook(event.book, { status: event.status })
      return { ...fold.take(events, number), events }
    },

    changeBook,
    logPrice: (price) => prices.push(price),
  }
}
