import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { repositoryRoot } from './support/repository.ts'
import { installedTool } from './support/run-command.ts'
import { chooseSuite, missingPrograms, type Suite } from './testing/suites.ts'

// Debian keeps servers where an ordinary user does not look.
const path = [process.env.PATH, '/usr/sbin'].join(delimiter)
const isThere = (program: string) => path.split(delimiter).some((folder) => existsSync(join(folder, program)))

function run({ mode, says }: Suite, chosen: string[]): number {
  console.log(`${mode}: ${says}`)
  const env = { ...process.env, PATH: path }
  // What a browser opens is what the sources say now. It takes no time when nothing changed.
  if (mode === 'browser') {
    const built = spawnSync(process.execPath, ['apps/console/bin/build-console.mjs'], {
      cwd: repositoryRoot,
      stdio: 'inherit',
    })
    if (built.status !== 0) return built.status ?? 1
  }
  const vitest = spawnSync(installedTool('vitest'), ['run', '--mode', mode, ...chosen], {
    cwd: repositoryRoot,
    env,
    stdio: 'inherit',
  })
  return vitest.status ?? 1
}

const [word, ...chosen] = process.argv.slice(2)
const suite = chooseSuite(word)
const faults = 'fault' in suite ? [suite.fault] : missingPrograms(suite, isThere)
for (const fault of faults) console.error(fault)
process.exitCode = 'fault' in suite || faults.length > 0 ? 1 : run(suite, chosen)
