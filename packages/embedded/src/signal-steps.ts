import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './process-inspection.ts'

export interface SignalStep {
  signal: NodeJS.Signals
  waitMs: number
}

/**
 * Sends one signal after the other until the process is gone. `isStillIt` is asked before every signal, because a
 * process id may be reused by a stranger while we wait.
 */
export async function signalUntilGone(pid: number, steps: SignalStep[], isStillIt: () => boolean): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (!isStillIt()) return
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
      throw error
    }
    const deadline = Date.now() + waitMs
    while (Date.now() < deadline) {
      if (!isAlive(pid) || !isStillIt()) return
      await sleep(25)
    }
  }
}
