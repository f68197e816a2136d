import { setTimeout as sleep } from 'node:timers/promises'
import { TallyError } from '@tallystick/sdk'
import { createDemo } from '../demo/demo.ts'
import type { Observer } from '../demo/observer.ts'
import type { RunningDemo } from '../demo/start-demo.ts'
import { createTrial, type Endpoint, type LastAnswer, type Row, UsedUpError } from './trial.ts'

export interface Outcome {
  readonly endpoint: Endpoint
  readonly rows: readonly Row[]
  /** Why it failed, if it did. */
  readonly failure: string | null
}

/** The keeper looks every quarter of a minute, on a machine that may be busy. */
const PATIENCE_MS = 90_000
const PAUSE_MS = 500

/** Nothing is left to be attested, swept, upgraded, claimed or revoked: somebody was here shortly before. */
const usedUp = [
  'ATTESTATION_CURRENT',
  'NO_INFRASTRUCTURE_FEES',
  'ALREADY_UPGRADED',
  'NO_ESCROWED_COLLATERAL',
  'REVOKE_CLAIM_FAILED',
]

const isUsedUp = (error: unknown): boolean =>
  error instanceof UsedUpError || (error instanceof TallyError && usedUp.includes(error.code))

/** Every leg of one endpoint. Waits where the keeper of the demo has to bring something back first. */
export async function tryEndpoint(
  endpoint: Endpoint,
  demo: RunningDemo,
  waiting: () => void = () => {},
): Promise<Outcome> {
  const startedAt = performance.now()
  for (let tries = 1; ; tries += 1) {
    const last: LastAnswer = { method: '', path: '', status: 0 }
    const rows: Row[] = []
    const observer: Observer = {
      step: () => {},
      show: () => {},
      signed: () => {},
      request: (method, path, _body, status) => Object.assign(last, { method, path, status }),
    }
    try {
      await endpoint.run(createTrial(createDemo(demo.fileNow(), observer), last, rows))
      return { endpoint, rows, failure: null }
    } catch (error) {
      if (isUsedUp(error) && performance.now() - startedAt < PATIENCE_MS) {
        if (tries === 1) waiting()
        await sleep(PAUSE_MS)
        continue
      }
      const failure = error instanceof Error ? error.message : String(error)
      return { endpoint, rows: [...rows, { leg: 'failed', ...last, milliseconds: 0, answer: failure }], failure }
    }
  }
}
