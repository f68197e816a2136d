import type { BookRules } from '../commands.ts'
import type { Trade } from '../events.ts'
import type { BookStatus } from '../terms.ts'
import { type Book, createBook, isPooling, type Reference } from '../unit/book.ts'
import { append, levelAt, ownRows } from '../unit/ladder.ts'
import { blankOrder, isLive, isResting, type Order } from '../unit/order.ts'
import { hashOf } from '../unit/order-table.ts'
import { type OrderView, toView } from '../unit/order-view.ts'
import { createUnit, ordersOf, type Unit, type UnsettledTrade } from '../unit/unit.ts'
import { canonicalText, readCanonicalText } from './canonical-text.ts'

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

/** Everything that decides what a unit does next, as one text: equal units give equal bytes. */
export function takeSnapshot(unit: Unit): string {
  const stored: Stored = {
    version: SNAPSHOT_VERSION,
    now: unit.now,
    born: unit.born,
    turns: unit.turns,
    trades: unit.trades,
    books: [...unit.books.values()].map(storedBook).sort((a, b) => (a.id < b.id ? -1 : 1)),
    orders: unit.orders
      .all()
      .map(toView)
      .sort((a, b) => a.born - b.born),
    unsettled: [...unit.unsettled.values()]
      .map(({ orders, ...trade }) => ({ ...trade, hasOrders: orders !== null }))
      .sort((a, b) => a.told.trade - b.told.trade),
  }
  return canonicalText(stored)
}

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
  const { book: id, timeInForce, postOnly, selfTradePrevention, expiresAt, ...rest } = stored
  const { marketMaker, bandExempt, vetoes, maxFee, ...own } = rest
  const book = known(unit.books.get(id), id)
  const terms = { timeInForce, postOnly, selfTradePrevention, expiresAt, marketMaker, bandExempt, vetoes, maxFee }
  return Object.assign(blankOrder(book), own, { terms, hash: hashOf(own.id) })
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
