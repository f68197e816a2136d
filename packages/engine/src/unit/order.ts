import type { Amount } from '../amounts.ts'
import type { Veto } from '../commands.ts'
import type { EndReason, OrderStatus, SelfTradePrevention, Side, TimeInForce } from '../terms.ts'
import type { Book } from './book.ts'
import type { Level } from './ladder.ts'

/** Every order has all fields from the start: records of one shape are what makes matching fast. */
export interface Order {
  id: string
  /** Of the id, for the table of orders. */
  hash: number
  book: Book
  account: string
  side: Side
  timeInForce: TimeInForce
  postOnly: boolean
  selfTradePrevention: SelfTradePrevention
  /** Milliseconds; 0: never. */
  expiresAt: number
  marketMaker: boolean
  bandExempt: boolean
  vetoes: readonly Veto[] | null
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
  /** Most fee that its trader signed, for the quantity as placed; each fill pays at most its share. */
  maxFee: Amount | null
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

export const isResting = ({ status }: Order): boolean => status === 'OPEN' || status === 'PARTIALLY_FILLED'
export const isLive = (order: Order): boolean => isResting(order) || order.status === 'AUCTION_PENDING'

/** The rule that forbids a trade between the two, whichever of them it binds. */
export function vetoBetween(taker: Order, maker: Order): string | null {
  return ruleOf(taker.vetoes, maker.account) ?? ruleOf(maker.vetoes, taker.account)
}

function ruleOf(vetoes: readonly Veto[] | null, account: string): string | null {
  return vetoes?.find((veto) => veto.account === account)?.rule ?? null
}
