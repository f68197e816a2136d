import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '@tallystick/wire'
import type { RecordedExample } from '../../apps/server/test/recorded-examples.ts'
import { choose } from './examples/choose.ts'
import type { Example, Examples } from './examples/example.ts'
import { repositoryRoot } from './support/repository.ts'
import { installedTool } from './support/run-command.ts'

// Runs the tests that speak HTTP, all of them or those that are named, and keeps one example of every leg that they came by. An example
// that is still true stays unless a test showed more; `--kept` runs none and takes what the last run left.
const recorded = join(repositoryRoot, 'node_modules/.cache/tally-examples')
const file = join(repositoryRoot, 'apps/server/src/platform/http/openapi/examples.json')

function record(chosen: readonly string[]): number {
  rmSync(recorded, { recursive: true, force: true })
  // The tests of the document ask for the examples that are only now recorded.
  const args = ['run', '--project', 'server', '--mode', 'examples', '--exclude', '**/http/openapi/**', ...chosen]
  return spawnSync(installedTool('vitest'), args, { cwd: repositoryRoot, stdio: 'inherit' }).status ?? 1
}

function candidates(): Map<string, Example[]> {
  const found = new Map<string, Example[]>()
  for (const name of existsSync(recorded) ? readdirSync(recorded) : [])
    for (const line of readFileSync(join(recorded, name), 'utf8').trim().split('\n')) {
      const { operation, leg, ...example } = JSON.parse(line) as RecordedExample
      const key = `${operation} ${leg}`
      found.set(key, [...(found.get(key) ?? []), example])
    }
  return found
}

/** A line for each leg, so that a change shows where it is. */
function textOf(examples: Examples): string {
  const lines = Object.entries(examples).map(([id, legs]) => {
    const own = Object.entries(legs).map(([leg, example]) => `    ${JSON.stringify(leg)}: ${JSON.stringify(example)}`)
    return `  ${JSON.stringify(id)}: {\n${own.join(',\n')}\n  }`
  })
  return `{\n${lines.join(',\n')}\n}\n`
}

const chosen = process.argv.slice(2)
const status = chosen.includes('--kept') ? 0 : record(chosen)
if (status === 0) {
  const known = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Examples
  const found = candidates()
  const missing: string[] = []
  const examples = operations.map((operation) => {
    const legs = Object.keys(operation.legs).flatMap((leg) => {
      const recorded = found.get(`${operation.id} ${leg}`) ?? []
      const example = choose({ operation, leg, recorded, known: known[operation.id]?.[leg] })
      if (!example) missing.push(`${operation.id} (${leg})`)
      return example ? [[leg, example] as const] : []
    })
    return [operation.id, Object.fromEntries(legs)] as const
  })
  if (missing.length > 0) console.log(`No example yet: ${missing.join(', ')}`)
  writeFileSync(file, textOf(Object.fromEntries(examples)))
}
process.exitCode = status
