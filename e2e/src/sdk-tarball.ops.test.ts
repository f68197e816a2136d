import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../../tools/src/support/repository.ts'
import { runCommand } from '../../tools/src/support/run-command.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'

/** What somebody writes who has installed the package and nothing else of ours. */
const PROGRAM = `import { createTally, isRefusal, type Tally } from '@tallystick/sdk'

const [, , baseUrl = '', apiKey = ''] = process.argv
const tally: Tally = createTally({ baseUrl, apiKey })
const { data } = await tally.access.getInstance()
const id: string = data.instanceId
console.log(id)
try {
  await tally.lending.getMarket({ params: { marketId: 'none' } })
} catch (error) {
  if (!isRefusal(error, tally.lending.getMarket)) throw error
  console.log(error.code)
}
// @ts-expect-error no operation has this name
tally.access.listLocks
`
const OPTIONS = { strict: true, target: 'es2022', module: 'nodenext', types: ['node'], outDir: 'out' }

describe('the packed SDK', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-sdk-'))
  let demo: RunningDemo
  let tarball = ''
  beforeAll(async () => {
    const packed = await runCommand('npm', ['run', '--silent', 'sdk:pack', '--', folder])
    expect(packed.exitCode, packed.output).toBe(0)
    tarball = /^(.+\.tgz): install/m.exec(packed.output)?.[1] ?? ''
    demo = await startDemo()
  }, 600_000)
  afterAll(async () => {
    await demo?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function run(command: string, ...args: string[]): Promise<string> {
    const { exitCode, output } = await runCommand(command, args, folder)
    if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')}: ${output}`)
    return output
  }

  it('installs in an empty folder, compiles there with plain TypeScript, and calls the service', async () => {
    writeFileSync(join(folder, 'package.json'), '{ "name": "own", "private": true, "type": "module" }')
    writeFileSync(join(folder, 'program.ts'), PROGRAM)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['program.ts'] }))
    // What it stands beside is linked from here: no registry is asked.
    const beside = ['viem', 'typescript', '@types/node'].map((name) => join(repositoryRoot, 'node_modules', name))
    await run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--install-links=false', tarball, ...beside)
    await run('node', join(folder, 'node_modules/typescript/bin/tsc'), '--project', '.')
    const { baseUrl, instances } = demo.file
    const said = await run('node', 'out/program.js', baseUrl, instances.issuer?.apiKey ?? '')
    expect(said.split('\n')).toEqual([expect.stringMatching(/./), 'MARKET_NOT_FOUND'])
  })
})
