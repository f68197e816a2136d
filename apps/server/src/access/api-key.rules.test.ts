import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { formatApiKey, hashSecret, mintApiKey, parseApiKey, sealingKeyOf, secretMatches } from './api-key.rules.ts'

const secret = '0123456789abcdef'.repeat(4)

describe('the form of an API key', () => {
  it('reads what it writes, for both kinds', () => {
    for (const kind of ['instance', 'register'] as const) {
      const key = { kind, ref: 'Ab3xY9z0', secret }
      expect(parseApiKey(formatApiKey(key))).toEqual(key)
    }
    expect(formatApiKey({ kind: 'instance', ref: 'Ab3xY9z0', secret })).toBe(`tally_Ab3xY9z0_${secret}`)
    expect(formatApiKey({ kind: 'register', ref: 'Ab3xY9z0', secret })).toBe(`tallyreg_Ab3xY9z0_${secret}`)
  })

  it.each([
    ['nothing', ''],
    ['another prefix', `tallyx_Ab3xY9z0_${secret}`],
    ['an upper-case prefix', `TALLY_Ab3xY9z0_${secret}`],
    ['a short ref', `tally_Ab3xY9z_${secret}`],
    ['a long ref', `tally_Ab3xY9z00_${secret}`],
    ['a ref with a sign', `tally_Ab3xY9z-_${secret}`],
    ['a short secret', `tally_Ab3xY9z0_${secret.slice(1)}`],
    ['a long secret', `tally_Ab3xY9z0_${secret}0`],
    ['an upper-case secret', `tally_Ab3xY9z0_${secret.toUpperCase()}`],
    ['a secret that is not hex', `tally_Ab3xY9z0_${secret.slice(1)}g`],
    ['a space in front', ` tally_Ab3xY9z0_${secret}`],
    ['a line end behind', `tally_Ab3xY9z0_${secret}\n`],
    ['two keys at once', `tally_Ab3xY9z0_${secret}, tally_Ab3xY9z0_${secret}`],
  ])('refuses %s', (_what, text) => {
    expect(parseApiKey(text)).toBeNull()
  })
})

describe('a new API key', () => {
  it('has a ref of 8 alphanumerics and a secret of 64 hex digits, whatever the random bytes', () => {
    for (let byte = 0; byte < 256; byte++) {
      const minted = mintApiKey('instance', (size) => Buffer.alloc(size, byte))
      expect(minted.ref).toMatch(/^[0-9A-Za-z]{8}$/)
      expect(parseApiKey(formatApiKey(minted))).toEqual(minted)
    }
  })

  it('takes its secret from 32 random bytes of its own, not from those of the ref', () => {
    const asked: number[] = []
    const minted = mintApiKey('register', (size) => {
      asked.push(size)
      return Buffer.alloc(size, asked.length)
    })
    expect(asked).toEqual([8, 32])
    expect(minted.secret).toBe('02'.repeat(32))
  })
})

describe('the secret of an API key', () => {
  it('is stored as its SHA-256', () => {
    expect(hashSecret(secret).toString('hex')).toBe(createHash('sha256').update(secret).digest('hex'))
  })

  it('matches its own hash and no other', () => {
    expect(secretMatches(secret, hashSecret(secret))).toBe(true)
    expect(secretMatches(`1${secret.slice(1)}`, hashSecret(secret))).toBe(false)
    expect(secretMatches(`${secret.slice(0, -1)}0`, hashSecret(secret))).toBe(false)
  })

  it('seals answers with a key that differs per secret and is not the stored hash', () => {
    const sealing = sealingKeyOf(secret)
    expect(sealing).toHaveLength(32)
    expect(sealingKeyOf(secret)).toEqual(sealing)
    expect(sealingKeyOf(`1${secret.slice(1)}`)).not.toEqual(sealing)
    expect(sealing).not.toEqual(hashSecret(secret))
  })
})
