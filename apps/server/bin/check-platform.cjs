// Runs before everything else, so that a machine that cannot run us gets a sentence and not a stack trace.
// biome-ignore lint/style/useNodejsImportProtocol: an old Node has to get as far as being told that it is old
const { existsSync } = require('fs')
// biome-ignore lint/style/useNodejsImportProtocol: an old Node has to get as far as being told that it is old
const { dirname, join } = require('path')
const { missingSentence, neededPackages, refusal } = require('./platform-rules.cjs')

/** Only the C library of GNU tells its version. */
function libcOfThisMachine() {
  if (process.platform !== 'linux' || !process.report) return undefined
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
  return report.header.glibcVersionRuntime ? 'glibc' : 'musl'
}

/**
 * The way Node looks for it: in every node_modules from here upwards.
 * @param {string} name
 * @param {string} from
 * @returns {string | undefined}
 */
function findPackage(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (folder === dirname(folder)) return undefined
  }
}

/** @param {import('./platform-rules.cjs').Need} need */
function isMissing({ anyOf, dependencyOf }) {
  const from = dependencyOf.reduce((folder, name) => findPackage(name, folder) || folder, __dirname)
  return !anyOf.some((name) => findPackage(name, from))
}

const { DATABASE_URL, RPC_URL } = process.env
const isEmbedding = process.argv[2] !== '--external' && !(DATABASE_URL && RPC_URL)
const machine = {
  os: process.platform,
  arch: process.arch,
  libc: libcOfThisMachine(),
  node: process.versions.node,
}
const fault = refusal(machine, isEmbedding) || missingSentence(neededPackages(machine, isEmbedding).filter(isMissing))
if (fault) {
  console.error(`tallystick: ${fault}`)
  process.exitCode = 1
}
