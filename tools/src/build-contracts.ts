import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildContracts, contractsFolder } from './solidity/build.ts'
import { chooseRunner, skippedWithoutForge } from './solidity/choose-runner.ts'
import { runForge } from './solidity/run-forge.ts'

/** The files that forge writes, as far as our programs read them. */
async function writeArtifacts(): Promise<void> {
  // What forge remembers of this folder goes with it.
  for (const folder of ['out', 'cache']) rmSync(join(contractsFolder, folder), { recursive: true, force: true })
  const contracts = await buildContracts()
  for (const { source, name, abi, evm } of contracts) {
    const { object, linkReferences = {} } = evm.bytecode
    const folder = join(contractsFolder, 'out', basename(source))
    mkdirSync(folder, { recursive: true })
    const artifact = { abi, bytecode: { object: `0x${object}`, linkReferences } }
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(artifact))
  }
  console.log(`${contracts.length} contracts in contracts/out; ${skippedWithoutForge('forge lint')}`)
}

if (chooseRunner() === 'forge') process.exitCode = (await runForge(['build'], contractsFolder)).exitCode
else await writeArtifacts()
