import { describe, expect, it } from 'vitest'
import { asRowArray } from './row-text.rules.ts'

describe('rows as an array of PostgreSQL', () => {
  it('leave out what is null, and escape only what has to be', () => {
    const rows = [
      { text: 'plain', count: 1n, at: new Date(0) },
      { text: '', count: null, at: null },
    ]
    expect(asRowArray(rows, ({ text, count, at }) => [text, count, at])).toBe(
      String.raw`{"(plain,1,1970-01-01T00:00:00.000Z)","(\"\",,)"}`,
    )
    expect(asRowArray([{ text: 'a"b\\c, d' }], ({ text }) => [text, true])).toBe(
      String.raw`{"(\"a\\\"b\\\\c, d\",true)"}`,
    )
    expect(asRowArray([], () => [])).toBe('{}')
  })
})
