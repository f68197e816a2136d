import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NamedContract } from './build.ts'

const TEST = /^(test|invariant|statefulFuzz)/

/** The names of the functions of a contract that a runner runs, each as one test. */
export function testsOf({ abi, evm }: Pick<NamedContract, 'abi' | 'evm'>): string[] {
  // An abstract contract has no code, and its tests are those of whatever inherits it.
  if (evm.bytecode.object === '') return []
  return abi.flatMap(({ type, name = '' }) => (type === 'function' && TEST.test(name) ? [name] : []))
}

export const suitesOf = (contracts: readonly NamedContract[]): NamedContract[] =>
  contracts.filter((contract) => testsOf(contract).length > 0)

/** Comments that change how forge runs a single test. */
export function inlineSettings(contractsFolder: string, suites: readonly Pick<NamedContract, 'source'>[]): string[] {
  return [...new Set(suites.map(({ source }) => source))].filter((source) =>
    /\bforge-config:/.test(readFileSync(join(contractsFolder, source), 'utf8')),
  )
}
