import type { Check, CheckResult } from './check.ts'

export type FinishedCheck = CheckResult & { name: string; seconds: number }

async function finish(check: Check): Promise<FinishedCheck> {
  const startedAt = performance.now()
  const result = await check.run().catch((error: unknown) => ({
    passed: false,
    output: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }))
  return { ...result, name: check.name, seconds: (performance.now() - startedAt) / 1000 }
}

/** Starts the checks in their order, at most `limit` at once, and tells of each one as it ends. */
export async function runChecks(
  checks: Check[],
  limit: number,
  onFinished: (finished: FinishedCheck) => void,
): Promise<boolean> {
  const waiting = [...checks]
  const resourcesInUse = new Set<string>()
  const running = new Set<Promise<void>>()
  let allPassed = true

  const start = (check: Check) => {
    if (check.resource !== undefined) resourcesInUse.add(check.resource)
    const ended: Promise<void> = finish(check).then((finished) => {
      if (check.resource !== undefined) resourcesInUse.delete(check.resource)
      running.delete(ended)
      allPassed &&= finished.passed
      onFinished(finished)
    })
    running.add(ended)
  }

  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(({ resource }) => resource === undefined || !resourcesInUse.has(resource))
    const [check] = next >= 0 && running.size < limit ? waiting.splice(next, 1) : []
    if (check === undefined) await Promise.race(running)
    else start(check)
  }
  return allPassed
}
