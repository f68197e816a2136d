import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../support/repository.ts'
import { answerOnce } from './compile-cache.ts'
import { type CompilerInput, type CompilerOutput, runCompiler } from './compiler.ts'
import { mergedOutput, splitBuild } from './split-build.ts'

/** Of the npm package, which stands for the compiler everywhere. */
export const compilerVersion: string = JSON.parse(
  readFileSync(join(repositoryRoot, 'node_modules/solc/package.json'), 'utf8'),
).version

const CACHE = join(repositoryRoot, 'node_modules/.cache/solidity', compilerVersion)

/** The compiler's answer to exactly this input, from whoever asked for it first. */
export const compileOnce = (input: unknown): Promise<string> => answerOnce(CACHE, input, runCompiler)

/** Compiles contracts and tests once, whoever asks first: forge or one of our tools. The parts are compiled side by side. */
export async function compileBuild(input: CompilerInput): Promise<CompilerOutput> {
  const parts = splitBuild(inOrder(input))
  const answers = await Promise.all(parts.map(compileOnce))
  return mergedOutput(answers.map((answer) => JSON.parse(answer) as CompilerOutput))
}

/** Everyone who asks lists files and settings in another order; the same question has to look the same. */
function inOrder({ language, sources, settings }: CompilerInput): CompilerInput {
  const { outputSelection, ...others } = sorted(settings)
  return { language, sources: sorted(sources), settings: { ...others, outputSelection: sorted(outputSelection) } }
}

function sorted<T extends Record<string, unknown>>(record: T): T {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))) as T
}
