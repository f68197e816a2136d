import { startNodesFrom } from '@tallystick/embedded'
import { createTestCluster, deployLendingSuite, startTestChain } from '@tallystick/testkit'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/platform/db/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    clusterUrl: string
    rpcUrl: string
    /** Of the chain that all test files share. */
    lendingFactory: string
    /** Whether `npm run examples` runs them. */
    recordsExamples: boolean
  }
}

/** The template that every test database is cloned from: the migrations of production, nothing else. */
export const TEMPLATE = 'tally_template'

/** One PostgreSQL and one chain for all test files; each file gets a database of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await createTestCluster()
  await cluster.createTemplate(TEMPLATE, async (url) => {
    await migrate(url)
  })
  startNodesFrom(project.getProvidedContext().chainNode)
  const chain = await startTestChain()
  project.provide('clusterUrl', cluster.superuserUrl)
  const { factory } = await deployLendingSuite(chain)
  project.provide('rpcUrl', chain.url)
  project.provide('lendingFactory', factory)
  project.provide('recordsExamples', project.vitest.vite.config.mode === 'examples')
  return async () => {
    await Promise.all([cluster.stop(), chain.stop()])
  }
}
