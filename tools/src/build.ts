import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compiledIntoContracts } from './build/built-packages.ts'
import { LOADED_ON_DEMAND } from './build/bundle.ts'
import { bundledPackages, licenceTexts } from './build/bundled-packages.ts'
import { consoleMetafile } from './build/console-packages.ts'
import { runTimePackages } from './build/run-time-packages.ts'
import { PROGRAMS, writeTree } from './build/tree.ts'
import { readLock } from './checks/lock-file.ts'
import { repositoryRoot } from './support/repository.ts'

// What is deployed: our programs as JavaScript, the files that they read, and what npm has to know for the rest.
const folder = join(repositoryRoot, 'dist')
const startedAt = performance.now()
const metafile = await writeTree(folder, PROGRAMS, { sourcemap: true })

const lock = readLock(repositoryRoot)
const { dependencies = {}, optionalDependencies = {} } = lock['packages/embedded'] ?? {}
/** A database and a chain node of its own; tsx is for sources. */
const embedded = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => name !== 'tsx')
const { manifest, lock: ownLock } = runTimePackages({
  root: JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')),
  lock,
  wanted: [
    ...LOADED_ON_DEMAND.map((name) => ({ workspace: 'apps/server', name })),
    ...embedded.map((name) => ({ workspace: 'packages/embedded', name })),
  ],
})
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
write('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
write('package-lock.json', `${JSON.stringify(ownLock, null, 2)}\n`)
const bundled = bundledPackages(repositoryRoot, metafile, await consoleMetafile())
const packages = [...bundled, ...compiledIntoContracts()]
write('LICENSES.txt', licenceTexts(repositoryRoot, packages))
for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(repositoryRoot, name), join(folder, name))

console.log(`dist: ${Object.keys(PROGRAMS).join(', ')}, in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
