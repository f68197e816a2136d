import { compileOnce } from '../solidity/compile-build.ts'
import type { Diagnostic } from '../solidity/compiler.ts'

export type AstNode = {
  nodeType: string
  id: number
  name?: string
  nodes?: AstNode[]
  abstract?: boolean
  contractKind?: 'contract' | 'interface' | 'library'
  linearizedBaseContracts?: number[]
  documentation?: { text: string } | string | null
  /** Of an enum. */
  members?: { name: string }[]
}

type CompilerField = { label: string; slot: string; offset: number; type: string }

export type CompilerLayout = {
  storage: CompilerField[]
  /** Null instead of an empty record. */
  types: Record<string, { label: string; numberOfBytes: string; base?: string; members?: CompilerField[] }> | null
}

export type CompilerOutput = {
  sources: Record<string, { ast: AstNode }>
  contracts: Record<string, Record<string, { storageLayout: CompilerLayout }>>
}

/** Syntax trees and, unless only parsed, storage layouts. No code is generated: seconds, not minutes. */
export async function analyze(contents: Record<string, string>, parseOnly = false): Promise<CompilerOutput> {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(contents).map(([path, content]) => [path, { content }])),
    settings: {
      ...(parseOnly ? { stopAfter: 'parsing' } : {}),
      evmVersion: 'cancun',
      outputSelection: { '*': parseOnly ? { '': ['ast'] } : { '': ['ast'], '*': ['storageLayout'] } },
    },
  }
  const output = JSON.parse(await compileOnce(input)) as CompilerOutput & { errors?: Diagnostic[] }
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return output
}
