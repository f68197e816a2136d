import type { Amount, OrderStatus, OrderType, SelfTradePrevention, Side, TimeInForce } from '@tallystick/engine'

/** The rows that a group of commands comes to. Amounts in order book units. */

export interface NewOrder {
  readonly orderId: string
  readonly bookId: string
  readonly instanceId: string
  readonly accountId: string
  readonly holder: string
  readonly clientOrderId: string | null
  readonly side: Side
  readonly orderType: OrderType
  readonly timeInForce: TimeInForce
  readonly postOnly: boolean
  readonly stpMode: SelfTradePrevention
  readonly expiresAt: Date | null
}

export interface OrderRow extends NewOrder {
  price: Amount | null
  quantity: Amount
  filled: Amount
  status: OrderStatus
  cancelReason: string | null
  readonly sequence: number
  readonly createdAt: Date
  updatedAt: Date
}

/** What happened to an order of an earlier group. */
export interface OrderChange {
  readonly orderId: string
  price: Amount | null
  quantity: Amount
  /** Added to what was filled before. */
  filled: Amount
  status: OrderStatus
  cancelReason: string | null
  updatedAt: Date
}

export interface TradeRow {
  readonly tradeId: string
  readonly number: number
  readonly sequence: number
  readonly origin: 'CLOB' | 'AUCTION'
  readonly makerBookId: string
  readonly takerBookId: string
  readonly makerOrderId: string
  readonly takerOrderId: string
  readonly makerInstanceId: string
  readonly takerInstanceId: string
  readonly makerHolder: string
  readonly takerHolder: string
  readonly side: Side
  readonly price: Amount
  readonly quantity: Amount
  readonly notional: Amount
  readonly makerFee: Amount
  readonly takerFee: Amount
  readonly makerQuoteFee: Amount
  readonly takerQuoteFee: Amount
  readonly settlementId: string | null
  readonly settlementStatus: 'PROCESSING' | null
  readonly createdAt: Date
}

/** What a group adds to one book on one day. */
export interface DayRow {
  readonly bookId: string
  readonly day: string
  orders: number
  trades: number
  base: Amount
  quote: Amount
  high: Amount | null
  low: Amount | null
  open: Amount | null
  close: Amount | null
  readonly at: Date
}

export interface UsedClientOrderId {
  readonly instanceId: string
  readonly accountId: string
  readonly clientOrderId: string
  readonly orderId: string
}
