import { describe, expect, it } from 'vitest'
import { runOrderCrashes } from './run-crashes.ts'

describe('acknowledged orders', { timeout: 180_000 }, () => {
  it('exist exactly once, with their trades and balances, whatever is killed while they are sent', async () => {
    const seed = Date.now() % 1_000_000
    const figures = await runOrderCrashes({ trials: 2, databaseKills: 1, seed, clients: 3 })
    expect(figures.violations, `seed ${seed}`).toEqual([])
    expect(figures.acknowledged).toBeGreaterThan(0)
    expect(figures.trades).toBeGreaterThan(0)
  })
})
