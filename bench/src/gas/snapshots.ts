import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GasFigures } from './figures.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const contractsFolder = join(root, 'contracts')
const committedFolder = join(contractsFolder, 'snapshots')
const measuredFolder = join(contractsFolder, 'cache/gas-snapshots')

function readFigures(folder: string): GasFigures {
  const figures = new Map<string, number>()
  // The bars are about plain tokens, whose files come first; the same operation on another token carries its file's name.
  for (const file of readdirSync(folder).sort()) {
    const named = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>
    for (const [name, gas] of Object.entries(named))
      figures.set(figures.has(name) ? `${file.replace('.json', '')}: ${name}` : name, Number(gas))
  }
  return figures
}

export const readCommittedGas = (): GasFigures => readFigures(committedFolder)

/** Runs the measuring tests, each call as a transaction of its own, and leaves the committed figures alone. */
export function measureGas(): GasFigures {
  rmSync(measuredFolder, { recursive: true, force: true })
  const tests = spawnSync('npm', ['test', '--silent', '-w', 'contracts', '--', '--match-test', 'test_gas_'], {
    cwd: root,
    env: { ...process.env, FOUNDRY_PROFILE: 'gas', FOUNDRY_SNAPSHOTS: measuredFolder },
    encoding: 'utf8',
  })
  if (tests.status !== 0) throw new Error(`measuring failed\n${tests.error ?? ''}${tests.stdout}${tests.stderr}`)
  return readFigures(measuredFolder)
}

/** What was measured last becomes what is committed. */
export function commitMeasuredGas(): void {
  rmSync(committedFolder, { recursive: true, force: true })
  cpSync(measuredFolder, committedFolder, { recursive: true })
}
