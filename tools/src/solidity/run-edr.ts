import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NamedContract } from './build.ts'
import { compilerVersion } from './compile-build.ts'
import { type ArtifactId, type EdrArtifact, type EdrSuiteResult, type EdrTestConfig, loadEdr } from './edr.ts'
import type { FoundryConfig } from './foundry-config.ts'

/** The engine may answer before it has told of the last suites. Whoever counts finds those that never come. */
const STRAGGLERS_MS = 30_000

/** Runs tests with the settings that forge takes from the same configuration; tells of each suite as it ends. */
export async function runUnderEdr(
  contracts: readonly NamedContract[],
  suites: readonly NamedContract[],
  config: FoundryConfig,
  options: { contractsFolder: string; testPattern?: string; onSuite?: (suite: EdrSuiteResult) => void },
): Promise<EdrSuiteResult[]> {
  const edr = loadEdr()
  const settings: EdrTestConfig = {
    projectRoot: options.contractsFolder,
    // The engine writes Cancun what the compiler writes cancun.
    hardfork: config.evm_version.replace(/^./, (letter) => letter.toUpperCase()),
    isolate: config.isolate ?? false,
    fsPermissions: config.fs_permissions.map(({ access, path }) => {
      if (access !== 'read') throw new Error(`foundry.toml: tests only read files, but may ${access} ${path}`)
      return { access: edr.FsAccessPermission.ReadDirectory, path: resolve(options.contractsFolder, path) }
    }),
    fuzz: { runs: config.fuzz.runs },
    invariant: {
      runs: config.invariant.runs,
      depth: config.invariant.depth,
      failOnRevert: config.invariant.fail_on_revert,
    },
    // As in forge: tests set up whole worlds within one transaction.
    disableBlockGasLimit: true,
    disableTransactionGasCap: true,
    ...(options.testPattern === undefined ? {} : { testPattern: options.testPattern }),
  }
  const context = new edr.EdrContext()
  await context.registerSolidityTestRunnerFactory(edr.L1_CHAIN_TYPE, edr.l1SolidityTestRunnerFactory())
  const results: EdrSuiteResult[] = []
  const onSuite = (result: EdrSuiteResult) => {
    results.push(result)
    options.onSuite?.(result)
  }
  await context.runSolidityTests(edr.L1_CHAIN_TYPE, contracts.map(toArtifact), suites.map(idOf), settings, {}, onSuite)
  const deadline = performance.now() + STRAGGLERS_MS
  while (results.length < suites.length && performance.now() < deadline) await sleep(5)
  return results
}

const idOf = ({ name, source }: NamedContract): ArtifactId => ({ name, source, solcVersion: compilerVersion })

function toArtifact(contract: NamedContract): EdrArtifact {
  const { bytecode, deployedBytecode } = contract.evm
  return {
    id: idOf(contract),
    contract: {
      abi: JSON.stringify(contract.abi),
      // Interfaces and abstract contracts have none.
      ...(bytecode.object === ''
        ? {}
        : { bytecode: `0x${bytecode.object}`, deployedBytecode: `0x${deployedBytecode.object}` }),
      linkReferences: bytecode.linkReferences ?? {},
      deployedLinkReferences: deployedBytecode.linkReferences ?? {},
    },
  }
}
