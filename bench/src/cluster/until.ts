import { setTimeout as sleep } from 'node:timers/promises'

/** Asks until the answer is not undefined; a question that fails is asked again. */
export async function until<T>(what: string, ms: number, ask: () => Promise<T | undefined>, everyMs = 100): Promise<T> {
  let last: unknown
  for (const deadline = Date.now() + ms; Date.now() < deadline; await sleep(everyMs)) {
    const answer = await ask().catch((error: unknown) => {
      last = error
      return undefined
    })
    if (answer !== undefined) return answer
  }
  throw new Error(`${what}: not within ${ms} ms${last instanceof Error ? ` (${last.message})` : ''}`)
}
