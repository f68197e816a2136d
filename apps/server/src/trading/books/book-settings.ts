import { type Amount, type BookRules, exact } from '@tallystick/engine'
import { AppError } from '../../platform/app-error.ts'
import type { AuctionRequest } from './auction-settings.ts'
import { lotOf, MAX_UNITS } from './book.rules.ts'
import type { BookRow } from './books.store.ts'
import type { FeedRequest } from './feed.rules.ts'

/** What an owner sends to create or change a book. */
export interface BookRequest extends AuctionRequest, FeedRequest {
  readonly status?: 'ACTIVE' | 'PAUSED' | 'CLOSED'
  readonly minOrderSize?: string
  readonly maxOrderSize?: string | null
  readonly tickSize?: string
  readonly makerFeeBps?: number
  readonly takerFeeBps?: number
  readonly mmMakerRebateBps?: number | null
  readonly allowImport?: boolean
  readonly allowSharedLiquidity?: boolean
  readonly settlementOperator?: string
  /** The class of the commodity, derived when its book joins the pool. */
  readonly cfid?: string
  readonly priceRefEnabled?: boolean
  readonly priceRefEnforcement?: string
  readonly priceRefSpreadBps?: number | null
  readonly priceRefHaltOnStale?: boolean
  readonly priceRefStaleTolerance?: number | null
  readonly priceRefCircuitBreakerBps?: number | null
}

const amountOf = (text: string | undefined, fallback: Amount): Amount =>
  text === undefined ? fallback : exact(BigInt(text))

/** The rules that a request leads to; INVALID_CONFIG when they do not go together. */
export function rulesFrom(request: BookRequest, before: BookRules): BookRules {
  const { maxOrderSize: most } = request
  const rules = {
    ...before,
    minOrderSize: amountOf(request.minOrderSize, before.minOrderSize),
    maxOrderSize: most === undefined ? before.maxOrderSize : most === null ? null : exact(BigInt(most)),
    tickSize: amountOf(request.tickSize, before.tickSize),
    makerFeeBps: request.makerFeeBps ?? before.makerFeeBps,
    takerFeeBps: request.takerFeeBps ?? before.takerFeeBps,
    mmMakerRebateBps: request.mmMakerRebateBps === undefined ? before.mmMakerRebateBps : request.mmMakerRebateBps,
    rollUnmatched: request.auctionRollUnmatched ?? before.rollUnmatched,
  }
  const refuse = (detail: string) => new AppError('INVALID_CONFIG', { detail })
  if (rules.tickSize === 0) throw refuse('tickSize must be above zero.')
  if (rules.maxOrderSize === 0) throw refuse('maxOrderSize must be above zero; null means that there is none.')
  if (rules.maxOrderSize !== null && rules.maxOrderSize < rules.minOrderSize)
    throw refuse('maxOrderSize must not be below minOrderSize.')
  for (const amount of [rules.tickSize, rules.minOrderSize, rules.maxOrderSize ?? 0])
    if (amount > MAX_UNITS) throw refuse('An amount is above 2^63-1.')
  return rules
}

export const DEFAULT_RULES: BookRules = {
  tickSize: 1,
  lotSize: 1,
  minOrderSize: 0,
  maxOrderSize: null,
  makerFeeBps: 0,
  takerFeeBps: 0,
  mmMakerRebateBps: null,
  rollUnmatched: true,
}

export const rulesOf = (row: BookRow): BookRules => ({
  tickSize: exact(row.tickSize),
  lotSize: lotOf(row.baseDecimals),
  minOrderSize: exact(row.minOrderSize),
  maxOrderSize: row.maxOrderSize === null ? null : exact(row.maxOrderSize),
  makerFeeBps: row.makerFeeBps,
  takerFeeBps: row.takerFeeBps,
  mmMakerRebateBps: row.mmMakerRebateBps,
  rollUnmatched: row.auctionRollUnmatched,
})

export const ruleColumns = (rules: BookRules) => ({
  min_order_size: rules.minOrderSize.toString(),
  max_order_size: rules.maxOrderSize?.toString() ?? null,
  tick_size: rules.tickSize.toString(),
  maker_fee_bps: rules.makerFeeBps,
  taker_fee_bps: rules.takerFeeBps,
  mm_maker_rebate_bps: rules.mmMakerRebateBps,
  auction_roll_unmatched: rules.rollUnmatched,
})

export function referenceColumns(request: BookRequest): Record<string, unknown> {
  const columns: Record<string, unknown> = {
    price_ref_enabled: request.priceRefEnabled,
    price_ref_enforcement: request.priceRefEnforcement,
    price_ref_spread_bps: request.priceRefSpreadBps,
    price_ref_halt_on_stale: request.priceRefHaltOnStale,
    price_ref_stale_tolerance: request.priceRefStaleTolerance,
    price_ref_circuit_breaker_bps: request.priceRefCircuitBreakerBps,
    // Switching it off forgets the price.
    ...(request.priceRefEnabled === false ? { price_ref_last_price: null, price_ref_last_updated: null } : {}),
    // Its feed is asked in the new rhythm, beginning now.
    ...(request.priceRefEnabled || request.priceRefEnforcement ? { price_ref_due_at: null } : {}),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** The reference as the unit should have it after a change of the settings; undefined: as before. */
export function referenceAfter(row: BookRow, request: BookRequest) {
  const { priceRefEnabled, priceRefSpreadBps, priceRefCircuitBreakerBps } = request
  if (priceRefEnabled === false) return { price: null }
  if (row.priceRefLastPrice === null || (priceRefSpreadBps === undefined && priceRefCircuitBreakerBps === undefined))
    return undefined
  const spreadBps = priceRefSpreadBps === undefined ? row.priceRefSpreadBps : priceRefSpreadBps
  return { price: exact(row.priceRefLastPrice), ...(spreadBps === null ? {} : { spreadBps }) }
}
