import { setTimeout as sleep } from 'node:timers/promises'
import { TallyError, TallySigningError } from '@tallystick/sdk'

const TRIES = 4
const PAUSE_MS = 300

/** The keeper of the demo does some things by itself. Whoever comes second asks again, and is told that it is done. */
export async function evenIfSecond<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      const isBeaten = error instanceof TallySigningError || (error instanceof TallyError && error.status === 409)
      if (!isBeaten || tries === TRIES) throw error
      await sleep(PAUSE_MS)
    }
  }
}
