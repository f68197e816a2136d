import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Metafile } from 'esbuild'
import { PROGRAMS } from '../../bin/programs.mjs'
import { repositoryRoot } from '../support/repository.ts'
import { bundle, CHAIN_NODE, RUN_TIME_FILES, WRITTEN_DOCUMENT } from './bundle.ts'

export { PROGRAMS }

const EXAMPLES = 'apps/server/src/platform/http/openapi/examples.json'

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
async function writeDocument(folder: string): Promise<void> {
  const apart = join(folder, 'document')
  await bundle({ entries: { print: WRITTEN_DOCUMENT.source }, folder: apart })
  writeFileSync(join(apart, 'package.json'), '{ "type": "module" }\n')
  cpSync(join(repositoryRoot, EXAMPLES), join(apart, EXAMPLES))
  const printed = spawnSync(process.execPath, [join(apart, 'print.js')], { maxBuffer: 64 * 1024 * 1024 })
  if (printed.status !== 0) throw new Error(printed.stderr.toString())
  writeFileSync(join(folder, WRITTEN_DOCUMENT.file), printed.stdout)
  rmSync(apart, { recursive: true })
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
  if ('api' in entries) await writeDocument(folder)
  return metafile
}
