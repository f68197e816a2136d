import type { TradeRecord } from '@tallystick/wire'
import type { TradeRow } from '../unit/index.rules.ts'
import type { TradeView } from './tape.store.ts'

export function asTrade(row: TradeView | (TradeRow & { readonly settlementError?: null })): TradeRecord {
  return {
    tradeId: row.tradeId,
    orderBookId: row.makerBookId,
    takerOrderBookId: row.takerBookId === row.makerBookId ? null : row.takerBookId,
    origin: row.origin,
    makerOrderId: row.makerOrderId,
    takerOrderId: row.takerOrderId,
    makerAddress: row.makerHolder,
    takerAddress: row.takerHolder,
    price: row.price.toString(),
    quantity: row.quantity.toString(),
    makerFee: row.makerFee.toString(),
    takerFee: row.takerFee.toString(),
    side: row.side,
    settlementId: row.settlementId,
    settlementStatus: row.settlementStatus,
    settlementError: row.settlementError ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
