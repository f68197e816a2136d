import { concat, type Hex, numberToHex, size } from 'viem'
import { describe, expect, test } from 'vitest'
import { fitsPrefix, inEra, isUnreadable, saltFrom } from './salt-prefix.rules.ts'

const FREE = '0x0000000000000000'
const SPLIT = '0x53504c54aabbccdd'
const OTHER = '0x53504c5411223345'
const OF_VERSION_1 = '0xaabbccdd00000000'
const UNREADABLE = '0xffffffffffffffff'
const RANDOM: Hex = `0x${'5a'.repeat(32)}`

const prefix = (base: Hex, quote: Hex): Hex => concat([base, quote])
const salt = (base: Hex, quote: Hex): Hex => concat([base, quote, numberToHex(7, { size: 16 })])

describe('a salt', () => {
  test.each([
    ['another split of the token', salt(OTHER, FREE), prefix(SPLIT, FREE)],
    ['no split of the token', RANDOM, prefix(SPLIT, FREE)],
    ['another split of the quote token', salt(SPLIT, OTHER), prefix(SPLIT, SPLIT)],
    ['no split of the quote token', salt(SPLIT, FREE), prefix(SPLIT, SPLIT)],
    ['a split of the token, and none is known', salt(SPLIT, FREE), prefix(FREE, FREE)],
    ['a split of the quote token, and none is known', salt(FREE, SPLIT), prefix(FREE, FREE)],
    ['other four bytes, where those of version 1 count', RANDOM, prefix(OF_VERSION_1, FREE)],
    ['anything, while the token cannot be read', salt(UNREADABLE, FREE), prefix(UNREADABLE, FREE)],
    ['anything, while the quote token cannot be read', salt(FREE, UNREADABLE), prefix(FREE, UNREADABLE)],
    ['another split, of a contract of the generation before', RANDOM, '0xaabbccdd'],
  ] as const)('that says %s does not fit', (_, told, wanted) => {
    expect(fitsPrefix(told, wanted)).toBe(false)
  })

  test.each([
    ['both splits', salt(SPLIT, OTHER), prefix(SPLIT, OTHER)],
    ['nothing, and nothing was split', RANDOM, prefix(FREE, FREE)],
    ['the four bytes of version 1 and anything after', salt('0xaabbccdd01020304', FREE), prefix(OF_VERSION_1, FREE)],
    ['the four bytes of a contract of the generation before', salt('0xaabbccdd01020304', FREE), '0xaabbccdd'],
    ['anything, to a contract of the generation before', salt(SPLIT, FREE), '0x00000000'],
  ] as const)('that says %s fits', (_, told, wanted) => {
    expect(fitsPrefix(told, wanted)).toBe(true)
  })

  test.each([
    prefix(FREE, FREE),
    prefix(SPLIT, FREE),
    prefix(FREE, SPLIT),
    prefix(SPLIT, OTHER),
    prefix(OF_VERSION_1, SPLIT),
    '0x00000000',
    '0xaabbccdd',
  ] as const)('is made to fit %s, and keeps its other bytes', (wanted) => {
    for (const bytes of [RANDOM, salt(SPLIT, SPLIT)]) {
      const made = saltFrom(bytes, wanted)
      expect(fitsPrefix(made, wanted)).toBe(true)
      expect(size(made)).toBe(32)
      expect(made.slice(34)).toBe(bytes.slice(34))
    }
  })

  test('of a free half is left as it was', () => {
    expect(saltFrom(RANDOM, prefix(FREE, FREE))).toBe(RANDOM)
    expect(saltFrom(RANDOM, prefix(SPLIT, FREE))).toBe(concat([SPLIT, `0x${'5a'.repeat(24)}`]))
  })
})

test('what cannot be read says so in either half, and in both generations', () => {
  expect(
    [prefix(UNREADABLE, FREE), prefix(SPLIT, UNREADABLE), '0xffffffff'].map((one) => isUnreadable(one as Hex)),
  ).toEqual([true, true, true])
  expect([prefix(SPLIT, FREE), '0x00000000'].map((one) => isUnreadable(one as Hex))).toEqual([false, false])
})

describe('a prefix that came back', () => {
  const plain = prefix(FREE, FREE)
  const split = prefix(SPLIT, FREE)
  const era = (count: number, told: Hex) => ({ era: count, prefix: told })

  test('is what the contract says, as long as it was not there before', () => {
    expect(inEra(plain, [])).toBe(plain)
    expect(inEra(plain, [era(1, plain)])).toBe(plain)
    expect(inEra(split, [era(1, plain), era(2, split)])).toBe(split)
    expect(inEra(split, [era(1, plain)])).toBe(split)
  })

  test('takes no salt until its era is written down', () => {
    expect(isUnreadable(inEra(plain, [era(1, plain), era(2, split)]))).toBe(true)
  })

  test.each([plain, '0x00000000', '0xaabbccdd'] as const)('%s takes salts of its era alone', (told) => {
    const third = inEra(told, [era(1, told), era(2, split), era(3, told)])
    const fifth = inEra(told, [era(1, told), era(2, split), era(3, told), era(4, split), era(5, told)])
    expect(fitsPrefix(saltFrom(RANDOM, told), third)).toBe(false)
    const made = saltFrom(RANDOM, third)
    expect([fitsPrefix(made, third), fitsPrefix(made, told), fitsPrefix(made, fifth)]).toEqual([true, true, false])
  })

  test('cannot be read while the contract cannot tell', () => {
    const untold = prefix(UNREADABLE, FREE)
    expect(inEra(untold, [era(1, plain), era(2, split), era(3, plain)])).toBe(untold)
  })
})
