import { seededRandom } from '@tallystick/testkit'
import { encodeAbiParameters, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeAddress, decodeBool, decodeText, decodeWord, presentNames } from './chain-text.rules.ts'

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0')
const abiString = (text: string) => encodeAbiParameters([{ type: 'string' }], [text])
const abiBytes = (hex: `0x${string}`) => encodeAbiParameters([{ type: 'bytes' }], [hex])

describe('a one-word answer', () => {
  it('is read as a number only when it is exactly 32 bytes', () => {
    expect(decodeWord(`0x${word(18)}`)).toBe(18n)
    expect(decodeWord(`0x${'f'.repeat(64)}`)).toBe(2n ** 256n - 1n)
    for (const answer of ['0x', '0x12', `0x${word(18)}00`, `0x${word(18)}${word(0)}`, `0x${word(1).slice(2)}`])
      expect(decodeWord(answer)).toBeNull()
  })

  it('is a truth value only when it is 0 or 1', () => {
    expect(decodeBool(`0x${word(0)}`)).toBe(false)
    expect(decodeBool(`0x${word(1)}`)).toBe(true)
    for (const answer of [`0x${word(2)}`, `0x${'f'.repeat(64)}`, '0x01', '0x', `0x${word(1)}${word(1)}`])
      expect(decodeBool(answer)).toBeNull()
  })

  it('is an address only when the upper twelve bytes are zero, and is then lowercased', () => {
    expect(decodeAddress(`0x${'0'.repeat(24)}${'Ab'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
    expect(decodeAddress(`0x${word(0)}`)).toBe(`0x${'0'.repeat(40)}`)
    expect(decodeAddress(`0x${word(1n << 160n)}`)).toBeNull()
    expect(decodeAddress(`0x${'ab'.repeat(20)}`)).toBeNull()
  })
})

describe('a text answer', () => {
  it('is read from an ABI string of any length', () => {
    for (const text of ['', 'A', 'Exactly thirty-two characters ok', 'Ünïcödé 株式 🚀', 'x'.repeat(900)])
      expect(decodeText(abiString(text))).toBe(text)
  })

  it('is read from 32 bytes that are padded with zeros, or full', () => {
    expect(decodeText(stringToHex('Maker of Old', { size: 32 }))).toBe('Maker of Old')
    expect(decodeText(stringToHex('z'.repeat(32), { size: 32 }))).toBe('z'.repeat(32))
    expect(decodeText(`0x${word(0)}`)).toBe('')
  })

  it('keeps a byte order mark, which a careless decoder would swallow', () => {
    expect(decodeText(abiString('\uFEFFCoin'))).toBe('\uFEFFCoin')
  })

  it.each([
    ['a lone continuation byte', '0x42ad80'],
    ['a cut sequence', '0x41e282'],
    ['a surrogate', '0xeda0bd'],
    ['an overlong slash', '0xc0af'],
    ['a byte that never occurs', '0xff'],
  ] as const)('is unreadable when its UTF-8 has %s', (_, bytes) => {
    expect(decodeText(abiBytes(bytes))).toBeNull()
    expect(decodeText(`${bytes}${'00'.repeat(32 - (bytes.length - 2) / 2)}`)).toBeNull()
  })

  it.each([
    ['nothing', '0x'],
    ['less than a word', '0x4142'],
    ['an offset past the end', `0x${word(96)}${word(1)}${'41'.padEnd(64, '0')}`],
    ['an offset beyond any number', `0x${'f'.repeat(64)}${word(1)}${'41'.padEnd(64, '0')}`],
    ['an offset inside a word', `0x${word(33)}${word(1)}${'41'.padEnd(64, '0')}`],
    ['a length past the end', `0x${word(32)}${word(33)}${'41'.padEnd(64, '0')}`],
    ['a length beyond any number', `0x${word(32)}${'f'.repeat(64)}${'41'.padEnd(64, '0')}`],
    ['an offset to a word that is cut', `0x${word(32)}${'00'.repeat(16)}`],
  ])('is unreadable when it is %s', (_, answer) => {
    expect(decodeText(answer)).toBeNull()
  })

  it('round-trips random texts, and never throws on random or damaged bytes', () => {
    const random = seededRandom(20_251)
    const alphabet = ['a', 'Z', '0', ' ', 'é', '株', '🚀', '\u0000', '\u202E', '\uFEFF']
    for (let turn = 0; turn < 2_000; turn++) {
      const text = Array.from({ length: random.integer(0, 60) }, () => random.pick(alphabet)).join('')
      const encoded = abiString(text)
      expect(decodeText(encoded)).toBe(text)
      const at = 2 + 2 * random.integer(0, (encoded.length - 4) / 2)
      const damaged = `${encoded.slice(0, at)}${random.hex(1).slice(2)}${encoded.slice(at + 2)}`
      const noise = random.hex(random.integer(0, 200))
      for (const bytes of [damaged, encoded.slice(0, at), noise]) {
        const read = decodeText(bytes)
        if (read !== null) expect(read, bytes).not.toMatch(/\p{Cs}/u)
      }
    }
  })
})

describe('the names that are shown', () => {
  it('are what the contract answered when that is clean', () => {
    expect(presentNames('Example Share', 'EXS', 'erc20')).toEqual({
      name: 'Example Share',
      symbol: 'EXS',
      degraded: false,
    })
  })

  it.each([
    ['control characters', 'Ev\u0000il\n\r\u001B\u007F\u0085', 'Evil'],
    ['a right-to-left override', 'Gold\u202Eniog', 'Goldniog'],
    ['zero-width characters', 'U\u200BS\u200DD\u2060\uFEFF', 'USD'],
    ['line and paragraph separators', 'A\u2028B\u2029', 'AB'],
    ['letters that are drawn as nothing', 'USD\u3164\u115F\uFFA0\u034F', 'USD'],
    ['invisible tags', 'USD\u{E0041}', 'USD'],
    ['spaces around it', '  Coin\t ', 'Coin'],
  ])('lose %s, and are then marked as degraded', (_, answered, shown) => {
    expect(presentNames(answered, 'SYM', 'erc20')).toEqual({ name: shown, symbol: 'SYM', degraded: true })
    expect(presentNames('Name', answered, 'erc20')).toEqual({ name: 'Name', symbol: shown, degraded: true })
  })

  it('stand in for each other, and the framework stands in for both', () => {
    expect(presentNames(null, 'SYM', 'erc20')).toEqual({ name: 'SYM', symbol: 'SYM', degraded: true })
    expect(presentNames('A name that is longer', null, 'erc20')).toEqual({
      name: 'A name that is longer',
      symbol: 'A name that is l',
      degraded: true,
    })
    expect(presentNames(null, null, 'erc721')).toEqual({ name: 'ERC721', symbol: 'ERC721', degraded: true })
    expect(presentNames('\u200B', ' ', 'erc1155')).toEqual({ name: 'ERC1155', symbol: 'ERC1155', degraded: true })
  })

  it('are cut at 256 and 16 characters, never inside one', () => {
    expect(presentNames('n'.repeat(256), 's'.repeat(16), 'erc20').degraded).toBe(false)
    expect(presentNames('n'.repeat(257), 's'.repeat(17), 'erc20')).toEqual({
      name: 'n'.repeat(256),
      symbol: 's'.repeat(16),
      degraded: true,
    })
    expect(presentNames('Name', '🚀'.repeat(17), 'erc20').symbol).toBe('🚀'.repeat(16))
  })

  it('are never empty, too long or invisible, whatever was answered', () => {
    const random = seededRandom(77)
    const alphabet = ['a', ' ', '\u0000', '\u200F', '\u3164', '🚀', '\n', 'Ω', '\u2028']
    const text = () => Array.from({ length: random.integer(0, 400) }, () => random.pick(alphabet)).join('')
    for (let turn = 0; turn < 500; turn++) {
      const shown = presentNames(random.chance(0.1) ? null : text(), random.chance(0.1) ? null : text(), 'erc20')
      for (const [name, limit] of [
        [shown.name, 256],
        [shown.symbol, 16],
      ] as const) {
        expect([...name].length).toBeGreaterThan(0)
        expect([...name].length).toBeLessThanOrEqual(limit)
        expect(name).toBe(name.trim())
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u)
      }
    }
  })
})
