import { laggingRpc } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bundled } from '../../apps/server/test/process/programs.ts'
import { createDemo } from './demo/demo.ts'
import type { DemoFile } from './demo/demo-file.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'
import { borrower } from './journeys/borrower.ts'
import { type Journey, journeys } from './journeys/index.ts'
import { createPrinter } from './tour/print.ts'
import { endpoints } from './twenty/endpoints.ts'
import { linesOf } from './twenty/table.ts'
import { tryEndpoint } from './twenty/try-endpoint.ts'

/** Long enough that the nonce has moved before any receipt is there. */
const LAG = { answerMs: 30, receiptsMs: 700, transactionsMs: 700, noncesMs: 500, blocksMs: 200, stateMs: 500 }

/** On a machine that is busy with other things. */
const STARTED_WITHIN_MS = 600_000

describe('the tour', { timeout: 180_000 }, () => {
  const over = new AbortController()
  let running: RunningDemo | undefined
  beforeAll(async () => {
    // As it is deployed: other tests of the same run have built it already, and start it from its sources.
    running = await startDemo(over.signal, [await bundled('embedded')])
  }, STARTED_WITHIN_MS)
  // Also what is still on its way up.
  afterAll(() => (running ? running.stop() : over.abort()))

  async function go(journey: Journey, file: DemoFile | undefined): Promise<void> {
    if (!file) throw new Error('there is no demo')
    const lines: string[] = []
    const print = createPrinter((line) => lines.push(line))
    await journey(createDemo(file, print))
    expect(lines.filter((line) => line.includes('✓')).length).toBeGreaterThan(3)
  }

  it.each(Object.entries(journeys))('goes the way of the %s to its end', async (_, journey) => {
    await go(journey, running?.file)
  })

  it('finds every endpoint of the interface ready to be tried, and ready again when it was', async () => {
    if (!running) throw new Error('there is no demo')
    const twice = [...endpoints, ...endpoints]
    for (const endpoint of twice) {
      const outcome = await tryEndpoint(endpoint, running)
      expect(outcome.failure, linesOf(outcome).join('\n')).toBeNull()
      expect(outcome.rows.map(({ leg, status }) => [leg, status])).toEqual(
        outcome.rows.map(({ leg }) => [leg, leg === 'refused' ? 400 : 200]),
      )
    }
    expect(endpoints.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => `4.${at + 1}`))
  })

  it('says what is wrong with an endpoint that does not answer', async () => {
    if (!running) throw new Error('there is no demo')
    const [list] = endpoints
    if (!list) throw new Error('there are no endpoints')
    const { file } = running
    const issuer = { ...file.instances.issuer, apiKey: file.registerKey }
    const locked = { ...running, fileNow: () => ({ ...file, instances: { ...file.instances, issuer } as never }) }
    const outcome = await tryEndpoint(list, locked)
    expect(outcome.failure).toContain('INSTANCE_REQUIRED')
    expect(linesOf(outcome).at(-1)).toMatch(/failed +400/)
  })

  it('goes the way of the borrower to its end also when his node lags', async () => {
    const rpc = await laggingRpc(running?.file.rpcUrl ?? '', LAG)
    onTestFinished(() => rpc.stop())
    await go(borrower, running && { ...running.file, rpcUrl: rpc.url })
  })
})
