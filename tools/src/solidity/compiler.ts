import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { repositoryRoot } from '../support/repository.ts'

const COMPILER = join(repositoryRoot, 'contracts/compile.cjs')

export type OutputSelection = Record<string, Record<string, string[]>>

/** What solc calls standard JSON, as far as we use it. */
export type CompilerInput = {
  language: 'Solidity'
  sources: Record<string, { content: string }>
  settings: {
    remappings?: string[]
    optimizer?: { enabled: boolean; runs?: number; details?: Record<string, boolean> }
    outputSelection: OutputSelection
    [other: string]: unknown
  }
}

export type LinkReferences = Record<string, Record<string, { start: number; length: number }[]>>

type Code = { object: string; linkReferences?: LinkReferences }

export type AbiItem = { type: string; name?: string; stateMutability?: string; inputs?: { type: string }[] }

export type CompiledContract = { abi: AbiItem[]; evm: { bytecode: Code; deployedBytecode: Code } }

export type Diagnostic = { severity: string; errorCode?: string; formattedMessage: string }

export type CompilerOutput = {
  errors?: Diagnostic[]
  sources: Record<string, unknown>
  contracts: Record<string, Record<string, CompiledContract>>
}

/** A function of the compiler is optimized when it ran ten times as long as usual: in one run, most would not earn back what that takes. */
const OPTIMIZED_LATE = '--wasm-tiering-budget=18000000'

/** One run of the compiler, which uses one core, in a process of its own. Gives its answer as text. */
export async function runCompiler(input: unknown): Promise<string> {
  const compiler = spawn(process.execPath, [OPTIMIZED_LATE, COMPILER], { stdio: ['pipe', 'pipe', 'inherit'] })
  compiler.stdin.end(JSON.stringify(input))
  const [answer, [exitCode]] = await Promise.all([text(compiler.stdout), once(compiler, 'close')])
  if (exitCode !== 0) throw new Error(`the compiler ended with ${exitCode}`)
  return answer
}
