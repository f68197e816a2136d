import type { Amend, Place } from '../../src/commands.ts'
import { checkForm, checkPrice, checkQuantity, checkWorth } from './naive-checks.ts'
import { highestBps, needed, shareOfFee, worth } from './naive-money.ts'
import { finish, tellChange, waitForAuction } from './naive-orders.ts'
import {
  bookBy,
  filledOf,
  insist,
  isQueued,
  isUnsettled,
  isWaiting,
  type NaiveBook,
  type NaiveOrder,
  type NaiveState,
  otherSide,
  queueOf,
  Refused,
  venueOf,
} from './naive-state.ts'
import { come, reach, reachable } from './naive-trading.ts'

export function place(state: NaiveState, placed: Place): void {
  const book = bookBy(state, placed.book)
  const isKnown = (order: NaiveOrder) => order.placed.order === placed.order && (isWaiting(order) || isUnsettled(order))
  insist(!state.orders.some(isKnown), 'DUPLICATE_ORDER')
  insist(book.status === 'ACTIVE', 'ORDER_BOOK_INACTIVE')
  checkForm(book, placed, state.now)
  const order = orderOf(book, placed, state.born + 1)
  checkQuantity(book, order.quantity)
  checkMarket(state, order)
  const inReach = reach(state, order)
  const { price, quantity } = order
  const { order: id, account, side, timeInForce, budget } = placed
  if (side === 'BUY') order.reserved = price === null ? BigInt(budget ?? inReach.cost) : needed(order)
  state.born += 1
  state.orders.push(order)
  const isUnaffordable = side === 'BUY' && price === null && inReach.cost > order.reserved
  const isUnfillable = timeInForce === 'FOK' && (inReach.quantity < quantity || isUnaffordable)
  const status = book.auction === null ? 'OPEN' : 'AUCTION_PENDING'
  state.events.push({ kind: 'accepted', order: id, book: book.id, account, side, status, reserved: order.reserved })
  if (book.auction !== null) waitForAuction(state, order)
  else if (isUnfillable) finish(state, order, 'CANCELLED', 'FOK_UNFILLED')
  else come(state, order, false)
}

const orderOf = (book: NaiveBook, placed: Place, born: number): NaiveOrder => ({
  placed,
  born,
  book,
  highestBps: highestBps(book, placed.marketMaker ?? false),
  price: placed.price === undefined ? null : BigInt(placed.price),
  quantity: BigInt(placed.quantity),
  reserved: BigInt(placed.quantity),
  status: 'OPEN',
  reason: null,
  turn: 0,
  fills: [],
})

function checkMarket(state: NaiveState, order: NaiveOrder): void {
  const { book, price, quantity, placed } = order
  if (price === null) {
    const [best] = queueOf(state, venueOf(book), otherSide(placed.side))
    insist(best !== undefined, 'NO_LIQUIDITY')
    insist(worth(quantity, best?.price ?? 0n) > 0n, 'ORDER_TOO_SMALL')
  } else {
    checkPrice(book, price, placed.bandExempt ?? false)
    checkWorth(quantity, price, order.highestBps, shareOfFee(order, quantity))
    insist(!(placed.postOnly && reachable(state, order).length > 0), 'POST_ONLY_WOULD_CROSS')
  }
}

export function waitingBy({ orders }: NaiveState, id: string, account: string | undefined): NaiveOrder {
  const found = orders.find((order) => order.placed.order === id && isWaiting(order))
  if (found === undefined || (account !== undefined && account !== found.placed.account))
    throw new Refused('ORDER_NOT_FOUND')
  return found
}

export function amend(state: NaiveState, command: Amend): void {
  const order = waitingBy(state, command.order, command.account)
  insist(isQueued(order), 'ORDER_NOT_FOUND')
  const { book, placed } = order
  const price = BigInt(command.price ?? order.price ?? 0n)
  const quantity = BigInt(command.quantity ?? order.quantity)
  const staysInPlace = price === order.price && quantity <= order.quantity
  const left = quantity - filledOf(order)
  insist(book.status === 'ACTIVE', 'ORDER_BOOK_INACTIVE')
  insist(left > 0n, 'INVALID_QUANTITY')
  insist(staysInPlace || !isUnsettled(order), 'SETTLEMENT_PENDING')
  checkQuantity(book, quantity)
  checkPrice(book, price, placed.bandExempt ?? false)
  checkWorth(left, price, order.highestBps, staysInPlace ? null : shareOfFee(order, left))
  const wouldCross = reachable(state, { ...order, price }).length > 0
  insist(staysInPlace || !(placed.postOnly && wouldCross), 'POST_ONLY_WOULD_CROSS')
  const waits = placed.side === 'BUY' && isUnsettled(order)
  const difference = waits ? 0n : needed(order, left, price) - needed(order)
  order.price = price
  order.quantity = quantity
  order.reserved += difference
  if (!staysInPlace) order.turn = 0
  tellChange(state, order, difference > 0n ? difference : 0n, difference < 0n ? -difference : 0n)
  if (!staysInPlace) come(state, order, false)
}
