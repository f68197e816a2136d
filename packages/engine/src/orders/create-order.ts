import { exact } from '../amounts.ts'
import type { Place } from '../commands.ts'
import type { Book } from '../unit/book.ts'
import type { Order } from '../unit/order.ts'
import { highestRate } from './fees.ts'

/** What is read when an order is found, taken out of its queue and told of comes first: side by side, it is at hand at once. */
const blankOrder = (book: Book): Order => ({
  id: '',
  hash: 0,
  level: null,
  previous: null,
  next: null,
  status: 'OPEN',
  reason: null,
  book,
  account: '',
  side: 'BUY',
  price: 0,
  quantity: 0,
  remaining: 0,
  reserved: 0,
  expiresAt: 0,
  unsettled: 0,
  turn: 0,
  vetoes: null,
  maxFeeBps: 0,
  maxFee: null,
  placedQuantity: 0,
  baseCarry: 0,
  quoteCarry: 0,
  marketMaker: false,
  timeInForce: 'GTC',
  postOnly: false,
  selfTradePrevention: 'NONE',
  bandExempt: false,
  born: 0,
})

/** What a command asks for, as an order that is nowhere yet. Writes over a spare record, if there is one. */
export function createOrder(book: Book, command: Place, hash: number, order: Order = blankOrder(book)): Order {
  const { vetoes } = command
  order.id = command.order
  order.hash = hash
  order.book = book
  order.account = command.account
  order.side = command.side
  order.timeInForce = command.timeInForce
  order.postOnly = command.postOnly ?? false
  order.selfTradePrevention = command.selfTradePrevention ?? 'NONE'
  order.expiresAt = command.expiresAt ?? 0
  order.marketMaker = command.marketMaker ?? false
  order.bandExempt = command.bandExempt ?? false
  order.vetoes = vetoes === undefined || vetoes.length === 0 ? null : vetoes
  order.maxFeeBps = highestRate(book, order.marketMaker)
  order.born = 0
  order.price = command.price === undefined ? 0 : exact(command.price)
  order.quantity = exact(command.quantity)
  order.remaining = order.quantity
  order.reserved = 0
  order.maxFee = command.maxFee === undefined ? null : exact(command.maxFee)
  order.placedQuantity = order.quantity
  order.baseCarry = 0
  order.quoteCarry = 0
  order.status = 'OPEN'
  order.reason = null
  order.unsettled = 0
  order.turn = 0
  return order
}
