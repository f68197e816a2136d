import { join } from 'node:path'
import { repositoryRoot } from '../support/repository.ts'
import { type Check, commandCheck } from './check.ts'

/** By path: two packages bring a command of this name. */
const compiler = join(repositoryRoot, 'node_modules/typescript7/bin/tsc')

// Several checkers at once would each infer most types anew.
export const types: Check = { name: 'types', run: commandCheck(compiler, ['--noEmit', '--singleThreaded']) }
