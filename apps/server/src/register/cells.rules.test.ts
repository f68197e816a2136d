import { describe, expect, it } from 'vitest'
import { readAddresses, readDay, readIdentifier, readLines, readText, readTokenIdentifiers } from './cells.rules.ts'
import { readCountries, readCountry } from './countries.rules.ts'

describe('a cell of text', () => {
  it.each(['', ' ', 'n/a', 'N/A', 'None', 'not available', '-', '\u00A0'])('that is %j says nothing', (cell) => {
    expect(readText(cell)).toBeNull()
  })
  it('loses doubled and strange spaces, keeps lost characters, and shows a NUL as one', () => {
    expect(readText(' Stra\uFFFDe\t\u00A0 1 ')).toBe('Stra\uFFFDe 1')
    expect(readText('a\0b')).toBe('a\uFFFDb')
    expect(readLines('a \r\n\r\nb\rc\nn/a')).toBe('a\nb\nc')
  })
})

describe('a cell with a day', () => {
  it.each([
    ['14/03/2025', '2025-03-14'],
    ['1/2/2025', '2025-02-01'],
    ['14.03.2025', '2025-03-14'],
    ['14.03.2025.', '2025-03-14'],
    ['01/12/.2025', '2025-12-01'],
    ['2025-03-14', '2025-03-14'],
    ['2025-03-14T00:00:00Z', '2025-03-14'],
    ['12/11/2031', '2031-11-12'],
    ['n/a', null],
    ['', null],
    ['03/14/2025', undefined],
    ['31/02/2025', undefined],
    ['2025', undefined],
    ['soon', undefined],
  ])('%s is read as %s', (cell, day) => {
    expect(readDay(cell)).toBe(day)
  })
})

describe('a cell with an identifier', () => {
  const good = '529900T8BM49AURSDO55'
  it.each([
    ['whole', good, { shown: good, key: good, checksumHolds: true }],
    ['with a dot behind', `${good}. `, { shown: good, key: good, checksumHolds: true }],
    ['with spaces', ` ${good.slice(0, 4)} ${good.slice(4)} ;`, { shown: good, key: good, checksumHolds: true }],
    [
      'with a dot inside',
      `5299.${good.slice(4)}.`,
      { shown: `5299.${good.slice(4)}`, key: null, checksumHolds: false },
    ],
    ['in small letters', good.toLowerCase(), { shown: good, key: good, checksumHolds: true }],
    [
      'with a wrong checksum',
      '529900T8BM49AURSDO56',
      { shown: '529900T8BM49AURSDO56', key: '529900T8BM49AURSDO56', checksumHolds: false },
    ],
    ['a character short', good.slice(1), { shown: good.slice(1), key: null, checksumHolds: false }],
    ['a character long', `${good}0`, { shown: `${good}0`, key: null, checksumHolds: false }],
    [
      'of another kind',
      '7404987 (US File Number)',
      { shown: '7404987 (US File Number)', key: null, checksumHolds: false },
    ],
    ['blank', ' ', { shown: null, key: null, checksumHolds: false }],
  ])('%s', (_what, cell, expected) => {
    expect(readIdentifier(cell)).toEqual(expected)
  })
})

describe('a cell with countries', () => {
  it.each([
    ['AT|BE|DE', ['AT', 'BE', 'DE']],
    ['DE | AT | DE |', ['AT', 'DE']],
    ['AT I BE I IT', ['AT', 'BE', 'IT']],
    ['AT/BE, CZ;FR\nLU', ['AT', 'BE', 'CZ', 'FR', 'LU']],
    ['EL|GR|SL|Fi', ['FI', 'GR', 'SI']],
    ['AT BE', ['AT', 'BE']],
    ['n/a', []],
    ['', []],
  ])('%s', (cell, codes) => {
    expect(readCountries(cell)).toEqual({ codes, allRead: true })
  })
  it('says when a part is no member state', () => {
    expect(readCountries('AT|BVI')).toEqual({ codes: ['AT'], allRead: false })
    expect(readCountry('CYM')).toBeUndefined()
    expect(readCountry('Liechtenstein')).toBe('LI')
  })
})

describe('a cell with addresses', () => {
  it.each([
    ['https://a.example', 'https://a.example'],
    ['https.//a.example', 'https://a.example'],
    ['ttps://a.example', 'https://a.example'],
    ['a.example', 'a.example'],
    ['a.example\nb.example | c.example', 'a.example\nb.example\nc.example'],
    ['Our bank – the first', 'Our bank – the first'],
    ['EMT_NO_WP', 'EMT_NO_WP'],
    ['n/a', null],
  ])('%s', (cell, expected) => {
    expect(readAddresses(cell)).toBe(expected)
  })
})

describe('a cell with token identifiers', () => {
  it('holds them once each, whatever stands around them', () => {
    expect(readTokenIdentifiers('X9J9K872S (Ethereum)\n\tX9J9K872S|4H95J0R2X')).toEqual(['X9J9K872S', '4H95J0R2X'])
    expect(readTokenIdentifiers('n/a')).toEqual([])
  })
})
