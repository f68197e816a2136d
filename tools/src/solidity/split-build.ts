import type { CompilerInput, CompilerOutput, OutputSelection } from './compiler.ts'
import { CREATOR_FILE, CREATOR_SOURCE, createdByName } from './created-by-name.ts'
import { declarationFinder } from './declarations.ts'
import { blankedText } from './solidity-text.ts'

/**
 * Suites, and what plays against the contracts in their invariants, are most of the code, and to optimize it takes far
 * longer than to run it as it is. Suites of libraries are left out: they hold the code that they test, which has to be the
 * code that is deployed.
 */
const isSuite = (path: string) =>
  /^test\/(.*\/)?invariant\//.test(path) || (/^test\/.*\.t\.sol$/.test(path) && !path.includes('/libraries/'))

/** What is deployed, optimized; and the suites, which are not, and which find the first part by name. */
export function splitBuild(input: CompilerInput): CompilerInput[] {
  const { outputSelection } = input.settings
  const selected = (isWanted: (path: string) => boolean): OutputSelection =>
    Object.fromEntries(Object.entries(outputSelection).filter(([path]) => isWanted(path)))
  const [deployed, suites] = [selected((path) => !isSuite(path)), selected(isSuite)]
  const parts: CompilerInput[] = []
  if (Object.keys(deployed).length > 0)
    parts.push({ ...input, settings: { ...input.settings, outputSelection: deployed } })
  if (Object.keys(suites).length > 0) parts.push(suitesAlone(input, suites))
  return parts
}

// Two steps run unless they are named.
const NOTHING_OPTIMIZED = { enabled: false, details: { peephole: false, jumpdestRemover: false } }
const INHERITANCE = /\bcontract\s+(\w+)\s+is\s+([^{]+)\{/g

/** Deployed code would be another one within a suite than in production. */
function refuseDeployedCode(path: string, content: string, find: ReturnType<typeof declarationFinder>): void {
  for (const [, name, bases = ''] of blankedText(content).matchAll(INHERITANCE))
    for (const [base] of bases.matchAll(/\b[A-Z]\w*/g)) {
      const declaration = find(path, base)
      if (declaration?.file.startsWith('src/') && !declaration.isInterface)
        throw new Error(`${path}: suites are not optimized, so ${name}, which is a ${base}, needs a file of its own`)
    }
}

function suitesAlone(input: CompilerInput, suites: OutputSelection): CompilerInput {
  const find = declarationFinder(input.sources, input.settings.remappings)
  const rewritten = Object.entries(input.sources).map(([path, { content }]) => {
    if (isSuite(path)) refuseDeployedCode(path, content, find)
    const text = createdByName(path, content, (name) => {
      const declaration = find(path, name)
      if (declaration === undefined) throw new Error(`${path}: nothing says which file ${name} is declared in`)
      return isSuite(declaration.file) ? undefined : declaration
    })
    return [path, { content: text }]
  })
  // Places in the rewritten text are not places in the file that people read.
  const withoutSourceMaps = (wanted: string[]) => wanted.filter((output) => !output.endsWith('.sourceMap'))
  const outputSelection = Object.fromEntries(
    Object.entries(suites).map(([path, byContract]) => [
      path,
      Object.fromEntries(Object.entries(byContract).map(([name, wanted]) => [name, withoutSourceMaps(wanted)])),
    ]),
  )
  return {
    ...input,
    sources: { ...Object.fromEntries(rewritten), [CREATOR_FILE]: { content: CREATOR_SOURCE } },
    settings: { ...input.settings, optimizer: NOTHING_OPTIMIZED, outputSelection },
  }
}

/** One answer out of those to the parts. All parts have all files, so the first one's warnings are everyone's. */
export function mergedOutput([first, ...others]: CompilerOutput[]): CompilerOutput {
  if (first === undefined) return { sources: {}, contracts: {} }
  const contracts = { ...first.contracts }
  for (const other of others) Object.assign(contracts, other.contracts)
  const faults = others.flatMap(({ errors = [] }) => errors.filter(({ severity }) => severity === 'error'))
  return { ...first, errors: [...(first.errors ?? []), ...faults], contracts }
}
