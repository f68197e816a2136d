import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chooseEmulation, type Emulation, missingForEmulation } from './soak/architectures.ts'
import { createForeignCheckout } from './soak/foreign-checkout.ts'

const { values } = parseArgs({
  options: {
    /** The architecture to emulate; the other one when not given. */
    cpu: { type: 'string' },
    /** The folder whose tests run there. */
    tests: { type: 'string', default: 'packages/embedded' },
  },
})
const PATIENCE_MS = 600_000
const repository = fileURLToPath(new URL('../..', import.meta.url))

const onPath = (program: string) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))

/** The platform check of npm start, and the tests of the embedded database and node, one at a time and with patience. */
function tryOut(emulation: Emulation, emulator: string): boolean {
  const checkout = createForeignCheckout(repository, emulation, emulator)
  // Anvil is not made for every platform.
  const isOurs = (file: string) => file.endsWith('.test.ts') && (emulation.arch === 'x64' || !file.includes('/anvil/'))
  const files = readdirSync(join(checkout.root, values.tests), { recursive: true, encoding: 'utf8' })
  const tests = files.map((file) => join(values.tests, file)).filter(isOurs)
  // Tests and starts give up after a time of their own, whatever the command line says: the copy is told to wait longer.
  for (const file of files
    .filter((each) => each.endsWith('.ts'))
    .map((each) => join(checkout.root, values.tests, each)))
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/\b(timeout: |startTimeoutMs = )[\d_]+/g, `$1${PATIENCE_MS}`),
    )
  const patience = ['--testTimeout', `${PATIENCE_MS}`, '--hookTimeout', `${PATIENCE_MS}`]
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '1', '--passWithNoTests', ...patience]
  /** An emulated program dies now and then of its emulator: each file has a process of its own, and a second try that is told. */
  const passes = (file: string): boolean => {
    const mode = file.endsWith('.slow.test.ts') ? ['--mode', 'slow'] : []
    const once = () => checkout.node(...vitest, ...mode, file)
    if (once()) return true
    console.log(`${file}: once more`)
    return once()
  }
  try {
    if (!checkout.node('apps/server/bin/check-platform.cjs')) return false
    const failed = tests.filter((file) => !passes(file))
    console.log(
      `${tests.length - failed.length} of ${tests.length} files passed${['', ...failed].join('\n  failed: ')}`,
    )
    return failed.length === 0
  } finally {
    checkout.remove()
  }
}

const emulation = chooseEmulation({ os: process.platform, arch: process.arch }, values.cpu)
const fault =
  'fault' in emulation
    ? emulation.fault
    : missingForEmulation(emulation, { program: (name) => onPath(name) !== undefined, file: existsSync })
if ('fault' in emulation || fault !== undefined) {
  console.error(fault)
  process.exitCode = 1
} else {
  console.log(`emulating linux ${emulation.arch}`)
  process.exitCode = tryOut(emulation, onPath(emulation.emulator) ?? emulation.emulator) ? 0 : 1
}
