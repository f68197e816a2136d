import type { Report } from '../../src/commands.ts'
import { worth } from './naive-money.ts'
import { amountOf, bookBy, insist, MOST, type NaiveState } from './naive-state.ts'

export function report(state: NaiveState, { kind, at, ...command }: Report): void {
  const { rules, status, staged } = bookBy(state, command.book)
  insist(status === 'ACTIVE', 'ORDER_BOOK_INACTIVE')
  const [price, quantity] = [BigInt(command.price), BigInt(command.quantity)]
  const step = amountOf(rules.lotSize)
  insist(quantity > 0n && quantity <= MOST, 'INVALID_QUANTITY')
  insist(quantity % step === 0n, 'INVALID_QUANTITY', { step })
  insist(price > 0n && price <= MOST, 'INVALID_PRICE')
  const notional = worth(quantity, price)
  insist(notional > 0n, 'ORDER_TOO_SMALL')
  insist(notional <= MOST, 'ORDER_TOO_LARGE')
  state.tradeCount += 1
  const trade = state.tradeCount
  const terms = { ...command, trade, origin: 'RFQ', takerBook: null, price, quantity, notional, buyerPays: notional }
  if (staged) state.trades.push({ trade, orders: [], buyerPays: notional, quantity, terms })
  const free = { makerFee: 0n, takerFee: 0n, makerFeeQuote: 0n, takerFeeQuote: 0n }
  state.events.push({ kind: 'trade', ...terms, ...free, sellerGets: notional, staged })
}
