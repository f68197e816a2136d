import { describe, expect, it } from 'vitest'
import { isLoopback, isMeant, isSameKey, keyOf } from './callers.rules.ts'

const door = { port: 8090, allowedHosts: ['Models.example.org'] }

describe('who an MCP server over HTTP answers', () => {
  it('is called by a name of the machine or one that was allowed, with its port', () => {
    for (const host of ['127.0.0.1:8090', 'LOCALHOST:8090', '[::1]:8090', 'models.example.org'])
      expect([host, isMeant({ host }, door)]).toEqual([host, true])
    for (const host of ['', 'localhost', 'localhost:80', 'evil.example:8090', 'localhost:8090.evil.example'])
      expect([host, isMeant({ host }, door)]).toEqual([host, false])
  })

  it('is no page of another origin', () => {
    const host = 'localhost:8090'
    for (const origin of ['http://localhost:8090', 'http://127.0.0.1:8090', 'https://models.example.org'])
      expect([origin, isMeant({ host, origin }, door)]).toEqual([origin, true])
    for (const origin of ['null', 'http://localhost', 'http://evil.example:8090', 'file://', ''])
      expect([origin, isMeant({ host, origin }, door)]).toEqual([origin, false])
  })

  it('says its key as a bearer', () => {
    expect(keyOf({ authorization: 'Bearer tally_a_b' })).toBe('tally_a_b')
    expect(keyOf({ authorization: 'bearer  tally_a_b' })).toBe('tally_a_b')
    for (const authorization of [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b'])
      expect(keyOf(authorization === undefined ? {} : { authorization })).toBeUndefined()
    expect([isSameKey('a', 'a'), isSameKey('a', 'b'), isSameKey('a', 'ab')]).toEqual([true, false, false])
  })

  it('is on this machine where the address is a loopback', () => {
    expect(['127.0.0.1', '127.1.2.3', '::1', 'localhost'].map(isLoopback)).toEqual([true, true, true, true])
    expect(['0.0.0.0', '::', '10.0.0.1', '127.evil.example', ''].map(isLoopback)).toEqual(Array(5).fill(false))
  })
})
