import { explainStartFailure } from './start-failure.ts'

export interface Stoppable {
  stop(): Promise<void>
}

const SAME_SIGNAL_MS = 1_000

/**
 * Runs a process until a signal asks it to end: one clear line when it cannot start, a clean end when it is told to. A start
 * that is told to end on the way (`abandoned`) stops what it has started and rejects.
 */
export async function runMain(start: (abandoned: AbortSignal) => Promise<Stoppable>): Promise<void> {
  const abandon = new AbortController()
  let abandonedAt = 0
  let starting: Promise<Stoppable> | undefined

  async function end(reason: string, exitCode: number): Promise<void> {
    // A second Ctrl-C means now; one that follows at once is the same, passed on by whoever started us.
    if (abandon.signal.aborted) {
      if (Date.now() - abandonedAt > SAME_SIGNAL_MS) process.exit(130)
      return
    }
    abandonedAt = Date.now()
    abandon.abort()
    try {
      const running = await starting?.catch(() => undefined)
      await running?.stop()
      process.exit(exitCode)
    } catch (error) {
      process.stderr.write(`tallystick: stopping after ${reason} failed: ${(error as Error).message}\n`)
      process.exit(1)
    }
  }
  // A closed terminal sends SIGHUP; without a handler the embedded parts would be left behind.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(signal, 0))
  process.on('uncaughtException', (error) => {
    process.stderr.write(`tallystick: an unexpected error ends this process: ${error.stack ?? error}\n`)
    if (!abandon.signal.aborted) void end('an unexpected error', 1)
  })
  // Whoever read our output went away (`npm start | head`): that is no reason to stop serving, and telling it would only fail again.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  try {
    starting = start(abandon.signal)
    await starting
  } catch (error) {
    if (abandon.signal.aborted) return
    process.stderr.write(`tallystick: ${explainStartFailure(error)}\n`)
    process.exit(1)
  }
}
