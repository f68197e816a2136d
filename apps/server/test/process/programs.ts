import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { builtPrograms } from '../../../../tools/bin/built-programs.mjs'
import { writeTree } from '../../../../tools/src/build/tree.ts'
import { treesFolder } from './shared-trees.ts'

export const repository = fileURLToPath(new URL('../../../../', import.meta.url))

export type Main = 'api' | 'worker' | 'embedded' | 'cli'

/** The workers of one run build for each other. */
const runOfTests = process.env.RUN_OF_TESTS ?? randomUUID()
const built = new Map<string, Promise<string>>()

/** A main of the product as it is deployed: from the tree that `npm start` runs, which is like the one that `npm run build` makes. */
export async function bundled(main: Main): Promise<string> {
  const tree = await once('mains', async () => builtPrograms())
  return join(tree, `${main === 'cli' ? 'tally' : main}.js`)
}

/** The same for any program of ours. */
export async function bundledFile(path: string, name: string): Promise<string> {
  return join(await once(path, () => build(`${name}-${runOfTests}`, { [name]: path })), `${name}.js`)
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

function forget(tree: string): void {
  for (const folder of [`${tree}.claim`, tree]) rmSync(folder, { recursive: true, force: true })
}

async function build(name: string, entries: Readonly<Record<string, string>>): Promise<string> {
  mkdirSync(treesFolder, { recursive: true })
  forgetOld(treesFolder)
  const tree = join(treesFolder, name)
  const claim = `${tree}.claim`
  const isBuilt = () => existsSync(join(tree, 'built'))
  try {
    mkdirSync(claim)
  } catch {
    while (!isBuilt()) {
      if (!existsSync(claim)) throw new Error('building failed in another file')
      await sleep(100)
    }
    return tree
  }
  process.once('exit', () => process.env.RUN_OF_TESTS ?? forget(tree))
  try {
    await writeTree(tree, entries)
    writeFileSync(join(tree, 'built'), '')
  } catch (error) {
    forget(tree)
    throw error
  }
  return tree
}
