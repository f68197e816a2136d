import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { conformanceFindings } from './conformance/findings.ts'
import { conformanceTable } from './conformance/table.ts'
import { repositoryRoot } from './support/repository.ts'
import { installedTool, roomyNode } from './support/run-command.ts'
import { codeCoverageFindings, readProvoked } from './testing/code-coverage.ts'
import { countTests } from './testing/test-counts.ts'
import { LOAD_FROM, writeTranspiled } from './testing/transpiled.ts'

const cacheFolder = join(repositoryRoot, 'node_modules/.cache')
const coverageFolder = join(cacheFolder, 'tally-coverage')
const answersFolder = join(cacheFolder, 'tally-answers')
const reportFile = join(cacheFolder, 'vitest-report.json')

rmSync(coverageFolder, { recursive: true, force: true })
rmSync(answersFolder, { recursive: true, force: true })
rmSync(reportFile, { force: true })
mkdirSync(coverageFolder, { recursive: true })

const chosen = process.argv.slice(2)
// Whoever chooses tests looks for a fault, and wants to see it in the sources.
const modules = chosen.length === 0 ? join(cacheFolder, 'tally-modules') : undefined
if (modules) await writeTranspiled(modules)
const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
const { status } = spawnSync(installedTool('vitest'), ['run', ...reporting, ...chosen], {
  cwd: repositoryRoot,
  env: { ...process.env, ...roomyNode(), ...(modules ? { [LOAD_FROM]: modules } : {}) },
  stdio: 'inherit',
})
const counts = countTests(reportFile, status ?? 1)

/** What is printed and counted as one failure. */
function disagree(sentence: string, findings: readonly string[]): void {
  if (findings.length === 0) return
  console.log(`${sentence}\n${findings.join('\n')}\n`)
  counts.failed += 1
}

// A part of the tests cannot provoke every code, so only a full run is held against the catalogue.
if (chosen.length === 0 && counts.failed === 0) {
  const [{ catalogue }, { readEvidence }] = await Promise.all([
    import('@tallystick/wire'),
    import('./conformance/evidence.ts'),
  ])
  const codes = codeCoverageFindings(catalogue(), readProvoked(coverageFolder))
  disagree('The error catalogue and the tests disagree:', codes)
  const places = { root: repositoryRoot, reportFile, provokedFolder: coverageFolder, answersFolder }
  disagree('The interface and the tests disagree:', conformanceFindings(conformanceTable, readEvidence(places)))
}

console.log(`${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = counts.failed === 0 ? 0 : 1
