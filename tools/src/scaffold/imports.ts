/** The same source with these names imported, in an import that is there already or in one of its own. */
export function withImports(source: string, from: string, names: readonly string[]): string {
  const own = new RegExp(`import (type )?\\{([^}]*)\\} from '${from.replaceAll('.', '\\.').replaceAll('/', '\\/')}'\\n`)
  const found = own.exec(source)
  const there = (found?.[2] ?? '').split(',').map((name) => name.trim())
  const missing = names.filter((name) => !there.includes(name))
  if (missing.length === 0) return source
  const line = `import { ${[...there, ...missing].filter(Boolean).join(', ')} } from '${from}'\n`
  return found ? source.replace(found[0], line) : `${line}${source}`
}
