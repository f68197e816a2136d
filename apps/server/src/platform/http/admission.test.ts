import { describe, expect, it } from 'vitest'
import { createAdmission } from './admission.ts'

/** Lets everything that is ready happen. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

function house(bounds = { inAll: 100, perInstance: 50 }) {
  const admission = createAdmission(bounds)
  const inside: Record<string, (() => void)[]> = {}
  return {
    /** Several requests of an instance; those that are let in can be ended with `end`. */
    async ask(owner: string, count: number, now: number) {
      const refused: string[] = []
      for (let turn = 0; turn < count; turn += 1)
        admission.enter(owner, now).then(
          (leave) => {
            inside[owner] = [...(inside[owner] ?? []), leave]
          },
          (error: { code: string }) => refused.push(error.code),
        )
      await settle()
      return refused
    },
    running: (owner: string) => inside[owner]?.length ?? 0,
    async end(owner: string, count: number) {
      for (const leave of inside[owner]?.splice(0, count) ?? []) leave()
      await settle()
    },
  }
}

describe('the admission of requests', () => {
  it('works on everything an instance sends while it is alone', async () => {
    const { ask, running } = house()
    await ask('a', 50, 0)
    expect(running('a')).toBe(50)
  })

  it('works on no more than its share once another one wants something, and on all again when that one is gone', async () => {
    const { ask, running, end } = house()
    await ask('b', 1, 0)
    await ask('a', 30, 10)
    expect([running('a'), running('b')]).toEqual([8, 1])
    await ask('b', 3, 20)
    expect(running('b')).toBe(4)
    await end('a', 5)
    expect(running('a')).toBe(8)
    await end('b', 4)
    // A second later nobody else is there: what is left is done at once.
    await ask('a', 1, 1_200)
    await end('a', 1)
    expect(running('a')).toBe(30 + 1 - 5 - 1)
  })

  it('refuses what is beyond the bounds, those who wait included', async () => {
    const { ask, end } = house({ inAll: 30, perInstance: 20 })
    await ask('b', 1, 0)
    expect(await ask('a', 25, 0)).toEqual(Array(5).fill('OVERLOADED'))
    expect(await ask('c', 12, 0)).toEqual(Array(3).fill('OVERLOADED'))
    await end('b', 1)
    expect(await ask('b', 1, 0)).toEqual([])
  })
})
