import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROGRAMS, writeTree } from '../../../../tools/src/build/tree.ts'

export const repository = fileURLToPath(new URL('../../../../', import.meta.url))

export type Main = 'api' | 'worker' | 'embedded' | 'cli'

const built = new Map<string, Promise<string>>()

/** A main of the product as it is deployed: from a tree like the one that `npm run build` makes, which has only this main in it. */
export function bundled(main: Main): Promise<string> {
  const name = main === 'cli' ? 'tally' : main
  const node: Record<string, string> = main === 'embedded' ? { 'chain-node': PROGRAMS['chain-node'] } : {}
  return once(name, () => build(name, { [name]: PROGRAMS[name], ...node }))
}

/** The same for any program of ours. */
export function bundledFile(path: string, name: string): Promise<string> {
  return once(path, () => build(name, { [name]: path }))
}

function once(key: string, start: () => Promise<string>): Promise<string> {
  const known = built.get(key)
  if (known) return known
  const building = start()
  built.set(key, building)
  return building
}

const A_DAY_MS = 24 * 60 * 60 * 1000

/** What runs that were killed left behind. */
function forgetOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const left = statSync(join(folder, name), { throwIfNoEntry: false })
    if (left && Date.now() - left.mtimeMs > A_DAY_MS) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

async function build(name: string, entries: Readonly<Record<string, string>>): Promise<string> {
  const trees = join(repository, 'node_modules', '.cache', 'tally-mains')
  mkdirSync(trees, { recursive: true })
  forgetOld(trees)
  const tree = join(trees, `${name}-${process.pid}`)
  process.once('exit', () => rmSync(tree, { recursive: true, force: true }))
  await writeTree(tree, entries)
  return join(tree, `${name}.js`)
}
