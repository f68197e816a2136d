import type { Amount } from '../amounts.ts'
import type { Side } from '../terms.ts'
import type { Lock } from './rfq-locks.ts'
import type { QuoteStatus, Rfq, RfqStatus } from './rfq-state.ts'

export type RfqRefusalCode =
  | 'INVALID_PARAM'
  | 'INVALID_QUANTITY'
  | 'INVALID_PRICE'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'RFQ_EXPIRED'
  | 'QUOTE_EXPIRED'

export type RfqEvent =
  | { readonly kind: 'rfqChanged'; readonly status: RfqStatus }
  | { readonly kind: 'quoteChanged'; readonly quote: string; readonly status: QuoteStatus }
  | { readonly kind: 'locked' | 'released'; readonly quote: string; readonly lock: Lock }
  | RfqTrade

/** Both locks are spent by it; it costs no fee. */
export interface RfqTrade {
  readonly kind: 'rfqTrade'
  readonly quote: string
  readonly maker: string
  readonly taker: string
  readonly side: Side
  readonly price: Amount
  readonly quantity: Amount
  readonly notional: Amount
  readonly makerLock: Lock
  readonly takerLock: Lock
}

export interface RfqStep {
  readonly rfq: Rfq
  readonly events: readonly RfqEvent[]
}

export interface RfqRefusal {
  readonly code: RfqRefusalCode
}

export type RfqOutcome = RfqStep | RfqRefusal
