import {
  type Amend,
  type Amount,
  appendEntry,
  type Command,
  type EngineEvent,
  type MakerView,
  type OrderView,
  type Place,
  type Refused,
} from '@tallystick/engine'
import { AppError } from '../../platform/app-error.ts'
import type { ReplayedAnswer } from '../../platform/once.ts'
import type { AuctionsOfGroup, RunningAuction } from './auctions-of-group.rules.ts'
import type { CustodyMoney } from './custody-money.rules.ts'
import type { Fold, Folded } from './fold.rules.ts'
import type { Funds } from './group.ts'
import type { LoggedPrice } from './group-facts.store.ts'
import type { AccountFacts, BookFacts, GroupFacts } from './group-facts.ts'
import { nameOfKey } from './lane-facts.ts'
import { asUsed } from './lane-keys.ts'
import type { KeptKey, KeyName } from './lane-rows.rules.ts'
import type { Money } from './money.rules.ts'
import type { Party } from './party.rules.ts'
import type { UnitState } from './unit-memory.ts'
import type { NewOrder, OrderRow, SignedOrder } from './unit-rows.rules.ts'

export type Placed = Folded & {
  readonly order: OrderRow
  readonly events: readonly EngineEvent[]
  /** The auction that collected it, if one did. */
  readonly auction: RunningAuction | null
}

/** What one request sees of its unit while it is its turn: all that was committed, and what the turns before it did. */
export interface Turn {
  readonly at: Date
  book(bookId: string): BookFacts | undefined
  order(orderId: string): OrderView | null
  account(party: Party): AccountFacts | undefined
  orderNamed(party: Party, clientOrderId: string): string | undefined
  /** The ledger behind the orders. */
  money(): Money
  /** The reservations behind them, where trades settle on chain. */
  custody(): CustodyMoney
  /** Resting orders that an order would meet, best first; those it may not trade with too. */
  makersFor(command: Place): readonly MakerView[]
  /** What the command needs reserved, if anything; an order that needs nothing will be refused. */
  needed(command: Place | Amend): Amount
  place(command: Place, order: NewOrder): Placed | { readonly refused: Refused }
  /** Any other command. It carries no time, so that a refusal leaves no trace. */
  execute(command: Command): Folded & { readonly events: readonly EngineEvent[] }
  /** What that auction has collected so far, oldest first. */
  collected(bookId: string): readonly OrderView[]
  /** The auction that collects the orders of a book now. */
  auction(bookId: string): RunningAuction | null
  /** Before the command that opens an auction: how long it runs. Said of the one that runs, its end moves. */
  planAuction(bookId: string, auctionId: string, seconds: number): void
  /** What was signed for a trade that no order of the book leads to. */
  keepSigned(orderId: string, signed: SignedOrder): void
  /** Columns of a settlement's row. Its status follows from its trades. */
  changeSettlement(settlementId: string, columns: Readonly<Record<string, unknown>>): void
  /** Columns of the book's row that follow from what was executed. */
  changeBook(bookId: string, columns: Readonly<Record<string, unknown>>): void
  logPrice(price: LoggedPrice): void
  /** How the request with this idempotency key ended before: as an error, which repeats what was answered. */
  endOfKey(instanceId: string, asked: KeyName): AppError | ReplayedAnswer | undefined
  /** Keeps what is answered to an order in the commit of the order. */
  keepAnswer(instanceId: string, kept: KeptKey): void
}

const refusalIn = (events: readonly EngineEvent[]) => events.find((event) => event.kind === 'refused')

export interface TurnParts {
  readonly at: Date
  readonly state: UnitState
  readonly facts: GroupFacts
  readonly fold: Fold
  readonly funds: Funds
  readonly entries: { number: number; body: string; hash: string }[]
  readonly bookChanges: Map<string, Record<string, unknown>>
  readonly settlementChanges: Map<string, Record<string, unknown>>
  readonly prices: LoggedPrice[]
  readonly keys: InstanceKey[]
  readonly auctions: AuctionsOfGroup
}

/** An answer that is kept, and whose it is. */
export interface InstanceKey extends KeptKey {
  readonly instanceId: string
}

