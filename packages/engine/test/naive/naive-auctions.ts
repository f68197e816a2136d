import type { CancelAuction, OpenAuction, Uncross } from '../../src/commands.ts'
import type { Side } from '../../src/terms.ts'
import { moving, tellBook } from './naive-books.ts'
import { clear } from './naive-clearing.ts'
import { worth } from './naive-money.ts'
import { finish, freeExcess, tellChange, waitForAuction } from './naive-orders.ts'
import {
  bookBy,
  byPriority,
  insist,
  inTurn,
  isBetter,
  isQueued,
  isWaiting,
  least,
  leftOf,
  type NaiveBook,
  type NaiveOrder,
  type NaiveState,
} from './naive-state.ts'
import { afterFill, comeBack, ruleBetween, tellSkipped, trade } from './naive-trading.ts'

function auctionBook(state: NaiveState, id: string, isOpen: boolean): NaiveBook {
  const book = bookBy(state, id)
  insist(book.status === 'ACTIVE', 'ORDER_BOOK_INACTIVE')
  insist((book.auction !== null) === isOpen, isOpen ? 'AUCTION_NOT_OPEN' : 'AUCTION_OPEN')
  return book
}

const pendingOf = (state: NaiveState, book: NaiveBook): NaiveOrder[] =>
  inTurn(state, (order) => order.book === book && order.status === 'AUCTION_PENDING')

export function openAuction(state: NaiveState, { book: id, auction }: OpenAuction): void {
  const book = auctionBook(state, id, false)
  book.auction = auction
  tellBook(state, book)
  for (const order of inTurn(state, (order) => order.book === book && isQueued(order))) {
    waitForAuction(state, order)
    tellChange(state, order)
  }
}

export function uncross(state: NaiveState, { book: id, next }: Uncross): void {
  const book = auctionBook(state, id, true)
  const pending = pendingOf(state, book)
  const entries = pending.map((order) => ({
    side: order.placed.side,
    price: order.price ?? 0n,
    quantity: leftOf(order),
  }))
  const price = clear(entries, book.reference)
  const volume = price === null ? 0n : pairUp(state, pending, price)
  tellEnd(state, book, 'CLEARED', volume === 0n ? null : price, volume, pending.length)
  leaveAuction(state, book, next ?? null)
}

export function cancelAuction(state: NaiveState, { book: id }: CancelAuction): void {
  const book = auctionBook(state, id, true)
  tellEnd(state, book, 'CANCELLED', null, 0n, pendingOf(state, book).length)
  leaveAuction(state, book, null)
}

function tellEnd(
  { events }: NaiveState,
  { id, auction }: NaiveBook,
  outcome: string,
  price: bigint | null,
  volume: bigint,
  orders: number,
): void {
  events.push({ kind: 'auctionEnded', book: id, auction, outcome, price, volume, orders })
}

function pairUp(state: NaiveState, pending: readonly NaiveOrder[], price: bigint): bigint {
  const at = (side: Side) =>
    pending
      .filter((order) => order.placed.side === side && !isBetter(side, price, order.price ?? 0n))
      .sort(byPriority(side))
  const age = new Map(pending.map((order) => [order, order.turn]))
  const [buyers, sellers] = [at('BUY'), at('SELL')]
  let volume = 0n
  for (const buyer of buyers)
    for (const seller of sellers) {
      if (!isWaiting(buyer) || !isWaiting(seller)) continue
      const isBuyerFirst = (age.get(buyer) ?? 0) < (age.get(seller) ?? 0)
      const [maker, taker] = isBuyerFirst ? [buyer, seller] : [seller, buyer]
      volume += meet(state, maker, taker, price)
    }
  return volume
}

function meet(state: NaiveState, maker: NaiveOrder, taker: NaiveOrder, price: bigint): bigint {
  const modes = [maker, taker].map(({ placed }) => placed.selfTradePrevention ?? 'NONE')
  if (maker.placed.account === taker.placed.account && modes.some((mode) => mode !== 'NONE')) return 0n
  const forbidden = ruleBetween(taker, maker)
  if (forbidden !== undefined) {
    tellSkipped(state, taker, maker, forbidden)
    return 0n
  }
  const quantity = least(leftOf(maker), leftOf(taker))
  const hasWorth = worth(quantity, price) > 0n
  if (hasWorth) trade(state, maker, taker, quantity, price, 'AUCTION')
  for (const order of [maker, taker])
    if (hasWorth || worth(leftOf(order), price) === 0n) afterFill(state, order, price, 'AUCTION_PENDING')
  return hasWorth ? quantity : 0n
}

function leaveAuction(state: NaiveState, book: NaiveBook, next: string | null): void {
  moving(state, book, () => {
    book.auction = next
    tellBook(state, book)
  })
  for (const order of pendingOf(state, book)) {
    if (worth(leftOf(order), order.price ?? 0n) === 0n) finish(state, order, 'CANCELLED', 'TOO_SMALL_TO_TRADE')
    else if (order.placed.timeInForce !== 'GTC') finish(state, order, 'CANCELLED', 'IOC_REMAINDER')
    else if (!book.rules.rollUnmatched) finish(state, order, 'CANCELLED', 'AUCTION_UNMATCHED')
    else if (next === null) comeBack(state, order, true)
    else {
      const released = freeExcess(order)
      if (released > 0n) tellChange(state, order, 0n, released)
    }
  }
}
