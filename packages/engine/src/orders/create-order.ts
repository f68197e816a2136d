import { exact } from '../amounts.ts'
import type { Place } from '../commands.ts'
import type { Book } from '../unit/book.ts'
import { blankOrder, type Order, type OrderTerms, PLAIN_TERMS } from '../unit/order.ts'
import { highestRate } from './fees.ts'

/** What a command asks for, as an order that is nowhere yet. Writes over a spare record, if there is one. */
export function createOrder(book: Book, command: Place, hash: number, order: Order = blankOrder(book)): Order {
  const terms = isPlain(command) ? PLAIN_TERMS : termsOf(command)
  const quantity = exact(command.quantity)
  order.id = command.order
  order.hash = hash
  order.book = book
  order.account = command.account
  order.side = command.side
  order.terms = terms
  order.maxFeeBps = highestRate(book, terms.marketMaker)
  order.price = command.price === undefined ? 0 : exact(command.price)
  order.quantity = quantity
  order.remaining = quantity
  order.placedQuantity = quantity
  order.reserved = 0
  order.baseCarry = 0
  order.quoteCarry = 0
  order.status = 'OPEN'
  order.reason = null
  order.unsettled = 0
  order.turn = 0
  order.born = 0
  return order
}

/** A term that is said to be as usual is as plain as one that is left out. */
const isPlain = (command: Place): boolean =>
  command.timeInForce === 'GTC' &&
  !command.postOnly &&
  !command.marketMaker &&
  !command.bandExempt &&
  !command.expiresAt &&
  (command.selfTradePrevention === undefined || command.selfTradePrevention === 'NONE') &&
  (command.vetoes === undefined || command.vetoes.length === 0) &&
  command.maxFee === undefined

function termsOf(command: Place): OrderTerms {
  const { vetoes, maxFee } = command
  return {
    timeInForce: command.timeInForce,
    postOnly: command.postOnly ?? false,
    selfTradePrevention: command.selfTradePrevention ?? 'NONE',
    expiresAt: command.expiresAt ?? 0,
    marketMaker: command.marketMaker ?? false,
    bandExempt: command.bandExempt ?? false,
    vetoes: vetoes === undefined || vetoes.length === 0 ? null : vetoes,
    maxFee: maxFee === undefined ? null : exact(maxFee),
  }
}
