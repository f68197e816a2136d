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
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    projects: [
      project('packages', 'packages'),
      project('server', 'apps', ['./apps/server/test/global-setup.ts']),
      project('tools', 'tools'),
      project('bench', 'bench'),
    ],
  },
})
