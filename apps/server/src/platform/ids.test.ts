import { describe, expect, it } from 'vitest'
import { eventId, isUuid, newId } from './ids.ts'
import { systemRandom } from './random.ts'

const at = (text: string) => ({ now: () => new Date(text) })
const hash = `0x${'ab'.repeat(32)}`

describe('a new id', () => {
  it('is a UUIDv7 whose first 48 bits are the millisecond it was made in', () => {
    const id = newId(at('2026-03-01T10:00:00.123Z'), systemRandom)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(Date.parse('2026-03-01T10:00:00.123Z'))
  })

  it('sorts by time, whatever the random bytes are', () => {
    const early = newId(at('2026-03-01T10:00:00.000Z'), (size) => Buffer.alloc(size, 0xff))
    const late = newId(at('2026-03-01T10:00:00.001Z'), (size) => Buffer.alloc(size, 0))
    expect(early < late).toBe(true)
  })

  it('differs from others of the same millisecond', () => {
    const clock = at('2026-03-01T10:00:00Z')
    expect(new Set(Array.from({ length: 500 }, () => newId(clock, systemRandom))).size).toBe(500)
  })
})

describe('the id of a chain event', () => {
  it('is the same for the same event, also when the hash is written in upper case', () => {
    const id = eventId(31_337, hash, 3, 'record')
    expect(eventId(31_337, hash, 3, 'record')).toBe(id)
    expect(eventId(31_337, `0x${'AB'.repeat(32)}`, 3, 'record')).toBe(id)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('never changes between releases: rows in databases carry it', () => {
    expect(eventId(31_337, hash, 3, 'record')).toBe('231a4c01-886d-8e4b-927b-6749b877ad5e')
  })

  it('differs by chain, transaction, log index and operation', () => {
    const ids = [
      eventId(1, hash, 0, 'record'),
      eventId(2, hash, 0, 'record'),
      eventId(1, `0x${'ac'.repeat(32)}`, 0, 'record'),
      eventId(1, hash, 1, 'record'),
      eventId(1, hash, 0, 'erase'),
      eventId(11, hash, 0, 'record'),
      eventId(1, hash, 10, 'record'),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('what counts as an id', () => {
  it('takes a UUID in either case and nothing else', () => {
    const id = newId(at('2026-03-01T10:00:00Z'), systemRandom)
    expect(isUuid(id)).toBe(true)
    expect(isUuid(id.toUpperCase())).toBe(true)
    for (const other of ['', 'x', '1', id.slice(1), `${id}0`, ` ${id}`, `${id}\n`, id.replaceAll('-', ''), `{${id}}`])
      expect(isUuid(other)).toBe(false)
  })
})
