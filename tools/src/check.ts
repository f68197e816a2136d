import { abi } from './checks/abi.ts'
import { biome } from './checks/biome.ts'
import { borders } from './checks/borders.ts'
import type { Check } from './checks/check.ts'
import { contractDocs } from './checks/contract-docs.ts'
import { docs } from './checks/docs.ts'
import { gas } from './checks/gas.ts'
import { licences } from './checks/licences.ts'
import { platforms } from './checks/platforms.ts'
import { refusedPackages } from './checks/refused-packages.ts'
import { type FinishedCheck, runChecks } from './checks/run-checks.ts'
import { sdk } from './checks/sdk.ts'
import { solidity } from './checks/solidity.ts'
import { storageLayout } from './checks/storage-layout.ts'
import { texts } from './checks/texts.ts'
import { types } from './checks/types.ts'
import { unused } from './checks/unused.ts'

// Cheap first: the usual mistakes show within a second or two.
const CHECKS: Check[] = [
  licences,
  refusedPackages,
  platforms,
  texts,
  biome,
  docs,
  sdk,
  borders,
  types,
  unused,
  storageLayout,
  solidity,
  abi,
  contractDocs,
  gas,
]
const AT_ONCE = 2

function print({ name, passed, seconds, output, notes = [] }: FinishedCheck): void {
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(14)} ${seconds.toFixed(1).padStart(5)} s`)
  for (const note of notes) console.log(`       note: ${note}`)
  if (!passed) console.log(`\n${output}\n`)
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !CHECKS.some((check) => check.name === name))
if (unknown.length > 0) {
  console.error(`No check called ${unknown.join(', ')}. There are: ${CHECKS.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}
const chosen = wanted.length === 0 ? CHECKS : CHECKS.filter(({ name }) => wanted.includes(name))
process.exitCode = (await runChecks(chosen, AT_ONCE, print)) ? 0 : 1
