import { beforeEach, describe, expect, it } from 'vitest'
import { holdSessions } from './held-sessions.ts'

describe('the sessions that are held', () => {
  let now: number
  let closed: string[]
  let held: ReturnType<typeof holdSessions<{ close(): Promise<void> }>>

  const session = (id: string) => ({ close: async () => void closed.push(id) })
  const open = (id: string, key: string) => held.opening(key, async () => held.add(id, key, session(id)))

  beforeEach(() => {
    now = 0
    closed = []
    held = holdSessions({ most: 4, mostOfKey: 2, idleMs: 1_000 }, () => now)
  })

  it('are found by the key that opened them alone', async () => {
    await open('a', 'one')
    expect(held.find('a', 'one')).toBeDefined()
    expect(held.find('a', 'other')).toBeUndefined()
    expect(held.find('b', 'one')).toBeUndefined()
  })

  it('of one key make room for another of that key, the longest unused first, and no other key notices', async () => {
    await open('other', 'two')
    await open('a', 'one')
    now = 1
    await open('b', 'one')
    now = 2
    held.find('a', 'one')
    expect(await open('c', 'one')).toBe(true)
    expect(closed).toEqual(['b'])
    expect(held.find('a', 'one') && held.find('c', 'one') && held.find('other', 'two')).toBeDefined()
  })

  it('are no more than there is room for, those that are just being opened included', async () => {
    let begun: (() => void) | undefined
    const slow = held.opening('zero', () => new Promise((resolve) => (begun = resolve)))
    for (const id of ['a', 'b', 'c']) expect(await open(id, id)).toBe(true)
    expect(await open('d', 'd')).toBe(false)
    expect(held.find('d', 'd')).toBeUndefined()
    begun?.()
    await slow
    expect(await open('d', 'd')).toBe(true)
  })

  it('give their place back when beginning one fails', async () => {
    for (let times = 0; times < 5; times++)
      await expect(held.opening('one', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
    expect(await open('a', 'one')).toBe(true)
  })

  it('end when nobody used them for long, and all of them at the end', async () => {
    await open('a', 'one')
    await open('b', 'two')
    await open('c', 'three')
    now = 900
    held.find('b', 'two')
    held.forget('c')
    now = 1_001
    await held.closeIdle()
    expect(closed).toEqual(['a'])
    await held.closeAll()
    expect(closed).toEqual(['a', 'b'])
  })
})
