import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../support/repository.ts'
import { type Check, findingsResult } from './check.ts'
import { callersFindings } from './contract-docs-rules.ts'

const PAGE = 'docs/contracts.md'

type AbiItem = { type: string; name?: string; stateMutability?: string }

/** What can change something, by contract: every contract of a file of its own directly in the folder. */
function changingFunctions(): Map<string, string[]> {
  const contracts = join(repositoryRoot, 'contracts')
  const names = readdirSync(join(contracts, 'src/lending'))
    .filter((file) => file.endsWith('.sol'))
    .map((file) => file.replace('.sol', ''))
  return new Map(
    names.map((name) => {
      const artifact = readFileSync(join(contracts, 'out', `${name}.sol`, `${name}.json`), 'utf8')
      const { abi } = JSON.parse(artifact) as { abi: AbiItem[] }
      const changing = abi.filter(
        ({ type, stateMutability = '' }) => type === 'function' && !/view|pure/.test(stateMutability),
      )
      return [name, changing.map((item) => item.name ?? '')]
    }),
  )
}

export const contractDocs: Check = {
  name: 'contract-docs',
  // Reads what the check `solidity` has compiled.
  resource: 'forge',
  run: async () => {
    const findings = callersFindings(readFileSync(join(repositoryRoot, PAGE), 'utf8'), changingFunctions())
    return findingsResult(findings.map((finding) => `${PAGE}: ${finding}`))
  },
}
