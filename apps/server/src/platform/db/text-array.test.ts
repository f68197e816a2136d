import { describe, expect, it } from 'vitest'
import { formatTextArray, parseTextArray } from './text-array.ts'

describe('text arrays', () => {
  it('come back as they were written, whatever they hold', () => {
    const values = [
      'plain',
      '',
      'a, b',
      '{braces}',
      'say "hi"',
      'back\\slash',
      'NULL',
      'null',
      'two\nlines',
      ' ',
      null,
      'é中',
    ]
    expect(parseTextArray(formatTextArray(values))).toEqual(values)
    expect(parseTextArray(formatTextArray([]))).toEqual([])
  })

  it('are read in the short form that PostgreSQL writes', () => {
    expect(parseTextArray('{}')).toEqual([])
    expect(parseTextArray('{a,b-c,NULL,"NULL",""}')).toEqual(['a', 'b-c', null, 'NULL', ''])
  })
})
