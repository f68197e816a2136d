import { seededRandom } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import { plainRules } from '../../test/scenario.ts'
import type { Command, Place } from '../commands.ts'
import { createEngine } from '../engine.ts'
import type { Accepted, EngineEvent, LevelChanged, OrderChanged, Trade } from '../events.ts'
import { canonicalText } from './canonical-text.ts'
import { entryText } from './entry-text.ts'

const expectSame = (command: Command, events: readonly EngineEvent[]) =>
  expect(entryText(1, 7, command, events)).toBe(canonicalText({ version: 1, number: 7, command, events }))

const HUGE = 2n ** 60n

// With every field there is: one that is added is missing here before it is missing in a journal.
const place: Required<Place> = {
  kind: 'place',
  at: 5,
  order: 'o1',
  book: 'book',
  account: 'one:a "trader", named \\#1',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  postOnly: false,
  selfTradePrevention: 'NONE',
  price: 100,
  quantity: HUGE,
  expiresAt: 9,
  marketMaker: true,
  maxFee: 3,
  budget: HUGE,
  bandExempt: false,
  vetoes: [],
}
const accepted: Required<Accepted> = {
  kind: 'accepted',
  order: '#o',
  book: 'bücher',
  account: 'one:\n',
  side: 'SELL',
  status: 'OPEN',
  reserved: HUGE,
}
const changed: Required<OrderChanged> = {
  kind: 'orderChanged',
  order: 'o"1',
  book: 'book',
  account: '',
  side: 'BUY',
  status: 'PARTIALLY_FILLED',
  reason: null,
  price: null,
  quantity: HUGE,
  remaining: 1,
  reserved: 2,
  added: 0,
  released: HUGE,
}
const trade: Required<Trade> = {
  kind: 'trade',
  trade: 3,
  origin: 'CLOB',
  book: 'book',
  takerBook: null,
  makerOrder: 'o1',
  takerOrder: '##o2',
  makerAccount: 'one:a',
  takerAccount: 'two:b',
  side: 'SELL',
  price: HUGE,
  quantity: 1,
  notional: HUGE,
  makerFee: 4,
  takerFee: 5,
  makerFeeQuote: -6,
  takerFeeQuote: -HUGE,
  buyerPays: 8,
  sellerGets: 9,
  staged: true,
}
const level: Required<LevelChanged> = {
  kind: 'level',
  ladder: 'POOL',
  side: 'BUY',
  price: HUGE,
  quantity: 0,
  orders: 2,
}

describe('the text of an entry', () => {
  it('has every field, as the canonical text has it', () => {
    expectSame(place, [accepted, changed, trade, level])
    expectSame(place, [])
    expectSame(place, [
      { ...changed, reason: 'SELF_TRADE_PREVENTION', price: HUGE },
      { ...trade, takerBook: 'other "book"', staged: false },
    ])
  })

  it('leaves out what is absent of a command', () => {
    const all = Object.keys(place) as (keyof Place)[]
    const needed: (keyof Place)[] = [
      'kind',
      'at',
      'order',
      'book',
      'account',
      'side',
      'type',
      'timeInForce',
      'quantity',
    ]
    const optional = all.filter((key) => !needed.includes(key))
    for (let some = 0; some < 2 ** optional.length; some += 1) {
      const kept = optional.filter((_, index) => some & (2 ** index))
      const command = Object.fromEntries([...needed, ...kept].map((key) => [key, place[key]])) as unknown as Place
      expectSame(command, [accepted])
    }
    expectSame({ kind: 'cancel', at: 1, order: 'o1' }, [])
  })

  it('is the same for whatever an engine says', () => {
    const random = seededRandom(11)
    const engine = createEngine()
    const rules = { ...plainRules, takerFeeBps: 15, makerFeeBps: 5 }
    const commands: Command[] = [
      {
        kind: 'openBook',
        at: 0,
        book: 'book',
        instance: 'one',
        base: 'share',
        quote: 'cash',
        rules,
        staged: false,
        pooled: false,
      },
      ...Array.from({ length: 500 }, (_, number): Command => {
        if (random.chance(0.2)) return { kind: 'cancel', at: number, order: `o${random.integer(0, number)}` }
        const type = random.pick(['LIMIT', 'LIMIT', 'MARKET'] as const)
        return {
          kind: 'place',
          at: number,
          order: `o${number}`,
          book: 'book',
          account: `one:trader ${random.integer(1, 5)}`,
          side: random.pick(['BUY', 'SELL'] as const),
          type,
          timeInForce: random.pick(['GTC', 'IOC', 'FOK'] as const),
          selfTradePrevention: random.pick(['NONE', 'CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH'] as const),
          ...(type === 'LIMIT' ? { price: random.integer(95, 105) * 1_000_000 } : {}),
          quantity: random.integer(1, 2 ** 40),
        }
      }),
    ]
    const kinds = new Set<string>()
    for (const command of commands) {
      const events = engine.apply(command)
      for (const { kind } of events) kinds.add(kind)
      expectSame(command, events)
    }
    for (const kind of ['accepted', 'orderChanged', 'trade', 'level']) expect(kinds).toContain(kind)
  })
})
