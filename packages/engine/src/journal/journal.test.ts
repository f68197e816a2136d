import { seededRandom } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import { plainRules } from '../../test/scenario.ts'
import type { Command, Place } from '../commands.ts'
import { createEngine, restoreEngine } from '../engine.ts'
import { canonicalText, readCanonicalText } from './canonical-text.ts'
import {
  appendEntry,
  emptyHead,
  type Head,
  JournalBroken,
  type JournalEntry,
  readEntry,
  replay,
  verifyEntries,
} from './journal.ts'
import { orderText } from './order-text.ts'

const random = seededRandom(3)

const drawn = (number: number): Command =>
  random.chance(0.3)
    ? { kind: 'cancel', at: number, order: `o${random.integer(0, number)}` }
    : {
        kind: 'place',
        at: number,
        order: `o${number}`,
        book: 'book',
        account: `trader ${random.integer(1, 5)}`,
        side: random.pick(['BUY', 'SELL'] as const),
        type: 'LIMIT',
        timeInForce: 'GTC',
        price: random.bigint(95n, 105n) * 1_000_000n,
        quantity: random.bigint(1n, 2n ** 54n),
      }

const opened: Command = {
  kind: 'openBook',
  at: 0,
  book: 'book',
  instance: 'one',
  base: 'share',
  quote: 'cash',
  rules: { ...plainRules, takerFeeBps: 15 },
  staged: true,
  pooled: false,
}

function written(count: number) {
  const engine = createEngine()
  const entries: JournalEntry[] = []
  let head: Head = emptyHead('unit')
  for (const command of [opened, ...Array.from({ length: count }, (_, number) => drawn(number))]) {
    const entry = appendEntry(head, command, engine.apply(command))
    entries.push(entry)
    head = entry
  }
  return { engine, entries, head }
}

describe('the journal', () => {
  const { engine, entries, head } = written(300)

  it('gives the same state and the same head when it is replayed', () => {
    const again = createEngine()
    expect(replay(again, emptyHead('unit'), entries)).toEqual({ number: head.number, hash: head.hash })
    expect(again.stateHash()).toBe(engine.stateHash())
  })

  it('goes on from a snapshot', () => {
    const first = createEngine()
    const middle = replay(first, emptyHead('unit'), entries.slice(0, 120))
    const restored = restoreEngine(first.snapshot())
    replay(restored, middle, entries.slice(120))
    expect(restored.stateHash()).toBe(engine.stateHash())
  })

  it('breaks wherever a byte of it is changed', () => {
    for (let round = 0; round < 300; round += 1) {
      const index = random.integer(0, entries.length - 1)
      const entry = entries[index]
      if (entry === undefined) continue
      const place = random.integer(0, entry.body.length - 1)
      const other = entry.body[place] === '7' ? '8' : '7'
      const body = entry.body.slice(0, place) + other + entry.body.slice(place + 1)
      expect(() => verifyEntries(emptyHead('unit'), entries.with(index, { ...entry, body }))).toThrow(JournalBroken)
    }
  })

  it('breaks where an entry is left out, doubled or moved, and does not fit another unit', () => {
    expect(() => verifyEntries(emptyHead('unit'), entries.toSpliced(5, 1))).toThrow('Journal entry 7: follows 5')
    const [first, second, ...rest] = entries
    if (!first || !second) throw new Error('no entries')
    expect(() => verifyEntries(emptyHead('unit'), [first, first, second])).toThrow(JournalBroken)
    expect(() => verifyEntries(emptyHead('unit'), [second, first, ...rest])).toThrow(JournalBroken)
    expect(() => verifyEntries(emptyHead('other'), entries)).toThrow('its hash does not fit')
  })

  it('notices events that this engine would not give', () => {
    const forged = appendEntry(emptyHead('unit'), opened, [])
    expect(() => replay(createEngine(), emptyHead('unit'), [forged])).toThrow('other events came out of it')
  })

  it('says so when it is of another version or another number', () => {
    const [first] = entries
    if (!first) throw new Error('no entries')
    const body = (part: object) => canonicalText({ ...(readCanonicalText(first.body) as object), ...part })
    expect(() => readEntry({ ...first, body: body({ version: 2 }) })).toThrow('version 2 cannot be read')
    expect(() => readEntry({ ...first, body: body({ number: 9 }) })).toThrow('its body says 9')
  })
})

