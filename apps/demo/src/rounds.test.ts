import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createRounds } from './rounds.ts'

describe('rounds', () => {
  it('go on one after the other, and end when the last one has', async () => {
    let [running, most, done] = [0, 0, 0]
    const rounds = createRounds({
      async pass(isStopping) {
        running += 1
        most = Math.max(most, running)
        await sleep(5)
        running -= 1
        done += 1
        return !isStopping()
      },
      everyMs: 1,
      mostPatientMs: 1,
    })
    expect(await rounds.catchUp()).toBe(true)
    rounds.start()
    while (done < 4) await sleep(1)
    await rounds.stop()
    expect([running, most]).toEqual([0, 1])
    const last = done
    await sleep(20)
    expect(done).toBe(last)
  })

  it('come later and later while something is wrong, up to a limit, and on time again after that', async () => {
    const at: number[] = []
    const rounds = createRounds({
      async pass() {
        at.push(performance.now())
        return at.length > 4
      },
      everyMs: 10,
      mostPatientMs: 40,
    })
    rounds.start()
    while (at.length < 6) await sleep(2)
    await rounds.stop()
    const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0))
    // A timer may be late, and by a fraction early.
    for (const [index, least] of [20, 40, 40, 40, 10].entries()) expect(pauses[index]).toBeGreaterThan(least - 2)
  })
})
