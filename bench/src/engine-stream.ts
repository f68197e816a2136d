import { createEngine, type Engine, type OpenBook, type Place } from '@tallystick/engine'
import { seededRandom } from '@tallystick/testkit'

/** One command for any book: a limit order, or the cancellation of one. Whole numbers, small enough for every rival. */
export type StreamCommand =
  | {
      readonly kind: 'limit'
      readonly id: string
      readonly isBuy: boolean
      readonly price: number
      readonly size: number
    }
  | { readonly kind: 'cancel'; readonly id: string }

export interface Stream {
  /** Fills the book to its usual size; not measured. */
  readonly warmUp: readonly StreamCommand[]
  readonly commands: readonly StreamCommand[]
}

const LIVE = 10_000
const CANCELS = 0.3
/** Ticks. */
const MIDDLE = 100_000
const WIDTH = 50
const TICK = 10_000
const LOT = 10_000

export const openStreamBook: OpenBook = {
  kind: 'openBook',
  at: 0,
  book: 'b',
  instance: 'i',
  base: 'base',
  quote: 'quote',
  rules: {
    tickSize: TICK,
    lotSize: LOT,
    minOrderSize: LOT,
    maxOrderSize: null,
    makerFeeBps: 5,
    takerFeeBps: 15,
    mmMakerRebateBps: null,
    rollUnmatched: true,
  },
  staged: false,
  pooled: false,
}

export function toPlace(command: Extract<StreamCommand, { kind: 'limit' }>, account: string): Place {
  return {
    kind: 'place',
    at: 0,
    order: command.id,
    book: 'b',
    account,
    side: command.isBuy ? 'BUY' : 'SELL',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: command.price * TICK,
    quantity: command.size * LOT,
  }
}

/** As a server reads it off the wire: one flat string, not the pieces it was put together from. */
function idOf(number: number): string {
  const tail = number.toString(16).padStart(12, '0')
  return Buffer.from(`0197c2a4-7d31-7${tail.slice(-3)}-9e4b-${tail}`).toString('latin1')
}

/** Draws commands that keep about 10,000 orders alive: a book of our own tells which are. */
export function drawStream(count: number, seed: number): Stream {
  const random = seededRandom(seed)
  const engine = createEngine()
  const live: string[] = []
  const places = new Map<string, number>()
  let drawn = 0
  engine.apply(openStreamBook)

  function forget(id: string): void {
    const place = places.get(id)
    const last = live.pop()
    if (place === undefined || last === undefined) return
    places.delete(id)
    if (last === id) return
    live[place] = last
    places.set(last, place)
  }

  function note(events: ReturnType<Engine['apply']>, id: string): void {
    for (const event of events)
      if (event.kind === 'orderChanged' && event.remaining === 0 && event.order !== id) forget(event.order)
    if (engine.order(id) === null) return
    places.set(id, live.length)
    live.push(id)
  }

  function limit(isPassive: boolean): StreamCommand {
    drawn += 1
    const isBuy = random.chance(0.5)
    const away = Math.floor(random.next() * random.next() * WIDTH) + 1
    const distance = isPassive ? away : -Math.floor(random.next() * 20)
    const command: StreamCommand = {
      kind: 'limit',
      id: idOf(drawn),
      isBuy,
      price: MIDDLE + (isBuy ? -distance : distance),
      size: random.integer(1, 2_000),
    }
    note(engine.apply(toPlace(command, `account-${drawn % 100}`)), command.id)
    return command
  }

  function cancel(): StreamCommand {
    const id = random.pick(live)
    engine.apply({ kind: 'cancel', at: 0, order: id })
    forget(id)
    return { kind: 'cancel', id }
  }

  const next = () =>
    random.chance(CANCELS) ? cancel() : limit(live.length < LIVE ? random.chance(0.8) : random.chance(0.4))
  const warmUp = Array.from({ length: LIVE }, () => limit(true))
  return { warmUp, commands: Array.from({ length: count }, next) }
}
