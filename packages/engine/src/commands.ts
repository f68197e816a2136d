import type { Amount } from './amounts.ts'
import type { BookStatus, EndReason, OrderType, SelfTradePrevention, Side, TimeInForce } from './terms.ts'

/** Milliseconds, set by whoever journals the command. Time never runs backwards: an earlier one counts as the last. */
interface Timed {
  readonly at: number
}

/** What an order on a book has to keep to, and what it costs. Amounts in order book units. */
export interface BookRules {
  readonly tickSize: Amount
  /** Quantities are multiples of it: 1 unless the token has fewer than six decimals. */
  readonly lotSize: Amount
  readonly minOrderSize: Amount
  readonly maxOrderSize: Amount | null
  readonly makerFeeBps: number
  readonly takerFeeBps: number
  /** Instead of `makerFeeBps` for a market maker; negative pays the maker. */
  readonly mmMakerRebateBps: number | null
  /** What an auction leaves unfilled stays for the next one, or for the book; otherwise it is cancelled. */
  readonly rollUnmatched: boolean
}

export interface OpenBook extends Timed {
  readonly kind: 'openBook'
  readonly book: string
  /** Who owns the book and collects its fees. */
  readonly instance: string
  readonly base: string
  readonly quote: string
  readonly rules: BookRules
  /** Its trades wait for `settle` or `unwind`; otherwise a trade is final at once. */
  readonly staged: boolean
  readonly pooled: boolean
}

export interface UpdateBook extends Timed {
  readonly kind: 'updateBook'
  readonly book: string
  readonly status?: BookStatus
  readonly rules?: Partial<BookRules>
}

export interface PoolBook extends Timed {
  readonly kind: 'pool' | 'unpool'
  readonly book: string
}

/** Somebody this order may not trade with, and the rule that forbids it. */
export interface Veto {
  readonly account: string
  readonly rule: string
}

export interface Place extends Timed {
  readonly kind: 'place'
  readonly order: string
  readonly book: string
  readonly account: string
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly postOnly?: boolean
  readonly selfTradePrevention?: SelfTradePrevention
  /** Absent on market orders. */
  readonly price?: Amount
  readonly quantity: Amount
  /** Milliseconds; from this moment on the order is no more. */
  readonly expiresAt?: number
  readonly marketMaker?: boolean
  /** Most fee for the whole quantity, in quote, that its trader signed; each fill pays at most its share of it. */
  readonly maxFee?: Amount
  /** What was reserved for a market buy: it spends no more. Without it, what `reservationFor` says is taken as reserved. */
  readonly budget?: Amount
  /** A liquidation: sold at any price. */
  readonly bandExempt?: boolean
  readonly vetoes?: readonly Veto[]
}

export interface Cancel extends Timed {
  readonly kind: 'cancel'
  readonly order: string
  /** Whose order it must be. */
  readonly account?: string
  /** Without one, the trader wanted it. */
  readonly reason?: EndReason
}

export interface Amend extends Timed {
  readonly kind: 'amend'
  readonly order: string
  readonly account?: string
  readonly price?: Amount
  /** The whole order, with what is filled of it. */
  readonly quantity?: Amount
}

/** Ends every live order that fits all that is given. */
export interface MassCancel extends Timed {
  readonly kind: 'massCancel'
  readonly account?: string
  readonly book?: string
  readonly side?: Side
}

export interface Expire extends Timed {
  readonly kind: 'expire'
}

export interface SetReference extends Timed {
  readonly kind: 'setReference'
  readonly book: string
  /** In order book units; null takes the reference away. */
  readonly price: Amount | null
  readonly spreadBps?: number
  readonly circuitBreakerBps?: number
}

export interface OpenAuction extends Timed {
  readonly kind: 'openAuction'
  readonly book: string
  readonly auction: string
}

export interface Uncross extends Timed {
  readonly kind: 'uncross'
  readonly book: string
  /** The auction that follows at once; without one the book trades continuously. */
  readonly next?: string
}

export interface CancelAuction extends Timed {
  readonly kind: 'cancelAuction'
  readonly book: string
}

export interface Settle extends Timed {
  readonly kind: 'settle'
  readonly trade: number
}

export interface Unwind extends Timed {
  readonly kind: 'unwind'
  readonly trade: number
  readonly reason: string
}

/** A trade that was agreed elsewhere, without orders of this unit: it is counted here, and settled like the others. */
export interface Report extends Timed {
  readonly kind: 'report'
  readonly book: string
  readonly makerOrder: string
  readonly takerOrder: string
  readonly makerAccount: string
  readonly takerAccount: string
  /** Of the taker. */
  readonly side: Side
  readonly price: Amount
  readonly quantity: Amount
}

export type Command =
  | OpenBook
  | UpdateBook
  | PoolBook
  | Place
  | Cancel
  | Amend
  | MassCancel
  | Expire
  | SetReference
  | OpenAuction
  | Uncross
  | CancelAuction
  | Settle
  | Unwind
  | Report
