import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../support/repository.ts'
import { compareLayouts } from './compare-layouts.ts'
import { compileLayouts } from './compile-layouts.ts'
import type { StorageLayout } from './layout.ts'

export const layoutsFolder = join(repositoryRoot, 'contracts/layouts')

function readReleased(): StorageLayout[] {
  const names = existsSync(layoutsFolder) ? readdirSync(layoutsFolder) : []
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(layoutsFolder, name), 'utf8')) as StorageLayout)
}

/** What the sources lay out now, beside the committed layouts of the implementations that proxies run. */
export async function compareWithReleased() {
  const current = await compileLayouts(join(repositoryRoot, 'contracts'), join(repositoryRoot, 'node_modules'))
  const released = new Map(readReleased().map((layout) => [layout.contract, layout]))
  const unreleased = current.filter(({ contract }) => !released.has(contract)).map(({ contract }) => contract)
  const gone = [...released.keys()].filter((name) => !current.some(({ contract }) => contract === name))
  const differences = current.map((layout) => compareLayouts(released.get(layout.contract) ?? layout, layout))
  return {
    current,
    unreleased,
    broken: [
      ...gone.map((name) => `${name}: no upgradeable contract of that name is left`),
      ...differences.flatMap(({ broken }) => broken),
    ],
    appended: differences.flatMap(({ appended }) => appended),
  }
}
