import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { listFiles } from '../support/repository.ts'

const SOURCES = 'contracts/src/'
const IMPORT = /^\s*import\b[^;"']*["']([^"']+)["']/gm

// From the ground up. Every other folder is a family of contracts.
const BELOW: Record<string, string[]> = { libraries: [], base: ['libraries'] }
const BELOW_A_FAMILY = ['libraries', 'base']
// Tokens for a demo of all families, deployed by none of them.
const ABOVE_ALL = 'demo'

const folderOf = (path: string) => path.slice(SOURCES.length).split('/')[0] ?? ''

function mayImport(path: string, target: string): boolean {
  const [from, to] = [folderOf(path), folderOf(target)]
  return from === to || from === ABOVE_ALL || (BELOW[from] ?? BELOW_A_FAMILY).includes(to)
}

/** Where an import leads, from the root of the repository; packages of npm are not ours to judge. */
function targetOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(path), specifier))
  return specifier.startsWith('src/') ? `contracts/${specifier}` : undefined
}

/** Imports of contracts that reach into another family: what several share stands in `base` and `libraries`. */
export function contractBorderFindings(root: string): string[] {
  const contracts = listFiles(root).filter((path) => path.startsWith(SOURCES) && path.endsWith('.sol'))
  return contracts.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(IMPORT)]
      .flatMap(([, specifier = '']) => targetOf(path, specifier) ?? [])
      .filter((target) => target.startsWith(SOURCES) && !mayImport(path, target))
      .map((target) => `error contract-families: ${path} → ${target}`),
  )
}
