import { createEngine, type EngineEvent, type Place } from '@tallystick/engine'
import { describe, expect, it } from 'vitest'
import { createCustodyMoney } from './custody-money.rules.ts'
import { accountOf } from './party.rules.ts'

const INSTANCE = '01890000-0000-7000-8000-000000000001'
const [SELLER, BUYER] = ['0x00000000000000000000000000000000000000aa', '0x00000000000000000000000000000000000000bb']
const account = (holder: string) => accountOf({ instanceId: INSTANCE, holder })
const rules = {
  tickSize: 1,
  lotSize: 1,
  minOrderSize: 0,
  maxOrderSize: null,
  makerFeeBps: 0,
  takerFeeBps: 100,
  mmMakerRebateBps: null,
  rollUnmatched: true,
}

/** A staged book with what its traders hold reserved. */
function book(quoteDecimals = 6) {
  const engine = createEngine()
  const money = createCustodyMoney(() => ({ base: 'base', quote: 'quote', quoteDecimals }), [])
  const run = (events: EngineEvent[]) => {
    money.take(events)
    return events
  }
  const opened = {
    kind: 'openBook',
    at: 0,
    book: 'b',
    instance: INSTANCE,
    base: 'base',
    quote: 'quote',
    rules,
  } as const
  run(engine.apply({ ...opened, staged: true, pooled: false }))
  const place = (order: string, holder: string, side: 'BUY' | 'SELL', price: number, quantity: number) => {
    const command: Place = {
      kind: 'place',
      at: 0,
      order,
      book: 'b',
      account: account(holder),
      side,
      type: 'LIMIT',
      timeInForce: 'GTC',
      price,
      quantity,
    }
    return run(engine.apply(command))
  }
  const held = () => ({ base: money.reserved(SELLER, 'base'), quote: money.reserved(BUYER, 'quote') })
  return { engine, money, run, place, held }
}

describe('what wallets have reserved', () => {
  it('is what their orders need, and goes on being held by the trade that took it', () => {
    const { place, held } = book()
    place('s', SELLER, 'SELL', 2_000_000, 3_000_000)
    expect(held()).toEqual({ base: 3_000_000, quote: 0 })
    place('b', BUYER, 'BUY', 2_500_000, 1_000_000)
    // Bought at 2, not at its limit: the difference is free again; one per cent of fee is owed.
    expect(held()).toEqual({ base: 3_000_000, quote: 2_020_000 })
  })

  it('is free once the trade is settled', () => {
    const { engine, run, place, held } = book()
    place('s', SELLER, 'SELL', 2_000_000, 3_000_000)
    place('b', BUYER, 'BUY', 2_000_000, 1_000_000)
    run(engine.apply({ kind: 'settle', at: 0, trade: 1 }))
    expect(held()).toEqual({ base: 2_000_000, quote: 0 })
  })

  it('goes back to an order that still waits when the trade fails, and to the wallet of one that has ended', () => {
    const { engine, run, place, held } = book()
    place('s', SELLER, 'SELL', 2_000_000, 3_000_000)
    place('b', BUYER, 'BUY', 2_000_000, 1_000_000)
    run(engine.apply({ kind: 'unwind', at: 0, trade: 1, reason: 'cancelled' }))
    expect(held()).toEqual({ base: 3_000_000, quote: 0 })
  })

  it('counts what the book rounds off where the money is finer than the book', () => {
    const { engine, run, place, held } = book(18)
    place('s', SELLER, 'SELL', 1_000_001, 3_000_000)
    place('b', BUYER, 'BUY', 1_000_001, 1_500_000)
    // 1.5 at 1.000001 is 1.5000015: one unit more than the book says, and 15,000 of fee.
    expect(held().quote).toBe(1_500_001 + 15_000 + 1)
    run(engine.apply({ kind: 'settle', at: 0, trade: 1 }))
    expect(held()).toEqual({ base: 1_500_000, quote: 0 })
  })

  it('is held for a trade that was agreed elsewhere, from the moment it is reported', () => {
    const { engine, run, held } = book()
    const parties = { makerAccount: account(SELLER), takerAccount: account(BUYER) }
    const agreed = {
      book: 'b',
      makerOrder: 'q',
      takerOrder: 'a',
      side: 'BUY',
      price: 2_000_000,
      quantity: 1_000_000,
    } as const
    run(engine.apply({ kind: 'report', at: 0, ...agreed, ...parties }))
    expect(held()).toEqual({ base: 1_000_000, quote: 2_000_000 })
    run(engine.apply({ kind: 'unwind', at: 0, trade: 1, reason: 'expired' }))
    expect(held()).toEqual({ base: 0, quote: 0 })
  })
})
