import { type CsvSpec, operations } from '@tallystick/wire'
import type { TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { readCsv } from '../../../test/csv-reader.ts'
import { csvCell, csvStream, nextQuery, rowsOf, wantedForm } from './csv.ts'

describe('a cell', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['Größe 🚀', 'Größe 🚀'],
    [' spaces stay ', ' spaces stay '],
    [null, ''],
    [undefined, ''],
    [true, 'true'],
    [17, '17'],
    [{ name: 'a "b"', list: [1] }, '"{""name"":""a \\""b\\"""",""list"":[1]}"'],
  ])('of %j is written as RFC 4180 says', (value, written) => {
    expect(csvCell(value)).toBe(written)
  })

  it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '=HYPERLINK("http://x")', '-', '+49 30 1'])(
    'that a spreadsheet would run is made harmless: %j',
    (text) => {
      expect(readCsv(`a\r\n${csvCell(text)}\r\n`)).toEqual([{ a: `'${text}` }])
    },
  )

  it.each(['-1', '-0.5', '-123456789012345678901234567890', '1.25', -4])('that is a number stays one: %j', (value) => {
    expect(csvCell(value)).toBe(String(value))
  })
})

describe('the form that a caller wants', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['text/html', 'json'],
    ['text/csv', 'only csv'],
    ['TEXT/CSV; header=present', 'only csv'],
    ['text/csv;q=0', 'json'],
    ['text/csv, */*;q=0.1', 'csv'],
    ['text/csv, application/json', 'csv'],
    ['application/json, text/csv', 'json'],
    ['application/json;q=0.5, text/csv', 'csv'],
    ['text/csv;q=0.5, application/json;q=0.6', 'json'],
    ['text/csv;q=many, application/json', 'json'],
  ])('for Accept: %s is %s', (accept, form) => {
    expect(wantedForm(accept)).toBe(form)
  })
})

describe('a list as a file', () => {
  const spec: CsvSpec = { rows: 'items', page: 10, columns: { number: 'n', by: 'who.name' } }
  const PAGES = 1_000

  /** A list of ten thousand rows that counts how many were read. */
  function countedList() {
    const counted = { rows: 0 }
    const read = async (query: { cursor?: string | undefined }) => {
      const page = Number(query.cursor ?? 0)
      const items = Array.from({ length: 10 }, (_, index) => ({ n: page * 10 + index, who: { name: 'Ada, "A"' } }))
      counted.rows += items.length
      return { items, nextCursor: page + 1 < PAGES ? String(page + 1) : null }
    }
    return { counted, read }
  }

  it('holds every row of every page once, in order', async () => {
    const { read, counted } = countedList()
    const stream = csvStream(spec, { query: {}, data: await read({}) }, read)
    const text = (await stream.toArray()).map(String).join('')
    const rows = readCsv(text)
    expect(rows).toHaveLength(PAGES * 10)
    expect(rows.map((row) => Number(row.number))).toEqual(Array.from({ length: PAGES * 10 }, (_, n) => n))
    expect(rows[0]).toEqual({ number: '0', by: 'Ada, "A"' })
    expect(counted.rows).toBe(PAGES * 10)
  })

  it('is read no further than two pages ahead of whoever receives it', async () => {
    const { read, counted } = countedList()
    const stream = csvStream(spec, { query: {}, data: await read({}) }, read)
    let received = 0
    let furthestAhead = 0
    for await (const chunk of stream) {
      received += String(chunk).split('\r\n').length - 1
      // All that is ready to happen has happened before the receiver takes the next piece.
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      furthestAhead = Math.max(furthestAhead, counted.rows - received)
      if (received > 500) break
    }
    expect(received).toBeGreaterThan(500)
    expect(furthestAhead).toBeLessThanOrEqual(20)
    // And the rest is never read once nobody receives it.
    const before = counted.rows
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect([stream.destroyed, counted.rows]).toEqual([true, before])
  })

  it('breaks off where a page cannot be read', async () => {
    const { read } = countedList()
    const first = { query: {}, data: await read({}) }
    const stream = csvStream(spec, first, () => Promise.reject(new Error('the key was revoked')))
    await expect(stream.toArray()).rejects.toThrow('the key was revoked')
  })

  it('goes on by cursor, or by offset at what the first page was read at', () => {
    const full = { items: Array(10).fill({}), block: '7' }
    expect(nextQuery(spec, { offset: '3', limit: '10' }, { ...full, nextCursor: 'c' })).toEqual({
      limit: '10',
      cursor: 'c',
      offset: undefined,
    })
    expect(nextQuery(spec, {}, { ...full, nextCursor: null })).toBeNull()
    const pinned = { ...spec, pins: ['block'] }
    expect(nextQuery(pinned, { limit: '10' }, full)).toEqual({ limit: '10', block: '7', offset: '10' })
    expect(nextQuery(pinned, { offset: '10', block: '7' }, full)).toEqual({ block: '7', offset: '20' })
    expect(nextQuery(pinned, {}, { ...full, items: [] })).toBeNull()
  })

  it('has a row for every member of an object', () => {
    const named = { rows: 'legs', columns: { leg: '@name', paid: 'paid' } }
    expect(rowsOf(named, { legs: { one: { paid: 1 }, two: { paid: 2 } } })).toEqual([
      { '@name': 'one', paid: 1 },
      { '@name': 'two', paid: 2 },
    ])
  })
})

describe('the columns of every operation that answers CSV', () => {
  /** Every schema that a path can lead to. */
  function reach(schemas: TSchema[], path: string[]): TSchema[] {
    const [name, ...rest] = path
    const alternatives = (schema: TSchema): TSchema[] =>
      ((schema as { anyOf?: TSchema[] }).anyOf ?? [schema]).flatMap((one) =>
        one === schema ? [one] : alternatives(one),
      )
    const open = schemas.flatMap(alternatives)
    if (name === undefined) return open
    const next = open.flatMap((schema) => {
      const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema }
      const found = /^\d+$/.test(name) ? items : properties?.[name]
      return found ? [found] : []
    })
    return reach(next, rest)
  }

  const exported = operations.filter(({ csv }) => csv)

  it('are those of holders, ledger entries, trades, candles, loans, cash flows, vaults and the audit log', () => {
    expect(exported.map(({ id }) => id).sort()).toEqual([
      'getCashflows',
      'listAudit',
      'listCandles',
      'listCustomerTrades',
      'listHolders',
      'listLedgerEntries',
      'listOffchainCandles',
      'listOffchainTrades',
      'listOpenLoans',
      'listOrderBookTrades',
      'listPositions',
      'listUserTrades',
      'listVaultHistory',
    ])
  })

  it.each(exported.map((operation) => [operation.id, operation] as const))(
    '%s name what its answer has',
    (_, operation) => {
      const { csv, legs } = operation
      if (!csv || !legs.read) throw new Error('not a list')
      const [list] = reach([legs.read.data], csv.rows.split('.'))
      const { items, properties } = list as { items?: TSchema; properties?: Record<string, TSchema> }
      const rows = items ? [items] : Object.values(properties ?? {})
      expect(rows.length).toBeGreaterThan(0)
      for (const path of Object.values(csv.columns))
        expect([path, path === '@name' || reach(rows, path.split('.')).length > 0]).toEqual([path, true])
      if (csv.page) expect(operation.query?.properties).toHaveProperty('limit')
    },
  )
})
