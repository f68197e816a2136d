import type { Amount } from '../src/amounts.ts'
import type { BookRules, Command, OpenBook, Place } from '../src/commands.ts'
import { createEngine } from '../src/engine.ts'
import type { EngineEvent } from '../src/events.ts'

export const plainRules: BookRules = {
  tickSize: 1,
  lotSize: 1,
  minOrderSize: 0,
  maxOrderSize: null,
  makerFeeBps: 0,
  takerFeeBps: 0,
  mmMakerRebateBps: null,
  rollUnmatched: true,
}

/** Whole units in order book units: `units(2.5)` is 2500000. */
export const units = (value: number): number => Math.round(value * 1e6)

type EventOf<Kind extends EngineEvent['kind']> = Extract<EngineEvent, { kind: Kind }>
type Options = Partial<Place>
type WithoutTime<Item> = Item extends unknown ? Omit<Item, 'at'> : never

/** A unit with books, and short words for what happens to it. Amounts are whole units, orders are named in turn. */
export function createScenario(rules: Partial<BookRules> = {}, opened: Partial<OpenBook> = {}) {
  const engine = createEngine()
  let placed = 0
  let at = 1

  function apply(command: WithoutTime<Command>): EngineEvent[] {
    return engine.apply({ ...command, at } as Command)
  }

  function open(book: string, own: Partial<BookRules> = {}, more: Partial<OpenBook> = {}): EngineEvent[] {
    const pair = { instance: 'one', base: 'share', quote: 'cash', staged: false, pooled: false }
    return apply({ kind: 'openBook', book, ...pair, rules: { ...plainRules, ...own }, ...more })
  }

  function place(side: Place['side'], quantity: number, price: number | null, options: Options = {}): EngineEvent[] {
    placed += 1
    const own = price === null ? { type: 'MARKET' as const } : { type: 'LIMIT' as const, price: units(price) }
    return apply({
      kind: 'place',
      order: `o${placed}`,
      book: 'book',
      account: `trader ${placed}`,
      side,
      timeInForce: 'GTC',
      quantity: units(quantity),
      ...own,
      ...options,
    })
  }

  open('book', rules, opened)
  return {
    engine,
    apply,
    open,
    buy: (quantity: number, price: number | null, options?: Options) => place('BUY', quantity, price, options),
    sell: (quantity: number, price: number | null, options?: Options) => place('SELL', quantity, price, options),
    cancel: (order: string) => apply({ kind: 'cancel', order }),
    /** Lets time pass before the next command. */
    wait(milliseconds: number): void {
      at += milliseconds
    },
    status: (order: string) => engine.order(order)?.status ?? null,
    remaining: (order: string) => engine.order(order)?.remaining ?? null,
    asks: (book = 'book') => engine.depth(book, 10)?.asks.map(shown) ?? [],
    bids: (book = 'book') => engine.depth(book, 10)?.bids.map(shown) ?? [],
  }
}

const shown = ({ price, quantity }: { price: Amount; quantity: Amount }) => [
  Number(price) / 1e6,
  Number(quantity) / 1e6,
]

export function eventsOf<Kind extends EngineEvent['kind']>(
  events: readonly EngineEvent[],
  kind: Kind,
): EventOf<Kind>[] {
  return events.filter((event): event is EventOf<Kind> => event.kind === kind)
}

/** The code a command was refused with. */
export const refusal = (events: readonly EngineEvent[]): string | null => eventsOf(events, 'refused')[0]?.code ?? null

/** How the orders of a command stand after it: `o1 FILLED`, `o2 CANCELLED IOC_REMAINDER`. */
export const changes = (events: readonly EngineEvent[]): string[] =>
  eventsOf(events, 'orderChanged').map(({ order, status, reason }) => [order, status, reason].filter(Boolean).join(' '))

/** What was traded: maker, taker, whole units at a price. */
export const fills = (events: readonly EngineEvent[]): string[] =>
  eventsOf(events, 'trade').map(
    ({ makerOrder, takerOrder, quantity, price }) =>
      `${makerOrder} ${takerOrder} ${Number(quantity) / 1e6} at ${Number(price) / 1e6}`,
  )
