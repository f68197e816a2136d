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
  sources: Record<string, { ast?: AstNode }>
  contracts: Record<string, Record<string, { storageLayout: CompilerLayout }>>
}

/** Storage layouts, and syntax trees of the files that are named. No code is generated: seconds, not minutes. */
export async function analyze(contents: Record<string, string>, trees: readonly string[]): Promise<CompilerOutput> {
  const layouts = { '*': ['storageLayout'] }
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(contents).map(([path, content]) => [path, { content }])),
    settings: {
      evmVersion: 'cancun',
      outputSelection: {
        '*': layouts,
        ...Object.fromEntries(trees.map((path) => [path, { '': ['ast'], ...layouts }])),
      },
    },
  }
  const output = JSON.parse(await compileOnce(input)) as CompilerOutput & { errors?: Diagnostic[] }
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return output
}
