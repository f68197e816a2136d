import { describe, expect, it } from 'vitest'
import { BodyError, parseBody } from './json-body.ts'

const parse = (text: string) => parseBody(Buffer.from(text))
function fault(text: string | Buffer) {
  try {
    parseBody(typeof text === 'string' ? Buffer.from(text) : text)
    return null
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    return [error.field, error.message]
  }
}

describe('a body', () => {
  it('is what JSON says it is; nothing is no body', () => {
    expect(parse('{"a":[1,"b",{"c":null}]}')).toEqual({ a: [1, 'b', { c: null }] })
    for (const text of ['', ' \n']) expect(parse(text)).toBeUndefined()
  })

  it('has at most 20 levels, wherever brackets stand in texts', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect(fault(nested(20))).toBeNull()
    expect(fault(nested(21))).toEqual(['body', 'is nested deeper than 20 levels'])
    expect(fault(`{"a":"\\"${'['.repeat(50)}","b":"\\\\"}`)).toBeNull()
  })

  it('has at most 20,000 fields and items, wherever commas stand in texts', () => {
    const items = (count: number) => `[${Array.from({ length: count }, () => 0).join(',')}]`
    expect(fault(items(19_999))).toBeNull()
    expect(fault(items(20_000))?.[1]).toMatch(/^holds more than 20000 /)
    expect(fault(`{"a":"${','.repeat(30_000)}"}`)).toBeNull()
  })

  it.each(['{"__proto__":1}', '[{"a":{"__proto__" : 1}}]', '{"\\u005f\\u005Fproto__":1}', '{"__pr\\u006fto__":1}'])(
    'has no field that would change what it is made of: %s',
    (text) => {
      expect(fault(text)?.[1]).toMatch(/__proto__/)
    },
  )

  it('may speak of such a field', () => {
    expect(parse('{"a":"__proto__"}')).toEqual({ a: '__proto__' })
  })

  it('names the field that holds a NUL or half of a character', () => {
    expect(fault('{"a":[{"b":"x\\u0000"}]}')).toEqual(['a.0.b', 'holds a NUL or half of a character'])
    expect(fault('{"a":"\\uD83D"}')?.[0]).toBe('a')
    expect(fault('{"a":"\\ude00\\ud83d"}')?.[0]).toBe('a')
    expect(parse('{"a":"\\uD83D\\uDE00","b":"\\\\u0000"}')).toEqual({ a: '😀', b: '\\u0000' })
  })

  it('is UTF-8', () => {
    expect(fault(Buffer.from([0x22, 0xff, 0x22]))).toEqual(['body', 'is not valid JSON'])
  })
})
