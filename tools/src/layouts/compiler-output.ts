import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { repositoryRoot } from '../support/repository.ts'

const COMPILER = join(repositoryRoot, 'contracts/solc.cjs')

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
export async function analyze(
  contents: Record<string, string>,
  contractsFolder: string,
  parseOnly = false,
): Promise<CompilerOutput> {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(contents).map(([path, content]) => [path, { content }])),
    settings: {
      ...(parseOnly ? { stopAfter: 'parsing' } : {}),
      evmVersion: 'cancun',
      outputSelection: { '*': parseOnly ? { '': ['ast'] } : { '': ['ast'], '*': ['storageLayout'] } },
    },
  }
  const compiler = spawn(process.execPath, [COMPILER, '--standard-json'], {
    cwd: contractsFolder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  compiler.stdin.end(JSON.stringify(input))
  const [answer, [exitCode]] = await Promise.all([text(compiler.stdout), once(compiler, 'close')])
  if (exitCode !== 0) throw new Error(`the compiler ended with ${exitCode}`)
  const output = JSON.parse(answer) as CompilerOutput & { errors?: { severity: string; formattedMessage: string }[] }
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return output
}
