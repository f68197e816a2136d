import { rmSync } from 'node:fs'
import { sharedSeed } from './shared-seed.ts'
import { forgetTrees } from './shared-trees.ts'

/** A global set-up of vitest: when a run of the tests is over, so is what its workers made for each other. */
export default function setup(): () => void {
  return () => {
    rmSync(sharedSeed(process.pid), { recursive: true, force: true })
    if (process.env.RUN_OF_TESTS) forgetTrees(process.env.RUN_OF_TESTS)
  }
}
