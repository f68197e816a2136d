import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningStack, startStack, stopStack } from '../../apps/server/test/process/data-folder.ts'
import { seededFolder } from '../../apps/server/test/process/seeded-folder.ts'
import { createDemo } from './demo/demo.ts'
import { type DemoFile, readDemoFile } from './demo/demo-file.ts'
import { showDemo } from './demo/open-demo.ts'
import type { RunningDemo } from './demo/start-demo.ts'
import { programOf } from './guide.ts'
import { journeys } from './journeys/index.ts'
import { createPrinter } from './tour/print.ts'
import { endpoints } from './twenty/endpoints.ts'
import { linesOf } from './twenty/table.ts'
import { tryEndpoint } from './twenty/try-endpoint.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const GUIDES = join(ROOT, 'docs/guides')

/** On a machine that is busy with other things. */
const STARTED_WITHIN_MS = 600_000

describe('the tour', () => {
  let stack: RunningStack
  let demo: RunningDemo
  let folder = ''
  beforeAll(async () => {
    // Within the repository, where a reader would save it: there the packages are found.
    mkdirSync(join(ROOT, 'var'), { recursive: true })
    folder = mkdtempSync(join(ROOT, 'var', 'guides-'))
    // As it is deployed, on what one start from the sources has seeded for all files of a run.
    const data = await seededFolder()
    stack = await startStack(data)
    const fileNow = () => readDemoFile(join(data, 'demo.json'))
    demo = { file: fileNow(), fileNow, stop: () => stopStack(stack) }
  }, STARTED_WITHIN_MS)
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await stopStack(stack)
  })

  async function go(journey: () => Promise<unknown>, file: DemoFile): Promise<void> {
    const lines: string[] = []
    // A guide has no steps of its own: without one, nothing is shown.
    const print = createPrinter((line) => lines.push(line))
    print.step('the first')
    showDemo(createDemo(file, print))
    await journey()
    expect(lines.filter((line) => line.includes('✓')).length).toBeGreaterThan(3)
  }

  it('has a guide for each journey', () => {
    expect(readdirSync(GUIDES).sort()).toEqual(
      Object.keys(journeys)
        .map((role) => `${role}.md`)
        .sort(),
    )
  })

  // What a reader types is what runs. The docs check holds the blocks of a guide against the journey that the tour performs.
  it.each(Object.keys(journeys))('goes the way of the %s to its end, as the guide prints it', async (role) => {
    const program = join(folder, `${role}.ts`)
    writeFileSync(program, programOf(readFileSync(join(GUIDES, `${role}.md`), 'utf8')))
    await go(() => import(program), demo.file)
  })

  it('runs what the page of the client prints', async () => {
    const place = join(folder, 'reader')
    mkdirSync(join(place, 'var'), { recursive: true })
    writeFileSync(join(place, 'var/demo.json'), JSON.stringify(demo.file))
    writeFileSync(join(place, 'client.ts'), programOf(readFileSync(join(ROOT, 'docs/sdk.md'), 'utf8')))
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'client.ts'], { cwd: place })
    expect(stdout).toContain("symbol: 'HAFN'")
    expect(stdout).toMatch(/notes are free\n/)
  })

  it('finds every endpoint of the interface ready to be tried, and ready again when it was', async () => {
    const twice = [...endpoints, ...endpoints]
    for (const endpoint of twice) {
      const outcome = await tryEndpoint(endpoint, demo)
      expect(outcome.failure, linesOf(outcome).join('\n')).toBeNull()
      expect(outcome.rows.map(({ leg, status }) => [leg, status])).toEqual(
        outcome.rows.map(({ leg }) => [leg, leg === 'refused' ? 400 : 200]),
      )
    }
    expect(endpoints.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => `4.${at + 1}`))
  })

  it('says what is wrong with an endpoint that does not answer', async () => {
    const [list] = endpoints
    if (!list) throw new Error('there are no endpoints')
    const { file } = demo
    const issuer = { ...file.instances.issuer, apiKey: file.registerKey }
    const locked = { ...demo, fileNow: () => ({ ...file, instances: { ...file.instances, issuer } as never }) }
    const outcome = await tryEndpoint(list, locked)
    expect(outcome.failure).toContain('INSTANCE_REQUIRED')
    expect(linesOf(outcome).at(-1)).toMatch(/failed +400/)
  })
})
