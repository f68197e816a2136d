import type { BookRules } from '../commands.ts'
import type { Trade } from '../events.ts'
import type { BookStatus } from '../terms.ts'
import { type Book, createBook, isPooling, type Reference } from '../unit/book.ts'
import { append, levelAt, ownRows } from '../unit/ladder.ts'
import { blankOrder, isLive, isResting, type Order, sharedTerms } from '../unit/order.ts'
import { hashOf } from '../unit/order-table.ts'
import { type OrderView, toView } from '../unit/order-view.ts'
import { createUnit, ordersOf, type Unit, type UnsettledTrade } from '../unit/unit.ts'
import { canonicalText, readCanonicalText } from './canonical-text.ts'
import { orderText } from './order-text.ts'

export const SNAPSHOT_VERSION = 1

type StoredBook = Pick<Book, 'id' | 'instance' | 'base' | 'quote' | 'staged' | 'pooled'> & {
  readonly rules: BookRules
  readonly status: BookStatus
  readonly reference: Reference | null
  readonly auction: string | null
}
/** Its orders go by the ids in `told`. */
type StoredTrade = Omit<UnsettledTrade, 'orders'> & { readonly hasOrders: boolean }

interface Stored {
  readonly version: number
  readonly now: number
  readonly born: number
  readonly turns: number
  readonly trades: number
  readonly books: readonly StoredBook[]
  readonly orders: readonly OrderView[]
  readonly unsettled: readonly StoredTrade[]
}

const storedBook = ({
  id,
  instance,
  base,
  quote,
  staged,
  pooled,
  rules,
  status,
  reference,
  auction,
}: Book): StoredBook => ({
  id,
  instance,
  base,
  quote,
  staged,
  pooled,
  rules,
  status,
  reference,
  auction,
})

const storedTrade = (trade: UnsettledTrade): StoredTrade => ({
  told: trade.told,
  makerBaseCarry: trade.makerBaseCarry,
  makerQuoteCarry: trade.makerQuoteCarry,
  takerBaseCarry: trade.takerBaseCarry,
  takerQuoteCarry: trade.takerQuoteCarry,
  hasOrders: trade.orders !== null,
})

/** Orders that are written in one go: a millisecond or two. */
const ORDERS_OF_A_PART = 200

/**
 * Everything that decides what a unit does next, as one text in parts: equal units give equal bytes. The unit is looked at now; it may go on
 * while the parts are written.
 */
export function snapshotParts(unit: Unit): Iterable<string> {
  const { now, born, turns, trades } = unit
  const books = [...unit.books.values()].map(storedBook).sort((a, b) => (a.id < b.id ? -1 : 1))
  const unsettled = [...unit.unsettled.values()].map(storedTrade).sort((a, b) => a.told.trade - b.told.trade)
  const before: Pick<Stored, 'books' | 'born' | 'now'> = { books, born, now }
  const after: Omit<Stored, keyof typeof before | 'orders'> = { trades, turns, unsettled, version: SNAPSHOT_VERSION }
  return partsOf(canonicalText(before), unit.orders.all().map(toView), canonicalText(after))
}

/** The orders stand among the other fields, by the order of the keys. */
function* partsOf(before: string, orders: OrderView[], after: string): Generator<string> {
  yield `${before.slice(0, -1)},"orders":[`
  orders.sort((a, b) => a.born - b.born)
  for (let from = 0; from < orders.length; from += ORDERS_OF_A_PART) {
    const texts = orders.slice(from, from + ORDERS_OF_A_PART).map(orderText)
    yield `${from === 0 ? '' : ','}${texts.join(',')}`
  }
  yield `],${after.slice(1)}`
}

export const takeSnapshot = (unit: Unit): string => [...snapshotParts(unit)].join('')

export function restoreUnit(snapshot: string): Unit {
  const stored = readCanonicalText(snapshot) as Stored
  if (stored.version !== SNAPSHOT_VERSION) throw new Error(`A snapshot of version ${stored.version} cannot be read`)
  const unit = createUnit()
  const { now, born, turns, trades } = stored
  Object.assign(unit, { now, born, turns, trades })
  for (const { id, status, reference, auction, ...opened } of stored.books) {
    const book = createBook({ book: id, ...opened })
    Object.assign(book, { status, reference, auction })
    if (isPooling(book)) book.ladder = unit.pool
    unit.books.set(id, book)
  }
  for (const order of stored.orders) unit.orders.add(restoreOrder(unit, order))
  for (const order of ordersOf(unit, isLive)) putBack(unit, order)
  for (const { hasOrders, ...trade } of stored.unsettled)
    unit.unsettled.set(trade.told.trade, { ...trade, orders: hasOrders ? ordersIn(unit, trade.told) : null })
  return unit
}

function ordersIn(unit: Unit, { makerOrder, takerOrder }: Trade): UnsettledTrade['orders'] {
  return {
    maker: known(unit.orders.find(makerOrder), makerOrder),
    taker: known(unit.orders.find(takerOrder), takerOrder),
  }
}

function known<Item>(item: Item | null | undefined, id: string): Item {
  if (item === undefined || item === null) throw new Error(`The snapshot names ${id} and does not hold it`)
  return item
}

function restoreOrder(unit: Unit, stored: OrderView): Order {
  const order = blankOrder(known(unit.books.get(stored.book), stored.book))
  order.id = stored.id
  order.hash = hashOf(stored.id)
  order.status = stored.status
  order.reason = stored.reason
  order.account = stored.account
  order.side = stored.side
  order.price = stored.price
  order.quantity = stored.quantity
  order.remaining = stored.remaining
  order.reserved = stored.reserved
  order.terms = sharedTerms(stored)
  order.unsettled = stored.unsettled
  order.maxFeeBps = stored.maxFeeBps
  order.baseCarry = stored.baseCarry
  order.quoteCarry = stored.quoteCarry
  order.turn = stored.turn
  order.placedQuantity = stored.placedQuantity
  order.born = stored.born
  return order
}

function putBack(unit: Unit, order: Order): void {
  if (order.terms.expiresAt !== 0) unit.expiry.add(order)
  if (!isResting(order)) {
    order.book.pending.add(order)
    return
  }
  const level = levelAt(ownRows(order.book.ladder, order.side), order.price)
  append(level, order)
  level.shownQuantity = level.quantity
  level.shownOrders = level.orders
}
