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
  /** What its trader signed, where trades settle on chain. */
  readonly signed?: SignedOrder
  /** Stays its reason whatever becomes of it: a liquidation says so. */
  readonly standingReason?: string | undefined
}

/** As it was signed: chain units. */
export interface SignedOrder {
  readonly chainId: number
  readonly custodyContract: string
  readonly orderHash: string
  readonly trader: string
  readonly tokenAddress: string
  readonly quoteTokenAddress: string
  readonly isBuy: boolean
  readonly quantity: bigint
  readonly price: bigint
  readonly maxFee: bigint
  readonly expiry: number
  readonly nonce: bigint
  readonly salt: string
  readonly signature: string
}

/** The row of a signed order; also of a quote, and of its acceptance. */
export interface SignedOrderRow extends SignedOrder {
  readonly orderId: string
  readonly createdAt: Date
}

export interface OrderRow extends Omit<NewOrder, 'signed'> {
  auctionId: string | null
  readonly lockId: string | null
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
  /** A failed settlement also changes orders that have ended. */
  mayHaveEnded: boolean
}

/** Trades that are settled together: of one command, on one maker's book. */
export interface SettlementRow {
  readonly settlementId: string
  readonly bookId: string
  tradeCount: number
  readonly createdAt: Date
}

/** How a staged trade ended. */
export interface TradeOutcome {
  readonly number: number
  readonly status: 'CONFIRMED' | 'FAILED'
  readonly error: string | null
}

export interface TradeRow {
  readonly tradeId: string
  readonly number: number
  readonly sequence: number
  readonly origin: 'CLOB' | 'AUCTION' | 'RFQ'
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
  readonly quoteId: string | null
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
