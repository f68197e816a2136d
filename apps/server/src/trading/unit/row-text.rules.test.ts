import { describe, expect, it } from 'vitest'
import { asRowArray, plainField, textField, timeField } from './row-text.rules.ts'

describe('rows as an array of PostgreSQL', () => {
  it('leave out what is null, and escape only what has to be', () => {
    const rows = [
      { text: 'plain', count: 1n, at: new Date(0) },
      { text: '', count: null, at: null },
      { text: null, count: 2, at: null },
    ]
    const fields = ({ text, count, at }: (typeof rows)[number]) =>
      `${textField(text)},${plainField(count)},${timeField(at)}`
    expect(asRowArray(rows, fields)).toBe(String.raw`{"(plain,1,1970-01-01T00:00:00.000Z)","(\"\",,)","(,2,)"}`)
    expect(asRowArray([{ text: 'a"b\\c, d' }], ({ text }) => `${textField(text)},true`)).toBe(
      String.raw`{"(\"a\\\"b\\\\c, d\",true)"}`,
    )
    expect(asRowArray([], () => '')).toBe('{}')
  })
})
