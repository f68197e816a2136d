import type { Trade, TradeFailed, TradeSettled } from '@tallystick/engine'
import type { TradeRecord } from '@tallystick/wire'
import { asTrade, type NumberedTrade } from '../reads/index.rules.ts'

export type TradeEvent = Trade | TradeSettled | TradeFailed

/** The rows of trades, by the numbers that the journal has for them. */
export type TradeRows = ReadonlyMap<number, NumberedTrade>

export const isTradeEvent = (event: { readonly kind: string }): event is TradeEvent =>
  event.kind === 'trade' || event.kind === 'tradeSettled' || event.kind === 'tradeFailed'

/** The trade as the event left it: its row may be further on by now. */
export function tradeAfter(event: TradeEvent, rows: TradeRows): TradeRecord {
  const row = rows.get(event.trade)
  if (!row) throw new Error(`trade ${event.trade} of the journal has no row`)
  const trade = asTrade(row)
  if (event.kind === 'trade')
    return { ...trade, settlementStatus: event.staged ? 'PROCESSING' : null, settlementError: null }
  if (event.kind === 'tradeSettled') return { ...trade, settlementStatus: 'CONFIRMED', settlementError: null }
  return { ...trade, settlementStatus: 'FAILED', settlementError: event.reason }
}
