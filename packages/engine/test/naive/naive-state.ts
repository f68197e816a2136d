import type { BookRules, Place } from '../../src/commands.ts'
import type { BookStatus, EndReason, OrderStatus, RefusalCode, Side } from '../../src/terms.ts'

/** One fill as an order remembers it; a failed trade takes it off again. */
export interface NaiveFill {
  readonly trade: number
  readonly quantity: bigint
  readonly price: bigint
  readonly bps: bigint
  readonly feeBase: bigint
  /** Before the limit that the trader signed. */
  readonly feeDue: bigint
  readonly feeQuote: bigint
  isSettled: boolean
}

export interface NaiveOrder {
  readonly placed: Place
  readonly born: number
  readonly book: NaiveBook
  readonly highestBps: bigint
  price: bigint | null
  quantity: bigint
  reserved: bigint
  status: OrderStatus
  reason: EndReason | null
  /** 0: in no queue. */
  turn: number
  fills: NaiveFill[]
}

export interface NaiveBook {
  readonly id: string
  readonly instance: string
  readonly pair: string
  readonly staged: boolean
  rules: Record<keyof BookRules, bigint | boolean | null>
  status: BookStatus
  pooled: boolean
  auction: string | null
  reference: bigint | null
  spread: bigint | null
}

export interface NaiveTrade {
  readonly trade: number
  /** Maker and taker; none when it was agreed elsewhere. */
  readonly orders: readonly NaiveOrder[]
  readonly buyerPays: bigint
  readonly quantity: bigint
  /** What its outcome repeats. */
  readonly terms: Readonly<Record<string, unknown>>
}

/** Like an event of the engine, every amount a bigint. */
export type NaiveEvent = { readonly kind: string } & Readonly<Record<string, unknown>>

/** Lists that are searched and sorted anew for every question. */
export interface NaiveState {
  now: number
  born: number
  turns: number
  tradeCount: number
  events: NaiveEvent[]
  readonly books: NaiveBook[]
  readonly orders: NaiveOrder[]
  /** Those that wait for settlement. */
  readonly trades: NaiveTrade[]
}

type Details = Readonly<Record<string, bigint>> | null

export class Refused extends Error {
  readonly code: RefusalCode
  readonly details: Details

  constructor(code: RefusalCode, details: Details = null) {
    super(code)
    this.code = code
    this.details = details
  }
}

export function insist(holds: boolean, code: RefusalCode, details: Details = null): void {
  if (!holds) throw new Refused(code, details)
}

export const MOST = 2n ** 63n - 1n

export const amountOf = (value: bigint | boolean | null): bigint => (typeof value === 'bigint' ? value : 0n)
export const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
export const least = (...values: bigint[]): bigint => values.reduce((a, b) => (b < a ? b : a))

export const filledOf = ({ fills }: NaiveOrder): bigint => sum(fills.map(({ quantity }) => quantity))
export const leftOf = (order: NaiveOrder): bigint => order.quantity - filledOf(order)
export const isUnsettled = ({ fills }: NaiveOrder): boolean => fills.some((fill) => !fill.isSettled)
export const isQueued = ({ status }: NaiveOrder): boolean => status === 'OPEN' || status === 'PARTIALLY_FILLED'
export const isWaiting = (order: NaiveOrder): boolean => isQueued(order) || order.status === 'AUCTION_PENDING'

export const otherSide = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY')
export const isBetter = (side: Side, a: bigint, b: bigint): boolean => (side === 'BUY' ? a > b : a < b)

export const venueOf = ({ id, pooled, status, auction }: NaiveBook): string =>
  pooled && status === 'ACTIVE' && auction === null ? 'POOL' : id

export function bookBy({ books }: NaiveState, id: string): NaiveBook {
  const book = books.find((candidate) => candidate.id === id)
  if (book === undefined) throw new Refused('ORDER_BOOK_NOT_FOUND')
  return book
}

export const inTurn = ({ orders }: NaiveState, isMeant: (order: NaiveOrder) => boolean): NaiveOrder[] =>
  orders.filter(isMeant).sort((a, b) => a.turn - b.turn)

export const byPriority = (side: Side) => (a: NaiveOrder, b: NaiveOrder) => {
  const [priceA, priceB] = [a.price ?? 0n, b.price ?? 0n]
  if (priceA === priceB) return a.turn - b.turn
  return isBetter(side, priceA, priceB) ? -1 : 1
}

/** One side of a venue, who trades first first. */
export function queueOf({ orders }: NaiveState, venue: string, side: Side): NaiveOrder[] {
  const isThere = (order: NaiveOrder) =>
    isQueued(order) && order.turn > 0 && order.placed.side === side && venueOf(order.book) === venue
  return orders.filter(isThere).sort(byPriority(side))
}

export function band(reference: bigint, spread: bigint): { lower: bigint; upper: bigint } {
  const low = reference * (10_000n - spread)
  return { lower: low / 10_000n + (low % 10_000n === 0n ? 0n : 1n), upper: (reference * (10_000n + spread)) / 10_000n }
}
