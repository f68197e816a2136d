import { posix } from 'node:path'
import { blankedText } from './solidity-text.ts'

type Imported = { file: string; name: string }

type File = { declared: Map<string, string>; imported: Map<string, Imported> }

const DECLARATION = /\b(contract|library|interface)\s+(\w+)/g
const IMPORT = /^import\s*\{([^}]*)\}\s*from\s*"([^"]+)";/gm

export type Declaration = {
  file: string
  name: string
  isInterface: boolean
  /** Whether its constructor takes bytes1 to bytes32, which a literal can become without saying so. */
  takesFixedBytes: boolean
}

/** Which file declares the contract that a name stands for in another file. Imports are by name, as the house rule is. */
export function declarationFinder(sources: Record<string, { content: string }>, remappings: readonly string[] = []) {
  const files = new Map<string, File>()
  const read = (path: string): File => {
    const known = files.get(path)
    if (known !== undefined) return known
    const content = sources[path]?.content ?? ''
    const file: File = {
      declared: new Map(
        [...blankedText(content).matchAll(DECLARATION)].map(([, kind = '', name = '']) => [name, kind]),
      ),
      imported: new Map(
        [...content.matchAll(IMPORT)].flatMap(([, names = '', from = '']) =>
          importedNames(names).map(({ name, as }) => [as, { file: importedFile(path, from, remappings), name }]),
        ),
      ),
    }
    files.set(path, file)
    return file
  }
  const find = (path: string, name: string): Declaration | undefined => {
    const { declared, imported } = read(path)
    const kind = declared.get(name)
    if (kind !== undefined) {
      const content = sources[path]?.content
      return { file: path, name, isInterface: kind === 'interface', takesFixedBytes: takesFixedBytes(content, name) }
    }
    const from = imported.get(name)
    return from === undefined ? undefined : find(from.file, from.name)
  }
  return find
}

function takesFixedBytes(content = '', name: string): boolean {
  const [, body = ''] = blankedText(content).split(new RegExp(`\\bcontract\\s+${name}\\b`))
  const [own = ''] = body.split(/^(?:abstract\s+)?contract\b/m)
  const [, parameters = ''] = /\bconstructor\s*\(([^)]*)\)/.exec(own) ?? []
  return /\bbytes\d+\b(?!\s*\[)/.test(parameters)
}

function importedNames(list: string): { name: string; as: string }[] {
  const names = list.split(',').map((each) => each.trim())
  return names
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', as = name] = each.split(/\s+as\s+/)
      return { name, as }
    })
}

function importedFile(importer: string, path: string, remappings: readonly string[]): string {
  if (path.startsWith('.')) return posix.join(posix.dirname(importer), path)
  for (const remapping of remappings) {
    const [prefix = '', target = ''] = remapping.split('=')
    if (path.startsWith(prefix)) return target + path.slice(prefix.length)
  }
  return path
}
