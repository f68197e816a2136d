import { defineConfig } from 'vitest/config'

// Set before the workers start: a worker inherits it, and a time zone cannot be changed later.
process.env.TZ = 'UTC'

const project = (name: string, folder: string, globalSetup: string[] = []) => ({
  extends: true as const,
  test: { name, include: [`${folder}/**/*.test.ts`], globalSetup },
})

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the cores of CI: tests that start processes mostly wait.
    maxWorkers: 3,
    // A worker keeps the modules it loaded: loading the product anew for each file would cost more than the tests.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    projects: [
      project('packages', 'packages'),
      project('server', 'apps', ['./apps/server/test/global-setup.ts']),
      project('tools', 'tools'),
      project('bench', 'bench'),
      project('e2e', 'e2e'),
    ],
  },
})
