import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

describe('turns of readers and writers', () => {
  it('lets readers in together and a writer alone, in the order of arrival', async () => {
    const { read, write } = createTurns()
    const seen: string[] = []
    const step = (name: string, ms: number) => async () => {
      seen.push(`${name} in`)
      await sleep(ms)
      seen.push(`${name} out`)
    }
    await Promise.all([
      read(step('first', 20)),
      read(step('second', 10)),
      write(step('writer', 10)),
      read(step('third', 1)),
      write(step('last', 1)),
    ])
    expect(seen).toEqual([
      ...['first in', 'second in', 'second out', 'first out'],
      ...['writer in', 'writer out', 'third in', 'third out', 'last in', 'last out'],
    ])
  })

  it('goes on after work that failed', async () => {
    const { read, write } = createTurns()
    const failing = async () => {
      throw new Error('broken')
    }
    await expect(write(failing)).rejects.toThrow('broken')
    await expect(read(failing)).rejects.toThrow('broken')
    expect(await write(async () => 'done')).toBe('done')
  })
})
