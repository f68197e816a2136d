import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildContracts } from '../solidity/build.ts'
import { repositoryRoot } from '../support/repository.ts'
import { type Check, findingsResult } from './check.ts'
import { callersFindings } from './contract-docs-rules.ts'

const PAGE = 'docs/contracts.md'

/** What can change something, by contract: every contract of a file of its own directly in the folder. */
async function changingFunctions(): Promise<Map<string, string[]>> {
  const contracts = await buildContracts()
  const own = contracts.filter(({ source, name }) => source === `src/lending/${name}.sol`)
  return new Map(
    own.map(({ name, abi }) => {
      const changing = abi.filter(
        ({ type, stateMutability = '' }) => type === 'function' && !/view|pure/.test(stateMutability),
      )
      return [name, changing.map((item) => item.name ?? '')]
    }),
  )
}

export const contractDocs: Check = {
  name: 'contract-docs',
  resource: 'compiler',
  run: async () => {
    const findings = callersFindings(readFileSync(join(repositoryRoot, PAGE), 'utf8'), await changingFunctions())
    return findingsResult(findings.map((finding) => `${PAGE}: ${finding}`))
  },
}
