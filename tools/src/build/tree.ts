import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Metafile } from 'esbuild'
import { PROGRAMS } from '../../bin/programs.mjs'
import { repositoryRoot } from '../support/repository.ts'
import { bundle, CHAIN_NODE, RUN_TIME_FILES, WRITTEN_DOCUMENT } from './bundle.ts'

export { PROGRAMS }

/** Does nothing where no source changed since the last time. */
function buildConsole(): void {
  const built = spawnSync(process.execPath, [join(repositoryRoot, 'apps/console/bin/build-console.mjs')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (built.status !== 0) throw new Error(built.stderr.toString())
}

function copyRunTimeFiles(folder: string): void {
  buildConsole()
  for (const path of RUN_TIME_FILES) cpSync(join(repositoryRoot, path), join(folder, path), { recursive: true })
}

function linkChainNode(folder: string): void {
  const file = join(folder, `${CHAIN_NODE}.js`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `import '${relative(dirname(file), join(folder, 'chain-node.js'))}'\n`)
}

/** Made once here: it takes seconds, in which a server would answer nobody. */
function writeDocument(folder: string): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'document.js')], { maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(stderr.toString())
  writeFileSync(join(folder, WRITTEN_DOCUMENT), stdout)
}

/** Programs and the files that they read, in `folder`, which is made anew. */
export async function writeTree(
  folder: string,
  entries: Readonly<Record<string, string>> = PROGRAMS,
  { sourcemap = false } = {},
): Promise<Metafile> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Node reads the files as modules whatever lies around the folder.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  copyRunTimeFiles(folder)
  if ('chain-node' in entries) linkChainNode(folder)
  const metafile = await bundle({ entries, folder, sourcemap })
  if ('document' in entries) writeDocument(folder)
  return metafile
}
