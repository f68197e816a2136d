import type { Amount } from '../amounts.ts'
import type { Veto } from '../commands.ts'
import type { EndReason, OrderStatus, SelfTradePrevention, Side, TimeInForce } from '../terms.ts'
import type { Book } from './book.ts'
import type { Level } from './ladder.ts'

/** What an order asks for beside price and quantity. */
export interface OrderTerms {
  readonly timeInForce: TimeInForce
  readonly postOnly: boolean
  readonly selfTradePrevention: SelfTradePrevention
  /** Milliseconds; 0: never. */
  readonly expiresAt: number
  readonly marketMaker: boolean
  readonly bandExempt: boolean
  readonly vetoes: readonly Veto[] | null
  /** Most fee that its trader signed, for the quantity as placed; each fill pays at most its share. */
  readonly maxFee: Amount | null
}

/** Those of most orders: all of them share it, which leaves less to write and to read for each. */
export const PLAIN_TERMS: OrderTerms = {
  timeInForce: 'GTC',
  postOnly: false,
  selfTradePrevention: 'NONE',
  expiresAt: 0,
  marketMaker: false,
  bandExempt: false,
  vetoes: null,
  maxFee: null,
}

const TERMS = Object.keys(PLAIN_TERMS) as (keyof OrderTerms)[]

/** These terms in a record of their own, or the plain ones, which most orders have. */
export function sharedTerms(asked: OrderTerms): OrderTerms {
  if (TERMS.every((term) => asked[term] === PLAIN_TERMS[term])) return PLAIN_TERMS
  const { timeInForce, postOnly, selfTradePrevention, expiresAt, marketMaker, bandExempt, vetoes, maxFee } = asked
  return { timeInForce, postOnly, selfTradePrevention, expiresAt, marketMaker, bandExempt, vetoes, maxFee }
}

/** Every order has all fields from the start: records of one shape are what makes matching fast. */
export interface Order {
  id: string
  /** Of the id, for the table of orders. */
  hash: number
  book: Book
  account: string
  side: Side
  terms: OrderTerms
  /** The highest rate that this order can be charged: what its book asked when it was accepted. */
  maxFeeBps: number
  /** Counts orders as they were accepted. */
  born: number
  /** 0: a market order, which takes any. */
  price: Amount
  quantity: Amount
  remaining: Amount
  /** Base for a sell, quote for a buy. */
  reserved: Amount
  placedQuantity: Amount
  /** Fee not yet charged because it is less than one unit: ten-thousandths of base, millionths of quote. */
  baseCarry: number
  quoteCarry: number
  status: OrderStatus
  reason: EndReason | null
  /** Trades of it that wait for settlement. */
  unsettled: number
  /** Grows along every queue. */
  turn: number
  level: Level | null
  previous: Order | null
  next: Order | null
}

/** What is read when an order is found, taken out of its queue and told of comes first: side by side, it is at hand at once. */
export const blankOrder = (book: Book): Order => ({
  id: '',
  hash: 0,
  level: null,
  previous: null,
  next: null,
  status: 'OPEN',
  reason: null,
  book,
  account: '',
  side: 'BUY',
  price: 0,
  quantity: 0,
  remaining: 0,
  reserved: 0,
  terms: PLAIN_TERMS,
  unsettled: 0,
  maxFeeBps: 0,
  baseCarry: 0,
  quoteCarry: 0,
  turn: 0,
  placedQuantity: 0,
  born: 0,
})

/** Its time is over by then, whether or not somebody has ended it. */
export const isDue = ({ terms }: Order, now: number): boolean => terms.expiresAt !== 0 && terms.expiresAt <= now

export const isResting = ({ status }: Order): boolean => status === 'OPEN' || status === 'PARTIALLY_FILLED'
export const isLive = ({ level, status }: Order): boolean =>
  level !== null || status === 'OPEN' || status === 'PARTIALLY_FILLED' || status === 'AUCTION_PENDING'

/** The rule that forbids a trade between the two, whichever of them it binds. */
export function vetoBetween(taker: Order, maker: Order): string | null {
  return ruleOf(taker.terms.vetoes, maker.account) ?? ruleOf(maker.terms.vetoes, taker.account)
}

function ruleOf(vetoes: readonly Veto[] | null, account: string): string | null {
  return vetoes?.find((veto) => veto.account === account)?.rule ?? null
}
