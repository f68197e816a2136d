import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDemo } from './demo/demo.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'
import { journeys } from './journeys/index.ts'
import { createPrinter } from './tour/print.ts'

describe('the tour', { timeout: 60_000 }, () => {
  let running: RunningDemo | undefined
  beforeAll(async () => {
    running = await startDemo()
  }, 120_000)
  afterAll(() => running?.stop())

  it.each(Object.entries(journeys))('goes the way of the %s to its end', async (_, journey) => {
    if (!running) throw new Error('there is no demo')
    const lines: string[] = []
    await journey(
      createDemo(
        running.file,
        createPrinter((line) => lines.push(line)),
      ),
    )
    expect(lines.filter((line) => line.includes('✓')).length).toBeGreaterThan(3)
  })
})
