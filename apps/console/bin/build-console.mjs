// Builds the console into `dist`, where sources changed since the last build. Runs when packages are installed and before `npm start`.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashOf } from './sources.mjs'

/** A build takes some seconds. Whoever waits longer is told so, and the installation goes no further. */
const PATIENCE_MS = 300_000

const folder = fileURLToPath(new URL('..', import.meta.url))
const dist = join(folder, 'dist')
const record = join(dist, 'built-from.txt')

/** @returns {string | undefined} what the files in `dist` were made from */
function builtFrom() {
  return existsSync(record) ? readFileSync(record, 'utf8') : undefined
}

/** Puts a finished build in the place of the last one; a second process may do the same at the same time. */
function putInPlace(/** @type {string} */ made, /** @type {string} */ hash) {
  const old = `${made}.old`
  try {
    if (existsSync(dist)) renameSync(dist, old)
    renameSync(made, dist)
  } catch (error) {
    // Somebody else was faster, with the same sources.
    if (builtFrom() !== hash) throw error
    rmSync(made, { recursive: true, force: true })
  }
  rmSync(old, { recursive: true, force: true })
}

async function build() {
  const hash = hashOf(folder)
  if (builtFrom() === hash) return
  const startedAt = performance.now()
  process.stdout.write('building the console …\n')
  const made = join(folder, `dist.${process.pid}`)
  mkdirSync(made, { recursive: true })
  try {
    const { bundleConsole } = await import('./bundle-console.mjs')
    await bundleConsole(folder, made)
    writeFileSync(join(made, 'built-from.txt'), hash)
    putInPlace(made, hash)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
  const files = readdirSync(join(dist, 'assets')).length
  process.stdout.write(
    `the console is built: ${files} files, ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`,
  )
}

/** @param {string} why */
function giveUp(why) {
  console.error(
    `tallystick: the console could not be built: ${why}. Repeat it with: node apps/console/bin/build-console.mjs`,
  )
  process.exit(1)
}

setTimeout(() => giveUp(`it took longer than ${PATIENCE_MS / 60_000} minutes`), PATIENCE_MS).unref()
await build().catch((error) => giveUp(error instanceof Error ? error.message : String(error)))
// Helpers of the bundler would keep the process.
process.exit(0)
