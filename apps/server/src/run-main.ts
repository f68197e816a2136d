import { explainStartFailure } from './start-failure.ts'

export interface Stoppable {
  stop(): Promise<void>
}

/** Runs a process until a signal asks it to end: one clear line when it cannot start, a clean end when it is told to. */
export async function runMain(start: () => Promise<Stoppable>): Promise<void> {
  let running: Stoppable | undefined
  let ending = false
  const end = async (signal: NodeJS.Signals) => {
    // A second Ctrl-C means now.
    if (ending) process.exit(130)
    ending = true
    try {
      await running?.stop()
      process.exit(0)
    } catch (error) {
      process.stderr.write(`tallystick: stopping after ${signal} failed: ${(error as Error).message}\n`)
      process.exit(1)
    }
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  try {
    running = await start()
  } catch (error) {
    process.stderr.write(`tallystick: ${explainStartFailure(error)}\n`)
    process.exit(1)
  }
}
