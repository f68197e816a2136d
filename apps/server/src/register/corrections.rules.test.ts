import { describe, expect, it } from 'vitest'
import { correctedQueries, isOneEditApart, longWords, wordsToCorrect } from './corrections.rules.ts'

describe('words that may be mistyped', () => {
  it('have five letters or more, and are told once', () => {
    expect(longWords('alba ( alphabet) bank 24coin alphabet οδοσα')).toEqual(['alphabet', '24coin', 'οδοσα'])
    expect(longWords(`abcd ${'a'.repeat(51)} ${'b'.repeat(50)}`)).toEqual(['b'.repeat(50)])
    expect(longWords('😀😀😀😀😀 -----')).toEqual([])
  })

  it('are looked at up to ten of a query', () => {
    const words = Array.from({ length: 12 }, (_, index) => `word${index + 10}`)
    expect(wordsToCorrect(words.join(' '))).toEqual(words.slice(0, 10))
  })
})

describe('one edit', () => {
  it.each([
    ['bitstamp', 'bitsatmp'],
    ['bitstamp', 'ibtstamp'],
    ['bitstamp', 'bitstapm'],
    ['bitstamp', 'bitstump'],
    ['bitstamp', 'xitstamp'],
    ['bitstamp', 'bitstam'],
    ['bitstamp', 'itstamp'],
    ['bitstamp', 'bitsstamp'],
    ['bitstamp', 'bitstampp'],
    ['aabaa', 'aaaba'],
  ])('is between %j and %j, both ways', (a, b) => {
    expect([isOneEditApart(a, b), isOneEditApart(b, a)]).toEqual([true, true])
  })

  it.each([
    ['bitstamp', 'bitstamp'],
    ['bitstamp', 'bitstapmm'],
    ['bitstamp', 'btistapm'],
    ['bitstamp', 'bitst'],
    ['abcde', 'cbade'],
    ['abcde', 'abxye'],
    ['abcde', 'bcdea'],
  ])('is not between %j and %j', (a, b) => {
    expect([isOneEditApart(a, b), isOneEditApart(b, a)]).toEqual([false, false])
  })
})

describe('corrected queries', () => {
  it('have one word replaced where it stands', () => {
    expect(correctedQueries('( bitsatmp) europe', ['bitstamp', 'europa', 'others'])).toEqual([
      '( bitstamp) europe',
      '( bitsatmp) europa',
    ])
  })

  it('leave words that are known for last', () => {
    expect(correctedQueries('alpha bitsatmp', ['alpha', 'alpia', 'bitstamp'])).toEqual([
      'alpha bitstamp',
      'alpia bitsatmp',
    ])
  })

  it('are ten at most', () => {
    expect(
      correctedQueries(
        'abcde',
        [...'fghijklmnopq'].map((letter) => `abcd${letter}`),
      ),
    ).toHaveLength(10)
  })
})
