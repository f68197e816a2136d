import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { ADDED, addWrite, promised, scratchCopy } from './scratch-copy.ts'

const MINUTES = 60_000

// Compiles the whole product once more, and loads it once more for one test: a minute that every run would pay.
describe('a write that was added as CONTRIBUTING says', () => {
  const { files, command } = promised(ADDED)
  let root: string
  beforeAll(async () => {
    root = scratchCopy()
    const { exitCode, output } = await addWrite(root, command)
    expect([exitCode, output]).toEqual([0, expect.stringContaining('Now:')])
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('is one that the compiler accepts, and is built and proven over HTTP', {
    timeout: 5 * MINUTES,
  }, async () => {
    const test = files.find((path) => path.endsWith('.test.ts')) ?? ''
    expect(existsSync(join(root, test))).toBe(true)
    const env = Object.keys(process.env).filter((name) => name.startsWith('VITEST'))
    const unset = env.flatMap((name) => ['-u', name])
    // Nobody imports what declares the place of the chain node that tests are given.
    const include = [...files, 'tools/src/testing/built-chain-node.ts']
    const compiled = { extends: './tsconfig.json', compilerOptions: { incremental: false }, include }
    writeFileSync(join(root, 'write.json'), JSON.stringify(compiled))
    const [tests, types] = await Promise.all([
      runCommand('env', [...unset, 'npx', 'vitest', 'run', '--project', 'server', test], root),
      runCommand('node', ['node_modules/typescript7/bin/tsc', '-p', 'write.json', '--singleThreaded'], root),
    ])
    expect([types.exitCode, types.output]).toEqual([0, ''])
    expect([tests.exitCode, tests.output]).toEqual([0, expect.stringContaining('2 passed')])
  })
})
