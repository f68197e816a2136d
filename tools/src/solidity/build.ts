import { join, relative } from 'node:path'
import { repositoryRoot } from '../support/repository.ts'
import { compileBuild } from './compile-build.ts'
import type { CompiledContract, CompilerInput, CompilerOutput } from './compiler.ts'
import { readFoundryConfig } from './foundry-config.ts'
import { readSoliditySources } from './solidity-sources.ts'

export const contractsFolder = join(repositoryRoot, 'contracts')
const packagesFolder = join(repositoryRoot, 'node_modules')

// What forge asks for, in its order: a build is compiled once for both.
const OUTPUTS = [
  'abi',
  'evm.bytecode.object',
  'evm.bytecode.sourceMap',
  'evm.bytecode.linkReferences',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.sourceMap',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.immutableReferences',
  'evm.methodIdentifiers',
  'metadata',
]

// Those that forge leaves out unless told otherwise: no licence, code and creation code larger than a chain takes (tests
// are), and that transient storage is new.
const IGNORED_WARNINGS = ['1878', '5574', '3860', '2394']

export type NamedContract = CompiledContract & { source: string; name: string }

/** Contracts and tests as forge builds them, on machines without forge too. */
export async function buildContracts(): Promise<NamedContract[]> {
  const output = await compileBuild(buildInput())
  const faults = faultsOf(output)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return Object.entries(output.contracts).flatMap(([source, contracts]) =>
    Object.entries(contracts).map(([name, contract]) => ({ ...contract, source, name })),
  )
}

/** What the compiler finds fault with, warnings too. */
export const faultsOfBuild = async (): Promise<string[]> => faultsOf(await compileBuild(buildInput()))

export function faultsOf({ errors = [] }: CompilerOutput): string[] {
  return errors
    .filter(({ severity, errorCode = '' }) => severity !== 'info' && !IGNORED_WARNINGS.includes(errorCode))
    .map(({ formattedMessage }) => formattedMessage)
}

function buildInput(): CompilerInput {
  const config = readFoundryConfig(contractsFolder)
  const packages = relative(contractsFolder, packagesFolder)
  const files = [...readSoliditySources(contractsFolder, packagesFolder, ['src', 'test'])].map(
    ([path, { content }]) => [path.startsWith('@') ? `${packages}/${path}` : path, content] as const,
  )
  return {
    language: 'Solidity',
    sources: Object.fromEntries(files.map(([name, content]) => [name, { content }])),
    settings: {
      remappings: config.remappings,
      optimizer: { enabled: config.optimizer, runs: config.optimizer_runs },
      metadata: { useLiteralContent: false, bytecodeHash: config.bytecode_hash, appendCBOR: config.cbor_metadata },
      evmVersion: config.evm_version,
      viaIR: false,
      libraries: {},
      outputSelection: Object.fromEntries(files.map(([name]) => [name, { '*': OUTPUTS }])),
    },
  }
}
