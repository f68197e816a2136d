import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** Tests, starts and the runner of tests give up after a time of their own, whatever the command line says: the copy is told to wait longer. */
function giveTime(root: string, files: readonly string[]): void {
  const runner = join(root, 'node_modules/vitest/dist/chunks')
  const ofRunner = readdirSync(runner).filter((file) => file.startsWith('cli-api.'))
  for (const file of [...files.map((each) => join(root, each)), ...ofRunner.map((each) => join(runner, each))])
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(
        /(\btimeout: |\bstartTimeoutMs = |START_TIMEOUT = )[\de_]+/g,
        `$1${PATIENCE_MS}`,
      ),
    )
}

function passedIn(reportFile: string): string[] {
  const { testResults } = JSON.parse(readFileSync(reportFile, 'utf8')) as {
    testResults: { name: string; status: string }[]
  }
  return testResults.filter(({ status }) => status === 'passed').map(({ name }) => name)
}

/** The platform check of npm start, and the tests of the embedded database and node, one at a time and with patience. */
function tryOut(emulation: Emulation, emulator: string): boolean {
  const checkout = createForeignCheckout(repository, emulation, emulator)
  // Anvil is not made for every platform.
  const isOurs = (file: string) => file.endsWith('.test.ts') && (emulation.arch === 'x64' || !file.includes('/anvil/'))
  const sources = readdirSync(join(checkout.root, values.tests), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(values.tests, file))
  const tests = sources.filter(isOurs)
  giveTime(checkout.root, sources)
  const patience = ['--testTimeout', `${PATIENCE_MS}`, '--hookTimeout', `${PATIENCE_MS}`]
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '1', '--passWithNoTests', ...patience]
  const reportFile = join(checkout.root, 'var/report.json')
  /** Those that did not pass. A worker takes minutes to start: one for all of them. */
  function failedOf(files: readonly string[], inSlowMode: boolean): string[] {
    if (files.length === 0) return []
    const mode = inSlowMode ? ['--mode', 'slow'] : []
    rmSync(reportFile, { force: true })
    checkout.node(
      ...vitest,
      ...mode,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
      ...files,
    )
    const passed = existsSync(reportFile) ? passedIn(reportFile) : []
    return files.filter((file) => !passed.includes(join(checkout.root, file)))
  }
  const isSlow = (file: string) => file.endsWith('.slow.test.ts')
  try {
    if (!checkout.node('apps/server/bin/check-platform.cjs')) return false
    const [slow, others] = [tests.filter(isSlow), tests.filter((file) => !isSlow(file))]
    const failedOnce = [...failedOf(others, false), ...failedOf(slow, true)]
    // An emulated program dies now and then of its emulator: each file has a second try, which is told.
    const failed = failedOnce.filter((file) => {
      console.log(`${file}: once more`)
      return failedOf([file], isSlow(file)).length > 0
    })
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
