import { describe, expect, it } from 'vitest'
import { parseCsv, UnterminatedQuoteError } from './csv.rules.ts'

const cellsOf = (text: string) => [...parseCsv(text)].map(({ cells, fault }) => cells ?? fault)

describe('comma-separated values', () => {
  it.each([
    [
      'CRLF',
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'LF',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'no line end at the end',
      'a,b\r\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['an empty line', 'a\n\nb\n', [['a'], [''], ['b']]],
    ['blank cells', ',,\n', [['', '', '']]],
    ['separators in quotes', '"a,b","c\nd","e\r\nf","g\rh"\n', [['a,b', 'c\nd', 'e\r\nf', 'g\rh']]],
    ['quotes in quotes', '"say ""hi""",""""\n', [['say "hi"', '"']]],
    ['tabs and other spaces', 'a\tb,\u00A0c\n', [['a\tb', '\u00A0c']]],
    ['nothing', '', []],
  ])('are read with %s', (_what, text, expected) => {
    expect(cellsOf(text)).toEqual(expected)
  })

  it('give the line on which each record begins', () => {
    expect([...parseCsv('a\n"b\nb\nb"\nc\n')].map(({ line }) => line)).toEqual([1, 2, 5])
  })

  it('lose only the line that breaks the rules', () => {
    expect(cellsOf('a,b\nc,d "e" f\ng,h\n')).toEqual([['a', 'b'], expect.stringContaining('quote'), ['g', 'h']])
    expect(cellsOf('a,b\n"c" d,e\ng,h\n')).toEqual([['a', 'b'], expect.stringContaining('closing quote'), ['g', 'h']])
    expect(cellsOf('a,b\nc\rd,e\ng,h\n')).toEqual([['a', 'b'], expect.stringContaining('carriage'), ['g', 'h']])
  })

  it('lose no good record to a quote that was never closed', () => {
    const [first, second, ...rest] = cellsOf('a,b\n"open,c\nd,e\nf,"g"\nh,i\n')
    expect(first).toEqual(['a', 'b'])
    expect(second).toEqual(expect.any(String))
    expect(rest).toEqual([
      ['d', 'e'],
      ['f', 'g'],
      ['h', 'i'],
    ])
  })

  it('notice a cell that cannot be honest before it swallows the file', () => {
    const [bad, ...rest] = cellsOf(`"${'x\n'.repeat(40_000)}y" z\n`)
    expect(bad).toContain('longer')
    expect(rest.slice(0, 2)).toEqual([['x'], ['x']])
    expect(rest.at(-1)).toContain('quote')
  })

  it('say when the file ends inside a quoted cell', () => {
    expect(() => cellsOf('a,b\nc,"d')).toThrow(UnterminatedQuoteError)
    expect(() => cellsOf('a,b\nc,"d')).toThrow('line 2')
  })
})
