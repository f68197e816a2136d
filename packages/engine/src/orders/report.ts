import { exact, isAmount, isMultiple, MAX_AMOUNT, notionalDown } from '../amounts.ts'
import type { Report } from '../commands.ts'
import type { Trade } from '../events.ts'
import { tell, type Unit } from '../unit/unit.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Takes down a trade that was agreed elsewhere: at no fee, beside the orders of the book, which it does not touch. */
export function report(unit: Unit, command: Report): Refusal | null {
  const refusal = gateReport(unit, command)
  if (refusal) return refusal
  const { book, makerOrder, takerOrder, makerAccount, takerAccount, side } = command
  const [price, quantity] = [exact(command.price), exact(command.quantity)]
  const notional = notionalDown(quantity, price)
  const told: Trade = {
    kind: 'trade',
    trade: ++unit.trades,
    origin: 'RFQ',
    book,
    takerBook: null,
    makerOrder,
    takerOrder,
    makerAccount,
    takerAccount,
    side,
    price,
    quantity,
    notional,
    makerFee: 0,
    takerFee: 0,
    makerFeeQuote: 0,
    takerFeeQuote: 0,
    buyerPays: notional,
    sellerGets: notional,
    staged: unit.books.get(book)?.staged ?? false,
  }
  tell(unit, told)
  const noCarry = { makerBaseCarry: 0, makerQuoteCarry: 0, takerBaseCarry: 0, takerQuoteCarry: 0 }
  if (told.staged) unit.unsettled.set(told.trade, { told, orders: null, ...noCarry })
  return null
}

function gateReport({ books }: Unit, { book: id, price, quantity }: Report): Refusal | null {
  const book = books.get(id)
  if (book === undefined) return refuse('ORDER_BOOK_NOT_FOUND')
  if (book.status !== 'ACTIVE') return refuse('ORDER_BOOK_INACTIVE')
  const { lotSize } = book.rules
  if (!isAmount(quantity)) return refuse('INVALID_QUANTITY')
  if (!isMultiple(quantity, lotSize)) return refuse('INVALID_QUANTITY', { step: lotSize })
  if (!isAmount(price)) return refuse('INVALID_PRICE')
  const notional = notionalDown(quantity, price)
  if (notional === 0) return refuse('ORDER_TOO_SMALL')
  return notional > MAX_AMOUNT ? refuse('ORDER_TOO_LARGE') : null
}
