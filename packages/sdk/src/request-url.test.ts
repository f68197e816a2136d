import { describe, expect, it } from 'vitest'
import { operationAt } from './operation-at.ts'
import { pathOf } from './request-url.ts'

const operation = {
  id: 'getThing',
  method: 'GET',
  path: '/{surface}/api/things/{thingId}',
  surfaces: ['books/stocks', 'books/commodities'],
}

describe('the address of a request', () => {
  it('fills in parameters and query, encoded, and leaves out what is undefined', () => {
    const request = { params: { thingId: 'a/b c' }, query: { limit: 5, all: true, cursor: undefined } }
    expect(pathOf(operation, request)).toBe('/books/stocks/api/things/a%2Fb%20c?limit=5&all=true')
  })

  it('takes the surface of the call, then the preferred one where it exists, then the documented one', () => {
    const params = { thingId: '1' }
    expect(pathOf(operation, { params, surface: 'books/stocks' }, 'books/commodities')).toContain('/books/stocks/')
    expect(pathOf(operation, { params }, 'books/commodities')).toContain('/books/commodities/')
    expect(pathOf(operation, { params }, 'elsewhere')).toContain('/books/stocks/')
  })

  it('refuses a surface that does not exist and a parameter that is missing or empty', () => {
    expect(() => pathOf(operation, { params: { thingId: '1' }, surface: 'elsewhere' })).toThrow('is not served at')
    expect(() => pathOf(operation, { params: { thingId: '' } })).toThrow('needs the parameter thingId')
    expect(() => pathOf(operation, {})).toThrow('needs the parameter thingId')
  })

  it('finds the operation behind a path, the plainer one first', () => {
    const at = (path: string) => operationAt('POST', path)?.id
    expect(at('/lending-stocks/api/markets/m1/extensions/confirm-tx')).toBe('confirmExtensionTransaction')
    expect(at('/lending-external-securities/api/markets/deploy')).toBe('deployMarket')
    expect(at('/nowhere/api/markets/deploy')).toBeUndefined()
  })
})
