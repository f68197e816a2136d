import { createRequire } from 'node:module'
import type { LinkReferences } from './compiler.ts'

// The part of EDR, the engine of Hardhat, that runs Solidity tests. Its package is a launcher that brings the binaries of
// seven platforms; each of those is a module by itself, without types.

export type ArtifactId = { name: string; source: string; solcVersion: string }

export type EdrArtifact = {
  id: ArtifactId
  contract: {
    abi: string
    bytecode?: string
    linkReferences: LinkReferences
    deployedBytecode?: string
    deployedLinkReferences: LinkReferences
  }
}

export type EdrCall = { contractName?: string; signature?: string; args?: string }

export type EdrTestResult = {
  name: string
  status: 'Success' | 'Failure' | 'Skipped'
  reason?: string | null
  counterexample?: null | EdrCall | { sequence: EdrCall[] }
  decodedLogs: string[]
  kind: { runs?: bigint; calls?: bigint }
  valueSnapshotGroups?: { name: string; entries: { name: string; value: string }[] }[]
}

export type EdrSuiteResult = { id: ArtifactId; durationNs: bigint; testResults: EdrTestResult[]; warnings: string[] }

export type EdrTestConfig = {
  projectRoot: string
  hardfork: string
  isolate: boolean
  fsPermissions: { access: number; path: string }[]
  fuzz: { runs: number; seed?: string }
  invariant: { runs: number; depth: number; failOnRevert: boolean }
  disableBlockGasLimit: boolean
  disableTransactionGasCap: boolean
  testPattern?: string
}

export type Edr = {
  EdrContext: new () => {
    registerSolidityTestRunnerFactory(chainType: string, factory: unknown): Promise<void>
    runSolidityTests(
      chainType: string,
      artifacts: EdrArtifact[],
      suites: ArtifactId[],
      config: EdrTestConfig,
      tracing: object,
      onSuite: (result: EdrSuiteResult) => void,
    ): Promise<unknown>
  }
  L1_CHAIN_TYPE: string
  l1SolidityTestRunnerFactory(): unknown
  FsAccessPermission: { ReadDirectory: number }
}

/** The engine's module for this platform. */
export function loadEdr(): Edr {
  const platform = `${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`
  const name = `@nomicfoundation/edr-${platform}`
  const require = createRequire(import.meta.url)
  return require(name) as Edr
}
