import { describe, expect, it } from 'vitest'
import { changesOfTrace } from './block-changes.ts'
import { type Hex, toHex } from './hex.ts'

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`

describe('what a transaction made of the accounts', () => {
  it('is what the tracer saw afterwards, and zero in slots that it saw only before', () => {
    const changes = changesOfTrace({
      pre: {
        '0xaa': { balance: '0x5', nonce: 1, storage: { [word(1)]: word(7), [word(2)]: word(8) } },
        '0xbb': { balance: '0x1' },
      },
      post: { '0xaa': { nonce: 2, storage: { [word(2)]: word(9) } }, '0xcc': { balance: '0x3', code: '0x60' } },
    })
    expect(changes).toEqual({
      '0xaa': { nonce: toHex(2), storage: { [word(1)]: word(0), [word(2)]: word(9) } },
      '0xbb': { storage: {} },
      '0xcc': { balance: '0x3', code: '0x60', storage: {} },
    })
  })
})
