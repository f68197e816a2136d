import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { link, linkedLibraries } from './linking.ts'

const room = `__$${'a'.repeat(34)}$__`
const references = { 'Some.sol': { Sums: [{ start: 1, length: 20 }], Terms: [{ start: 23, length: 20 }] } }
const code = { bytecode: `0x73${room}6073${room}00`, references }
const sums: Address = '0xAbCdEf1111111111111111111111111111111111'
const terms: Address = '0x2222222222222222222222222222222222222222'

describe('link', () => {
  it('puts each address where the compiler left room for it', () => {
    expect(linkedLibraries(code)).toEqual(['Sums', 'Terms'])
    expect(link(code, (library) => (library === 'Sums' ? sums : terms))).toBe(
      `0x73${sums.slice(2).toLowerCase()}6073${terms.slice(2)}00`,
    )
  })

  it('refuses code whose references leave a library out', () => {
    const partly = { ...code, references: { 'Some.sol': { Sums: references['Some.sol'].Sums } } }
    expect(() => link(partly, () => sums)).toThrow('still has a library without an address')
  })
})
