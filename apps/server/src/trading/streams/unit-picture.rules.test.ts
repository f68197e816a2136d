import { type Command, createEngine, type Depth, type Engine } from '@tallystick/engine'
import { seededRandom } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import { createUnitPicture, type UnitView } from './unit-picture.rules.ts'

const BOOKS = ['alpha', 'beta', 'gamma']
const rules = {
  tickSize: 1,
  lotSize: 1,
  minOrderSize: 0,
  maxOrderSize: null,
  makerFeeBps: 0,
  takerFeeBps: 0,
  mmMakerRebateBps: null,
  rollUnmatched: true,
}

function viewOf(engine: Engine): UnitView {
  const books = engine.books()
  const ladders = new Map<string, Depth>()
  for (const { book, ladder } of books) ladders.set(ladder, engine.depth(book, 1_000) ?? { bids: [], asks: [] })
  return { sequence: 0, headHash: '', books, ladders }
}

const levels = (of: Depth['bids']) =>
  of.map(({ price, quantity, orders }) => ({ price: `${price}`, quantity: `${quantity}`, orderCount: orders }))

describe('the picture of a unit', () => {
  it('shows after every command what the engine shows, wherever the books stand', () => {
    const random = seededRandom(815)
    const engine = createEngine()
    let count = 0

    function draw(): Command {
      count += 1
      const [at, book] = [count, random.pick(BOOKS)]
      const dice = random.next()
      if (dice < 0.75)
        return {
          kind: 'place',
          at,
          order: `o${count}`,
          book,
          account: `trader ${random.integer(1, 9)}`,
          side: random.pick(['BUY', 'SELL'] as const),
          type: 'LIMIT',
          timeInForce: random.pick(['GTC', 'GTC', 'GTC', 'IOC'] as const),
          price: random.integer(90, 110) * 1_000_000,
          quantity: random.integer(1, 50) * 100_000,
        }
      if (dice < 0.85) return { kind: 'cancel', at, order: `o${random.integer(1, count)}` }
      if (dice < 0.9) return { kind: random.pick(['pool', 'unpool'] as const), at, book }
      if (dice < 0.94)
        return { kind: 'updateBook', at, book, status: random.pick(['ACTIVE', 'ACTIVE', 'PAUSED', 'CLOSED']) }
      if (dice < 0.96) return { kind: 'openAuction', at, book, auction: `a${count}` }
      if (dice < 0.98) return { kind: 'uncross', at, book }
      return random.chance(0.5) ? { kind: 'cancelAuction', at, book } : { kind: 'massCancel', at, book }
    }

    const pair = { instance: 'one', base: 'share', quote: 'cash', staged: false, rules }
    engine.apply({ kind: 'openBook', at: 0, book: 'alpha', pooled: true, ...pair })
    for (let early = 0; early < 50; early += 1) engine.apply(draw())
    const picture = createUnitPicture(viewOf(engine))
    const places = new Set<string>()
    const commands: Command[] = BOOKS.slice(1).map((book) => ({
      kind: 'openBook',
      at: count,
      book,
      pooled: false,
      ...pair,
    }))
    for (let number = 1; number <= 3_000; number += 1) {
      picture.take([{ number, events: engine.apply(commands.shift() ?? draw()) }])
      for (const book of engine.books()) {
        expect(picture.book(book.book)).toEqual(book)
        places.add(`${book.book} ${book.ladder} ${book.auction !== null}`)
        if (number % 10 !== 0) continue
        const depth = engine.depth(book.book, 1_000)
        const ladder = picture.ladder(book.ladder)
        expect([ladder.bids(), ladder.asks()]).toEqual([levels(depth?.bids ?? []), levels(depth?.asks ?? [])])
      }
    }
    // Each was alone, in the pool, and in auctions.
    expect(places.size).toBe(9)
  })
})
