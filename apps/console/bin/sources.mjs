import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** @param {string} folder @returns {string[]} */
export const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

/**
 * Names the sources of a build: the console's own, the client's, and the versions of all packages.
 * @param {string} folder of the console
 */
export function hashOf(folder) {
  const root = join(folder, '../..')
  const files = [
    ...['src', 'bin', 'fonts'].flatMap((name) => filesBelow(join(folder, name))),
    ...filesBelow(join(root, 'packages/sdk/src')),
    join(folder, 'index.html'),
    join(folder, 'package.json'),
  ].filter((file) => !file.includes('.test.'))
  const hash = createHash('sha256')
  for (const file of files) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}
