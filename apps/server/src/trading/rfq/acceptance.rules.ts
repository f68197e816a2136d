import type { AcceptanceRecord } from '@tallystick/wire'
import type { TradeRow } from '../unit/index.rules.ts'

export function asAcceptance(made: {
  readonly trade: TradeRow
  readonly settlement: AcceptanceRecord['settlement']
}): AcceptanceRecord {
  const { trade, settlement } = made
  return {
    trade: {
      tradeId: trade.tradeId,
      origin: 'RFQ',
      orderBookId: trade.makerBookId,
      makerAddress: trade.makerHolder,
      takerAddress: trade.takerHolder,
      price: trade.price.toString(),
      quantity: trade.quantity.toString(),
      makerFee: '0',
      takerFee: '0',
      side: trade.side,
      quoteId: trade.quoteId ?? '',
      createdAt: trade.createdAt.toISOString(),
    },
    settlement,
    settlementOutcome: { txHash: null, blockNumber: null, gasUsed: null },
  }
}
