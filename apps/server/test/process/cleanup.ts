import { afterAll, onTestFinished } from 'vitest'

type Work = () => Promise<void> | void

const fromHooks: Work[] = []

/** Runs after the test; when called from a hook, after all tests of the file. */
export function later(work: Work): void {
  try {
    onTestFinished(work)
  } catch {
    // Not inside a test.
    fromHooks.push(work)
  }
}

afterAll(async () => {
  for (const work of fromHooks.toReversed()) await work()
})