describe('a snapshot', () => {
  it('restores to the same bytes', () => {
    const { engine } = written(200)
    expect(restoreEngine(engine.snapshot()).snapshot()).toBe(engine.snapshot())
  })

  it('is canonical text, whatever its orders ask for', () => {
    const { engine } = written(200)
    const asked: Omit<Place, 'order' | 'side'> = {
      kind: 'place',
      at: 300,
      book: 'book',
      account: 'a "trader", named #1',
      type: 'LIMIT',
      timeInForce: 'GTC',
      postOnly: true,
      selfTradePrevention: 'CANCEL_MAKER',
      price: 1_000_000n,
      quantity: 2n ** 60n,
      expiresAt: 9_000,
      marketMaker: true,
      maxFee: 2n ** 59n,
      bandExempt: true,
      vetoes: [{ account: 'trader 2', rule: 'NOT_US' }],
    }
    engine.apply({ ...asked, order: '#bid', side: 'BUY' })
    expect(engine.order('#bid')).toMatchObject({ status: 'OPEN', expiresAt: 9_000, maxFee: 2n ** 59n })
    const text = engine.snapshot()
    expect(canonicalText(readCanonicalText(text))).toBe(text)
    // What an order shows is complete by its type; a field that is missing in the text is missing here.
    const shown = engine.order('#bid')
    if (!shown) throw new Error('the order is not there')
    expect(orderText(shown)).toBe(canonicalText(shown))
    expect(restoreEngine(text).order('#bid')).toEqual(engine.order('#bid'))
    expect(engine.size()).toBe((JSON.parse(text) as { orders: unknown[] }).orders.length)
  })

  it('is of the moment when it was asked for, however much happens while its parts are written', () => {
    const { engine } = written(1_500)
    const whole = engine.snapshot()
    const parts: string[] = []
    for (const part of engine.snapshotParts()) {
      parts.push(part)
      for (const one of Array.from({ length: 200 }, (_, number) => drawn(2_000 + parts.length * 200 + number)))
        engine.apply(one)
    }
    expect(parts.length).toBeGreaterThan(4)
    expect(parts.join('')).toBe(whole)
    expect(engine.snapshot()).not.toBe(whole)
  })

  it('of another version, or with holes, is not read', () => {
    const { engine } = written(50)
    expect(() => restoreEngine(engine.snapshot().replace('"version":1', '"version":2'))).toThrow('version 2')
    expect(() => restoreEngine(engine.snapshot().replaceAll('"id":"book"', '"id":"gone"'))).toThrow('names book')
  })
})

describe('canonical text', () => {
  it('sorts keys, leaves out what is absent, and keeps bigints exact', () => {
    const value = { b: 2n ** 60n, a: [1, 'x', null, true], c: undefined }
    expect(canonicalText(value)).toBe('{"a":[1,"x",null,true],"b":"#1152921504606846976"}')
    expect(readCanonicalText(canonicalText(value))).toEqual({ a: [1, 'x', null, true], b: 2n ** 60n })
  })

  it('tells a bigint from a text that looks like one', () => {
    for (const value of ['#5', '##5', '5', '', '"#'] as const)
      expect(readCanonicalText(canonicalText([value, {}, 5n]))).toEqual([value, {}, 5n])
  })

  it('writes every character as JSON does', () => {
    for (let code = 0; code < 0x10000; code += 1) {
      const text = `a${String.fromCharCode(code)}`
      if (canonicalText(text) !== JSON.stringify(text)) throw new Error(`character ${code} is written otherwise`)
    }
  })

  it('sorts keys whatever else has been written, in objects of as many keys too', () => {
    for (let round = 0; round < 2_000; round += 1) {
      const keys = random.shuffled(['a', 'b', 'c', 'd', 'e', 'f', 'g']).slice(0, random.integer(1, 7))
      const value = Object.fromEntries(keys.map((key) => [key, key]))
      const sorted = keys.toSorted().map((key) => `"${key}":"${key}"`)
      expect(canonicalText(value)).toBe(`{${sorted.join(',')}}`)
    }
  })
})
