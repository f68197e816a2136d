import { type LaggingRpc, laggingRpc } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDemo } from './demo/demo.ts'
import { showDemo } from './demo/open-demo.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'
import { journeys } from './journeys/index.ts'
import { createPrinter } from './tour/print.ts'

/** Each kind of answer is as old as a busy provider's may be, and none comes at once. */
const LAG = {
  answerMs: 300,
  receiptsMs: 3_000,
  transactionsMs: 3_000,
  noncesMs: 2_000,
  blocksMs: 1_000,
  stateMs: 2_000,
}

/** On a machine that is busy with other things. */
const STARTED_WITHIN_MS = 600_000

describe('the tour with wallets on a node that lags', { timeout: 600_000 }, () => {
  const over = new AbortController()
  let running: RunningDemo | undefined
  let rpc: LaggingRpc | undefined
  beforeAll(async () => {
    running = await startDemo(over.signal)
    rpc = await laggingRpc(running.file.rpcUrl, LAG)
  }, STARTED_WITHIN_MS)
  afterAll(async () => {
    await rpc?.stop()
    // Also what is still on its way up.
    await (running ? running.stop() : over.abort())
  })

  it.each(Object.entries(journeys))('goes the way of the %s to its end', async (_, journey) => {
    if (!running || !rpc) throw new Error('there is no demo')
    const lines: string[] = []
    const print = createPrinter((line) => lines.push(line))
    showDemo(createDemo({ ...running.file, rpcUrl: rpc.url }, print))
    await journey()
    expect(lines.filter((line) => line.includes('✓')).length).toBeGreaterThan(3)
  })
})
