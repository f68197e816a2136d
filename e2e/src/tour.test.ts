import { join } from 'node:path'
import { laggingRpc } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type RunningStack, seededFolder, startStack, stopStack } from '../../apps/server/test/process/data-folder.ts'
import { createDemo } from './demo/demo.ts'
import { type DemoFile, readDemoFile } from './demo/demo-file.ts'
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
  let stack: RunningStack
  let demo: DemoFile
  beforeAll(async () => {
    // As it is deployed, and seeded once for all files of a run: other tests start it from its sources, in an empty folder.
    const folder = await seededFolder()
    stack = await startStack(folder)
    demo = readDemoFile(join(folder, 'demo.json'))
  }, STARTED_WITHIN_MS)
  afterAll(() => stopStack(stack))

  async function go(journey: Journey, file: DemoFile): Promise<void> {
    const lines: string[] = []
    const print = createPrinter((line) => lines.push(line))
    await journey(createDemo(file, print))
    expect(lines.filter((line) => line.includes('✓')).length).toBeGreaterThan(3)
  }

  it.each(Object.entries(journeys))('goes the way of the %s to its end', async (_, journey) => {
    await go(journey, demo)
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
    const rpc = await laggingRpc(demo.rpcUrl, LAG)
    onTestFinished(() => rpc.stop())
    await go(borrower, { ...demo, rpcUrl: rpc.url })
  })
})
