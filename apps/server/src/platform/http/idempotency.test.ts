import { describe, expect, it } from 'vitest'
import { AppError } from '../app-error.ts'
import { checkIdempotencyKey, fingerprint } from './idempotency.ts'

const same = (left: unknown, right: unknown) => fingerprint('/a', left).equals(fingerprint('/a', right))

describe('whether two requests are the same', () => {
  it('does not depend on the order of fields, at any depth', () => {
    expect(same({ a: 1, b: { c: 2, d: [{ e: 3, f: 4 }] } }, { b: { d: [{ f: 4, e: 3 }], c: 2 }, a: 1 })).toBe(true)
  })

  it('depends on every value, its type, and the order of arrays', () => {
    const body = { a: 1, b: ['x', 'y'] }
    for (const other of [
      { a: 2, b: ['x', 'y'] },
      { a: '1', b: ['x', 'y'] },
      { a: 1, b: ['y', 'x'] },
      { a: 1, b: ['x', 'y'], c: null },
      { a: 1 },
      { A: 1, b: ['x', 'y'] },
    ])
      expect(same(body, other)).toBe(false)
    expect(same({ a: { b: 1 } }, { a: {}, b: 1 })).toBe(false)
    expect(same([], {})).toBe(false)
  })

  it('depends on the address with its query', () => {
    expect(fingerprint('/a', {}).equals(fingerprint('/b', {}))).toBe(false)
    expect(fingerprint('/a', {}).equals(fingerprint('/a?x=1', {}))).toBe(false)
  })

  it('counts a missing body and null as one', () => {
    expect(same(undefined, null)).toBe(true)
    expect(same(undefined, {})).toBe(false)
  })
})

describe('an Idempotency-Key', () => {
  const refused = (key: string) => {
    try {
      checkIdempotencyKey(key)
      return null
    } catch (error) {
      return error as AppError
    }
  }

  it('has 8 to 200 characters of a small alphabet', () => {
    for (const key of ['a'.repeat(8), 'Z'.repeat(200), 'aZ09_-:.']) expect(refused(key)).toBeNull()
  })

  it.each(['', 'a'.repeat(7), 'a'.repeat(201), 'abcdefg ', 'abcdefg/', 'abcdefgé', 'abcdefgh\n', 'abcdefg,'])(
    'may not be %j',
    (key) => {
      const error = refused(key)
      expect(error).toBeInstanceOf(AppError)
      expect(error?.code).toBe('VALIDATION_ERROR')
      expect(error?.extra).toEqual({ details: [{ field: 'Idempotency-Key', message: expect.any(String) }] })
    },
  )
})
