import { keccak256, pad, stringToHex, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { encodeReason, readReason } from './reason.rules.ts'

describe('a reason', () => {
  it('of 31 bytes stands on chain as it is, and is read back', () => {
    for (const text of ['x', 'Capital increase 2026', 'ä'.repeat(15), 'y'.repeat(31)]) {
      const { bytes32, words } = encodeReason(text)
      expect([bytes32, words]).toEqual([pad(stringToHex(text), { dir: 'right', size: 32 }), null])
      expect(readReason(bytes32)).toBe(text)
    }
  })

  it('of more bytes is hashed, however few characters they are, and its words are kept', () => {
    for (const text of ['y'.repeat(32), 'ä'.repeat(16), 'z'.repeat(500)])
      expect(encodeReason(text)).toEqual({ bytes32: keccak256(stringToHex(text)), words: text })
  })

  it('that was not given is nothing', () => {
    expect(encodeReason(undefined)).toEqual({ bytes32: zeroHash, words: null })
    expect(readReason(zeroHash)).toBeNull()
  })

  it('is not guessed from what is no text', () => {
    expect(readReason(keccak256('0x01'))).toBeNull()
    expect(readReason(pad('0xff', { dir: 'right', size: 32 }))).toBeNull()
    expect(readReason(pad('0x410042', { dir: 'right', size: 32 }))).toBeNull()
  })
})
