import { onTestFinished } from 'vitest'

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

/** What hooks of a file have left to do. */
export async function cleanUp(): Promise<void> {
  for (const work of fromHooks.splice(0).toReversed()) await work()
}
