import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from './support/repository.ts'
import { installedTool } from './support/run-command.ts'
import { codeCoverageFindings, readProvoked } from './testing/code-coverage.ts'
import { countTests } from './testing/test-counts.ts'

const cacheFolder = join(repositoryRoot, 'node_modules/.cache')
const coverageFolder = join(cacheFolder, 'tally-coverage')
const reportFile = join(cacheFolder, 'vitest-report.json')

rmSync(coverageFolder, { recursive: true, force: true })
rmSync(reportFile, { force: true })
mkdirSync(coverageFolder, { recursive: true })

const chosen = process.argv.slice(2)
const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
const { status } = spawnSync(installedTool('vitest'), ['run', ...reporting, ...chosen], {
  cwd: repositoryRoot,
  stdio: 'inherit',
})
const counts = countTests(reportFile, status ?? 1)

// A part of the tests cannot provoke every code, so only a full run is held against the catalogue.
if (chosen.length === 0 && counts.failed === 0) {
  const { catalogue } = await import('@tallystick/wire')
  const findings = codeCoverageFindings(catalogue(), readProvoked(coverageFolder))
  if (findings.length > 0) {
    console.log(`The error catalogue and the tests disagree:\n${findings.join('\n')}\n`)
    counts.failed += 1
  }
}

console.log(`${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = counts.failed === 0 ? 0 : 1
