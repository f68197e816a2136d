import { randomUUID } from 'node:crypto'
import { defineConfig } from 'vitest/config'
import { LongFirst } from './tools/src/testing/long-first.ts'
import { fromTranspiled, LOAD_FROM } from './tools/src/testing/transpiled.ts'

// Set before the workers start: a worker inherits it, and a time zone cannot be changed later.
process.env.TZ = 'UTC'
// By this the workers of one run know each other, and share what takes long to make.
process.env.RUN_OF_TESTS = randomUUID()

// What `npm test` leaves out, each with a command of its own. Whole deployments that crash, start again, are restored, keep their demo alive or run from a
// built tree, clients of the whole document and a tour on a slow node take minutes (`npm run test:soak -- processes`); the others need programs that npm does not bring (`npm run test:browser`, `npm run test:ops`).
const APART = ['slow', 'browser', 'ops']

/** Removes what the workers of one run made for each other: built programs, a seeded demo. */
const FORGET_SHARED = './apps/server/test/process/forget-shared.ts'
/** The chain node as JavaScript, for those whose tests start many. */
const BUILT_NODE = './tools/src/testing/built-chain-node.ts'
/** Uses it, and ends the programs that a file of tests started. */
const EACH_FILE = ['apps/server/test/built-node.ts', 'apps/server/test/process/after-file.ts']

/**
 * What node must not load by itself: it would run a set-up file once in a worker, and not for each file of tests; and the tour imports TypeScript, the
 * programs of the guides.
 */
const BY_THE_RUNNER = [...EACH_FILE, 'e2e/src/tour.test.ts']

export default defineConfig(({ mode }) => {
  const which = APART.includes(mode)
    ? { include: `*.${mode}.test.ts`, exclude: [] }
    : { include: '*.test.ts', exclude: APART.map((name) => `**/*.${name}.test.ts`) }
  const project = (name: string, folders: string[], globalSetup: string[] = [], setupFiles: string[] = []) => ({
    extends: true as const,
    test: {
      name,
      include: folders.map((folder) => `${folder}/**/${which.include}`),
      exclude: ['**/node_modules/**', ...which.exclude],
      globalSetup,
      setupFiles,
    },
  })
  const modules = process.env[LOAD_FROM]
  return {
    plugins: modules === undefined ? [] : [fromTranspiled(modules, BY_THE_RUNNER)],
    test: {
      pool: 'forks',
      // One more than the cores of CI: tests that start processes mostly wait.
      maxWorkers: 3,
      // A worker keeps the modules it loaded: loading the product anew for each file would cost more than the tests.
      isolate: false,
      // A worker runs most functions a few thousand times: optimized as early as usual, they take longer to compile than they save. What no test
      // of the last files called is called again by a later one: forgotten, it would be compiled again.
      execArgv: ['--interrupt-budget=540672', '--no-flush-bytecode', '--max-semi-space-size=64'],
      // Far more than any of them takes: the machine may give this run a tenth of itself, and a test is about what happens, not about when.
      testTimeout: 480_000,
      hookTimeout: 480_000,
      expect: { poll: { timeout: 60_000 } },
      reporters: ['default'],
      sequence: { sequencer: LongFirst },
      projects: [
        project('packages', ['packages'], [BUILT_NODE]),
        // One project: a project has workers of its own, and each of them loads the product.
        project(
          'server',
          ['apps', 'bench', 'e2e'],
          [BUILT_NODE, './apps/server/test/global-setup.ts', FORGET_SHARED],
          EACH_FILE,
        ),
        project('tools', ['tools']),
      ],
    },
  }
})
