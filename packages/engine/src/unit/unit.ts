import type { EngineEvent, Trade } from '../events.ts'
import type { Book } from './book.ts'
import { createExpiryQueue, type ExpiryQueue } from './expiry-queue.ts'
import { createLadder, type Ladder, type Level } from './ladder.ts'
import type { Order } from './order.ts'
import { OrderTable } from './order-table.ts'

export const POOL = 'POOL'

/** A trade that can still fail, with what has to be given back then. */
export interface UnsettledTrade {
  readonly told: Trade
  /** Null in a trade that was agreed elsewhere. */
  readonly orders: { readonly maker: Order; readonly taker: Order } | null
  /** By how much the trade moved what the orders carry of their fees. */
  readonly makerBaseCarry: number
  readonly makerQuoteCarry: number
  readonly takerBaseCarry: number
  readonly takerQuoteCarry: number
}

/** Everything one matching unit knows: a lone book, or the books of a pool. */
export interface Unit {
  now: number
  born: number
  turns: number
  trades: number
  readonly books: Map<string, Book>
  /** Live ones, and ended ones with trades that can still fail. */
  readonly orders: OrderTable
  /** Records of forgotten orders, to be written anew: memory that is still at hand, and nothing for the collector. */
  readonly spare: Order[]
  readonly unsettled: Map<number, UnsettledTrade>
  readonly pool: Ladder
  readonly expiry: ExpiryQueue
  /** What the command in progress has led to. */
  events: EngineEvent[]
  readonly touched: Level[]
  /** How many of `touched` count; the rest is left from earlier commands. */
  touchedCount: number
}

export const createUnit = (): Unit => ({
  now: 0,
  born: 0,
  turns: 0,
  trades: 0,
  books: new Map(),
  orders: new OrderTable(),
  spare: [],
  unsettled: new Map(),
  pool: createLadder(POOL),
  expiry: createExpiryQueue(),
  events: [],
  touched: [],
  touchedCount: 0,
})

/** Live orders of a book in the order of their turns. Walks all orders: for rare commands only. */
export function ordersOf(unit: Unit, isWanted: (order: Order) => boolean): Order[] {
  return unit.orders
    .all()
    .filter(isWanted)
    .sort((a, b) => a.turn - b.turn)
}

/** When a command is done. Time never runs backwards; whoever only asks may ask for later than it is here. */
export const timeOf = ({ now }: Unit, { at }: { readonly at: number }): number => Math.max(now, at)

export function tell(unit: Unit, event: EngineEvent): void {
  const { events } = unit
  events[events.length] = event
}

/** Ends the command: hands out what it led to. */
export function takeEvents(unit: Unit): EngineEvent[] {
  const { events } = unit
  unit.events = []
  return events
}