/** The turns of a group share all of this: what one did, the next one sees. */
export function createTurn(parts: TurnParts): { turn: Turn; expireDue(): void } {
  const { at, state, facts, fold, funds, entries, bookChanges, settlementChanges, prices, keys, auctions } = parts
  const { engine } = state
  const { money } = funds
  const now = at.getTime()
  /** What the last command that was asked about needs, until another one is done. */
  let asked: { readonly command: Place | Amend; readonly needed: Amount } | undefined
  /** Ids used by earlier turns of the group. */
  const named = new Map<string, string>()
  const nameOf = ({ instanceId, holder }: Party, id: string) => `${instanceId} ${holder}\n${id}`

  function neededFor(command: Place | Amend): Amount {
    if (asked?.command !== command) asked = { command, needed: engine.reservationFor(command)?.amount ?? 0 }
    return asked.needed
  }

  function apply(command: Command): EngineEvent[] {
    asked = undefined
    return engine.apply(command)
  }

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

  /** Before all turns: what is due is no more, so no turn ends an order by the hour it came at. */
  function expireDue(): void {
    const due = engine.nextExpiry()
    if (due === null || due > now) return
    const command: Command = { kind: 'expire', at: now }
    const events = apply(command)
    if (events.length === 0) return
    const number = journal(command, events)
    money.take(events)
    fold.take(events, number)
  }

  const turn: Turn = {
    at,
    // Not accessors: for those V8 makes a class for each turn, and what its functions see lives until the next major collection.
    money() {
      if (funds.kind !== 'ledger') throw new Error('this unit has no ledger: its trades settle on chain')
      return funds.money
    },
    custody() {
      if (funds.kind !== 'custody')
        throw new Error('this unit has no custody contract: its trades settle in the ledger')
      return funds.money
    },
    makersFor: (command) => engine.makersFor(command),
    book: (bookId) => facts.books.get(bookId),
    order: (orderId) => engine.order(orderId),
    account: (party) => facts.accountOf(party),
    orderNamed: (party, id) => named.get(nameOf(party, id)) ?? facts.orderNamed(party, id),
    needed: neededFor,

    place(command, order) {
      // What needs nothing will be refused: without a time of its own it then changes nothing, and needs no journal entry.
      const timed = { ...command, at: neededFor(command) > 0 ? now : 0 }
      const events = apply(timed)
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
      const auction = row.status === 'AUCTION_PENDING' ? auctions.runningOn(order.bookId) : null
      row.auctionId = auction?.auctionId ?? null
      const { trades, ended, isSelfTradePrevented } = folded
      return { trades, ended, isSelfTradePrevented, events, auction, order: { ...row } }
    },

    execute(command) {
      const timeless = { ...command, at: 0 }
      const events = apply(timeless)
      if (events.length === 1 && refusalIn(events))
        return { events, trades: [], ended: [], isSelfTradePrevented: false }
      const number = journal(timeless, events)
      money.take(events)
      // A circuit breaker pauses a book without being asked.
      for (const event of events)
        if (event.kind === 'bookChanged' && event.status !== statusOf(event.book))
          changeBook(event.book, { status: event.status })
      for (const [bookId, columns] of auctions.take(events)) changeBook(bookId, columns)
      return { ...fold.take(events, number), events }
    },

    collected: (bookId) => engine.collected(bookId),
    auction: (bookId) => auctions.runningOn(bookId),
    planAuction(bookId, auctionId, seconds) {
      const columns = auctions.plan(bookId, auctionId, seconds)
      if (columns) changeBook(bookId, columns)
    },
    keepSigned: (orderId, signed) => fold.signed(orderId, signed),
    changeSettlement(settlementId, columns) {
      settlementChanges.set(settlementId, { ...settlementChanges.get(settlementId), ...columns, updated_at: at })
    },
    changeBook,
    logPrice: (price) => prices.push(price),
    endOfKey(instanceId, asked) {
      const found = facts.keyFound(instanceId, asked)
      if (found) return asUsed(found)
      const isKept = keys.some((kept) => kept.instanceId === instanceId && nameOfKey(kept) === nameOfKey(asked))
      return isKept ? new AppError('IDEMPOTENCY_IN_FLIGHT') : undefined
    },
    keepAnswer: (instanceId, kept) => keys.push({ instanceId, ...kept }),
  }
  return { turn, expireDue }
}
