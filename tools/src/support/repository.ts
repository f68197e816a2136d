import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')

const SKIPPED_ANYWHERE = new Set(['node_modules', '.git', 'var'])
const SKIPPED_PATHS = new Set(['contracts/out', 'contracts/cache', 'dist', 'package-lock.json'])

/** Every file that people write or commit, as sorted paths relative to the root, with forward slashes. */
export function listFiles(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !SKIPPED_ANYWHERE.has(entry.name))
    .map((entry) => ({ entry, path: folder === '' ? entry.name : `${folder}/${entry.name}` }))
    .filter(({ path }) => !SKIPPED_PATHS.has(path))
    .flatMap(({ entry, path }) => {
      if (entry.isDirectory()) return listFiles(root, path)
      return entry.isFile() ? [path] : []
    })
    .sort()
}
