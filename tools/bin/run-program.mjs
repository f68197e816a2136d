// Runs a program of ours: `node tools/bin/run-program.mjs embedded --fresh`. As JavaScript, which loads in a tenth of the time that sources take.
// Without a name it only builds.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtPrograms, root } from './built-programs.mjs'
import { PROGRAMS } from './programs.mjs'

/** Undefined, and said so: sources run as well. */
function treeIfBuilt() {
  try {
    return builtPrograms()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    console.error(`tallystick: running from sources, which starts slower: the programs could not be built (${why}).`)
    return undefined
  }
}

/** @param {keyof typeof PROGRAMS} name */
async function entryOf(name) {
  const tree = treeIfBuilt()
  if (tree !== undefined) return join(tree, `${name}.js`)
  const { register } = await import('tsx/esm/api')
  register()
  return join(root, PROGRAMS[name])
}

const [name] = process.argv.splice(2, 1)
if (name === undefined) treeIfBuilt()
else await import(pathToFileURL(await entryOf(/** @type {keyof typeof PROGRAMS} */ (name))).href)
