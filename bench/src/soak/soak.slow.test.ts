import { describe, expect, it } from 'vitest'
import { runSoak } from './run-soak.ts'

describe('acknowledged writes', () => {
  it('exist exactly once and replay byte for byte, whatever is killed while they are made', async () => {
    const seed = Date.now() % 1_000_000
    const figures = await runSoak({ trials: 3, otherKills: 3, seed, clients: 3 })
    expect(figures.violations, `seed ${seed}`).toEqual({ lost: [], doubled: [], half: [], replay: [], other: [] })
    expect(figures.otherKills).toEqual({ postgres: 1, chain: 1, worker: 1 })
    expect(figures.acknowledged).toBeGreaterThan(0)
    expect(figures.replays).toBeGreaterThanOrEqual(figures.acknowledged)
  })
})
