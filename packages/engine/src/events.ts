import type { Amount } from './amounts.ts'
import type { BookRules, Command } from './commands.ts'
import type { BookStatus, EndReason, OrderStatus, RefusalCode, Side, TradeOrigin } from './terms.ts'

export interface Refused {
  readonly kind: 'refused'
  readonly command: Command['kind']
  readonly code: RefusalCode
  /** The order, book or trade that the command was about. */
  readonly subject: string
  readonly details: RefusalDetails | null
}

/** Figures a refusal is explained with. */
export interface RefusalDetails {
  readonly step?: Amount
  readonly referencePrice?: Amount
  readonly lowerBound?: Amount
  readonly upperBound?: Amount
  readonly spreadBps?: number
}

export interface Accepted {
  readonly kind: 'accepted'
  readonly order: string
  readonly book: string
  readonly account: string
  readonly side: Side
  readonly status: 'OPEN' | 'AUCTION_PENDING'
  /** Base for a sell, quote for a buy. */
  readonly reserved: Amount
}

/**
 * The new state of an order. Its reservation now is the one before, plus `added`, minus `released`, minus what trades
 * took: `buyerPays` of quote or `quantity` of base. It is 0 once the order has ended.
 */
export interface OrderChanged {
  readonly kind: 'orderChanged'
  readonly order: string
  readonly book: string
  readonly account: string
  readonly side: Side
  readonly status: OrderStatus
  readonly reason: EndReason | null
  readonly price: Amount | null
  readonly quantity: Amount
  readonly remaining: Amount
  readonly reserved: Amount
  readonly added: Amount
  readonly released: Amount
}

export interface Trade {
  readonly kind: 'trade'
  /** Counted from 1 within the unit. */
  readonly trade: number
  readonly origin: TradeOrigin
  /** The maker's book. */
  readonly book: string
  /** The taker's, when it is another one. */
  readonly takerBook: string | null
  readonly makerOrder: string
  readonly takerOrder: string
  readonly makerAccount: string
  readonly takerAccount: string
  /** Of the taker. */
  readonly side: Side
  readonly price: Amount
  readonly quantity: Amount
  readonly notional: Amount
  /** In base, for the record. */
  readonly makerFee: Amount
  readonly takerFee: Amount
  /** In quote, as collected; the maker's is negative when it is paid a rebate. */
  readonly makerFeeQuote: Amount
  readonly takerFeeQuote: Amount
  readonly buyerPays: Amount
  readonly sellerGets: Amount
  /** Waits for `settle` or `unwind`. */
  readonly staged: boolean
}

/** A match that the rule forbids, passed over. */
export interface Skipped {
  readonly kind: 'skipped'
  readonly takerOrder: string
  readonly makerOrder: string
  readonly rule: string
}

/** What a price level shows after the command; 0 when it is gone. */
export interface LevelChanged {
  readonly kind: 'level'
  /** The book, or `POOL`. */
  readonly ladder: string
  readonly side: Side
  readonly price: Amount
  readonly quantity: Amount
  readonly orders: number
}

export interface BookChanged {
  readonly kind: 'bookChanged'
  readonly book: string
  readonly status: BookStatus
  readonly pooled: boolean
  /** The auction that collects its orders. */
  readonly auction: string | null
  readonly rules: BookRules
}

export interface ReferenceChanged {
  readonly kind: 'referenceChanged'
  readonly book: string
  readonly price: Amount | null
  readonly lowerBound: Amount | null
  readonly upperBound: Amount | null
  /** How far the price moved, when that was too far and paused the book. */
  readonly brokenAtBps: number | null
}

export interface AuctionEnded {
  readonly kind: 'auctionEnded'
  readonly book: string
  readonly auction: string
  readonly outcome: 'CLEARED' | 'CANCELLED'
  /** Null when nothing crossed. */
  readonly price: Amount | null
  readonly volume: Amount
  readonly orders: number
}

/** What the outcome of a trade repeats of it, so that nobody has to look it up. */
export type TradeTerms = Pick<
  Trade,
  | 'trade'
  | 'origin'
  | 'book'
  | 'takerBook'
  | 'makerOrder'
  | 'takerOrder'
  | 'makerAccount'
  | 'takerAccount'
  | 'side'
  | 'price'
  | 'quantity'
  | 'notional'
  | 'buyerPays'
>

export interface TradeSettled extends TradeTerms {
  readonly kind: 'tradeSettled'
}

export interface TradeFailed extends TradeTerms {
  readonly kind: 'tradeFailed'
  readonly reason: string
}

export type EngineEvent =
  | Refused
  | Accepted
  | OrderChanged
  | Trade
  | Skipped
  | LevelChanged
  | BookChanged
  | ReferenceChanged
  | AuctionEnded
  | TradeSettled
  | TradeFailed
