import { describe, expect, it } from 'vitest'
import { createGate, pauseAfter } from './gate.ts'

/** Time that passes when it is told to, and tries that end when they are told to. */
function stage() {
  let now = 0
  const planned = new Map<() => void, number>()
  const tries: { at: number; answer: () => void; fail: (fault: Error) => void }[] = []
  const gate = createGate(() => new Promise((answer, fail) => tries.push({ at: now, answer, fail })), {
    now: () => now,
    later(work, ms) {
      planned.set(work, now + ms)
      return () => planned.delete(work)
    },
  })
  async function pass(ms: number): Promise<void> {
    for (const end = now + ms; now < end; now += 10) {
      for (const [work, at] of [...planned]) if (at <= now && planned.delete(work)) work()
      // Whoever was told goes on before the time does.
      await new Promise(setImmediate)
    }
  }
  const outcome = async (entry: Promise<void> | undefined) =>
    entry === undefined
      ? 'open'
      : entry.then(
          () => 'answered',
          (fault: Error) => fault.message,
        )
  return { gate, tries, pass, outcome }
}

describe('the gate before a database', () => {
  it('is open until a connection is lost, and costs nothing then', () => {
    const { gate, tries } = stage()
    expect(gate.entry()).toBeUndefined()
    expect(tries).toHaveLength(0)
  })

  it('lets one try for all, who share what became of it', async () => {
    const { gate, tries, pass, outcome } = stage()
    gate.doubt()
    for (const fault of ['nobody is there', undefined]) {
      const waiting = Array.from({ length: 100 }, () => outcome(gate.entry()))
      await pass(100)
      expect(tries).toHaveLength(fault ? 1 : 2)
      if (fault) tries.at(-1)?.fail(new Error(fault))
      else tries.at(-1)?.answer()
      expect(new Set(await Promise.all(waiting))).toEqual(new Set([fault ?? 'answered']))
    }
    expect(gate.entry()).toBeUndefined()
  })

  it('tries at once after the first loss, then after pauses that grow, and tells everybody at once in the longer ones', async () => {
    const { gate, tries, pass, outcome } = stage()
    gate.doubt()
    const told: string[] = []
    for (let asked = 0; asked < 200; asked += 1) {
      void outcome(gate.entry()).then((what) => told.push(what))
      const before = tries.length
      await pass(10)
      if (tries.length > before) tries.at(-1)?.fail(new Error('away'))
      if (tries.length > 3) expect(told.length).toBeGreaterThanOrEqual(asked - 1)
    }
    const pauses = tries.slice(1).map(({ at }, index) => at - (tries[index]?.at ?? 0))
    expect(pauses.length).toBeGreaterThan(5)
    for (const [index, pause] of pauses.entries()) expect(Math.abs(pause - pauseAfter(index + 1))).toBeLessThan(30)
    expect(pauses.at(-1)).toBeLessThan(280)
  })

  it('makes a pause when a connection is lost right after a try was answered', async () => {
    const { gate, tries, pass, outcome } = stage()
    for (let round = 0; round < 5; round += 1) {
      gate.doubt()
      const waiting = outcome(gate.entry())
      for (const before = tries.length; tries.length === before; ) await pass(10)
      tries.at(-1)?.answer()
      expect(await waiting).toBe('answered')
    }
    expect(tries.at(-1)?.at).toBeGreaterThanOrEqual(200)
    await pass(2_000)
    gate.doubt()
    void outcome(gate.entry())
    await pass(20)
    expect(tries).toHaveLength(6)
  })

  it('does not try while nobody waits', async () => {
    const { gate, tries, pass, outcome } = stage()
    gate.doubt()
    const waiting = outcome(gate.entry())
    await pass(20)
    tries[0]?.fail(new Error('away'))
    await waiting
    await pass(10_000)
    expect(tries).toHaveLength(1)
    void outcome(gate.entry())
    await pass(20)
    expect(tries).toHaveLength(2)
  })

  it('tries again beside one that says nothing, and opens with the first answer', async () => {
    const { gate, tries, pass, outcome } = stage()
    gate.doubt()
    const waiting = outcome(gate.entry())
    await pass(2_100)
    expect(tries).toHaveLength(3)
    tries[2]?.answer()
    expect(await waiting).toBe('answered')
    // What the others come to later says nothing about now.
    tries[0]?.fail(new Error('too late'))
    await pass(50)
    expect(gate.entry()).toBeUndefined()
  })
})
