import { type Hex, sendAndWait, TallyError, type Wallet } from '@tallystick/sdk'
import type { Demo } from '../demo/demo.ts'

export type Leg = 'read' | 'build' | 'confirm' | 'refused' | 'failed'

/** One answer of one endpoint. */
export interface Row {
  readonly leg: Leg
  readonly method: string
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  readonly answer: string
}

/** What was there to be used is used up; the keeper of the demo brings it back. */
export class UsedUpError extends Error {
  override readonly name = 'UsedUpError'
}

type Ask<T> = () => Promise<{ readonly data: T }>

/** How an endpoint is tried. Every question is a row; whatever is not an answer as expected ends the trial. */
export interface Trial {
  readonly demo: Demo
  /** A read, or one half of a write: `tell` says in a few words what came back. */
  ask<T>(leg: 'read' | 'build' | 'confirm', ask: Ask<T>, tell: (data: T) => string): Promise<T>
  /** A question that has to be refused with this code. */
  refused(code: string, ask: Ask<unknown>, tell: (error: TallyError) => string): Promise<void>
}

/** One endpoint of the interface, with all its legs. */
export interface Endpoint {
  /** Its section there. */
  readonly number: string
  readonly name: string
  run(trial: Trial): Promise<void>
}

/** The method, the path and the status of the last answer, as the client saw it. */
export interface LastAnswer {
  method: string
  path: string
  status: number
}

export function createTrial(demo: Demo, last: LastAnswer, rows: Row[]): Trial {
  async function timed<T>(leg: Leg, ask: Ask<T>, tell: (data: T) => string): Promise<T> {
    const startedAt = performance.now()
    const { data } = await ask()
    rows.push({ leg, ...last, milliseconds: performance.now() - startedAt, answer: tell(data) })
    return data
  }
  return {
    demo,
    ask: timed,
    async refused(code, ask, tell) {
      const refusal = async (): Promise<{ data: TallyError }> => {
        try {
          await ask()
        } catch (error) {
          if (error instanceof TallyError && error.code === code) return { data: error }
          throw error
        }
        throw new Error(`this was not refused with ${code}`)
      }
      await timed('refused', refusal, tell)
    },
  }
}

interface Unsigned {
  readonly to: Hex
  readonly data: string
}

/** Signs and sends what was built, and waits for the block. */
export async function sign(wallet: Wallet, { to, data }: Unsigned): Promise<{ txHash: Hex }> {
  const { transactionHash } = await sendAndWait(wallet, { to, data: data as Hex })
  return { txHash: transactionHash }
}

interface Simulated {
  readonly simulation: { readonly simulated: boolean; readonly success: boolean }
}

/** A build that would fail asks for something that is gone. */
export function requireUsable({ simulation: { simulated, success } }: Simulated): void {
  if (simulated && !success) throw new UsedUpError('what was built would fail on chain')
}
