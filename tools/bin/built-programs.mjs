import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache/tally-programs')
/** A program that runs loads parts of its tree later, so that a tree stays for a while after the next one is built. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Building takes seconds. */
const PATIENCE_MS = 120_000

/** Whatever goes into a tree: our sources, the files beside them, what they were built with. */
function inputs() {
  const workspaces = ['apps', 'packages'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name, 'src')),
  )
  const folders = [...workspaces, 'apps/server/fonts', 'apps/server/migrations', 'docs', 'tools/bin', 'tools/src/build']
  const files = ['package-lock.json', 'apps/console/dist/built-from.txt']
  return [
    ...files.map((name) => join(root, name)),
    ...folders
      .map((name) => join(root, name))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  ].sort()
}

/** Of names, sizes and times: reading everything would take longer than a start may. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const file of inputs()) {
    const found = statSync(file, { throwIfNoEntry: false })
    hash.update(`${relative(root, file)}\0${found?.size}\0${found?.mtimeMs}\0`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** @param {string} tree */
function build(tree) {
  const made = `${tree}.${process.pid}`
  const args = ['--import', 'tsx', join(root, 'tools/src/build-programs.ts'), made]
  const { status, stderr, error } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: PATIENCE_MS,
  })
  try {
    if (status !== 0) throw new Error(error?.message ?? stderr.toString().trim())
    renameSync(made, tree)
  } catch (fault) {
    // Where somebody else was faster, theirs is as good.
    if (!existsSync(tree)) throw fault
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** @param {string} current */
function forgetOld(current) {
  utimesSync(join(cache, current), new Date(), new Date())
  for (const name of readdirSync(cache)) {
    const found = statSync(join(cache, name), { throwIfNoEntry: false })
    if (name !== current && found && Date.now() - found.mtimeMs > KEPT_MS)
      rmSync(join(cache, name), { recursive: true, force: true })
  }
}

/** The folder of our programs as JavaScript, built where sources changed since. */
export function builtPrograms() {
  const name = fingerprint()
  const tree = join(cache, name)
  if (!existsSync(tree)) {
    mkdirSync(cache, { recursive: true })
    build(tree)
  }
  try {
    forgetOld(name)
  } catch {
    // Somebody who may only read starts it as well.
  }
  return tree
}
