import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 60_000
const PAUSE_MS = 100

/** What the follower is about to take down; undefined: not yet. */
export async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(PAUSE_MS)
  }
  throw new Error('the demo waited in vain for the record to catch up with the chain')
}
