import { describe, expect, it } from 'vitest'
import { toCsv } from './csv.ts'

describe('CSV', () => {
  it('quotes what needs it and never hands a spreadsheet a formula', () => {
    expect(
      toCsv([
        ['name', 'amount'],
        ['a "b", c', '1.5'],
        ['=HYPERLINK("x")', '-3'],
        ['@x', '+1'],
      ]),
    ).toBe('name,amount\r\n"a ""b"", c",1.5\r\n"\'=HYPERLINK(""x"")",-3\r\n\'@x,\'+1\r\n')
  })
})
