import { join } from 'node:path'
import { repositoryRoot } from '../support/repository.ts'
import { type Check, type CheckResult, commandCheck } from './check.ts'

/** By path: two packages bring a command of this name. */
const compiler = join(repositoryRoot, 'node_modules/typescript7/bin/tsc')

/** Pages know a browser, and everything else does not: each has a configuration of its own. */
const PROJECTS = ['.', 'apps/console']

/** Collects garbage when four times as much has come together, and not twice: a fifth of its time, for a tenth more memory. */
const SELDOM = { GOGC: '400' }

// Several checkers at once would each infer most types anew.
const projectCheck = (project: string) =>
  commandCheck(compiler, ['--noEmit', '--singleThreaded', '--project', project], SELDOM)

async function checkTypes(): Promise<CheckResult> {
  const results: CheckResult[] = []
  for (const project of PROJECTS) results.push(await projectCheck(project)())
  return { passed: results.every(({ passed }) => passed), output: results.map(({ output }) => output).join('\n') }
}

export const types: Check = { name: 'types', run: checkTypes }
