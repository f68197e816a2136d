import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** By path below the folder of the contracts, or by package path; `imports` are keys too. */
export type SoliditySources = Map<string, { content: string; imports: string[] }>

const IMPORT = /^import\s[^;]*?"([^"]+)";/gm

/** Every Solidity file below `folders` of `contractsFolder`, and everything that those import. */
export function readSoliditySources(
  contractsFolder: string,
  packagesFolder: string,
  folders = ['src'],
): SoliditySources {
  const sources: SoliditySources = new Map()
  const add = (path: string) => {
    if (sources.has(path)) return
    const content = readFileSync(join(path.startsWith('@') ? packagesFolder : contractsFolder, path), 'utf8')
    const imports = [...content.matchAll(IMPORT)].map(([, name = '']) =>
      name.startsWith('.') ? posix.join(posix.dirname(path), name) : name,
    )
    sources.set(path, { content, imports })
    for (const imported of imports) add(imported)
  }
  for (const folder of folders)
    for (const name of readdirSync(join(contractsFolder, folder), { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.sol')) add(posix.join(folder, ...name.split(/[\\/]/)))
  return sources
}

/** The file and all that it imports, directly or not. */
export function withImports(path: string, sources: SoliditySources, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const imported of sources.get(path)?.imports ?? []) withImports(imported, sources, found)
  return found
}
