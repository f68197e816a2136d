import { setTimeout as sleep } from 'node:timers/promises'

/** The interface refused something that the demo needs. */
export class DemoRefusedError extends Error {
  override readonly name = 'DemoRefusedError'
  readonly code: string
  /** What the error says beside its code. */
  readonly extra: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.extra = extra
  }
}

interface Refusal {
  readonly code?: string
  readonly message?: string
  readonly [extra: string]: unknown
}

interface Answer<T> {
  readonly success: boolean
  readonly data: T
  readonly error?: Refusal
}

/** Nothing was done then, and it may be asked again: a busy machine makes everybody wait. */
const BUSY = 'OVERLOADED'
/** Nobody knows then whether it was done. */
const UNSURE = 'SERVICE_UNAVAILABLE'

interface Repeatable {
  readonly txHash?: unknown
  readonly orders?: readonly { readonly clientOrderId?: unknown }[]
}

/** Whoever looks, reports what the chain has anyway, or places orders with names may ask again all the same. */
function mayRepeat(method: string, path: string, body: unknown): boolean {
  const { txHash, orders = [] } = (body ?? {}) as Repeatable
  const areNamed = orders.length > 0 && orders.every(({ clientOrderId }) => clientOrderId !== undefined)
  return method === 'GET' || path.endsWith('/confirm') || txHash !== undefined || areNamed
}

const PAUSE_MS = 500
const TRIES = 60

/** The demo talks to the product the way any integrator does. */
export function createDemoClient(baseUrl: string, apiKey: string) {
  async function ask<T>(method: string, path: string, body: unknown): Promise<Answer<T>> {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await response.json()) as Answer<T>
  }

  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const again = mayRepeat(method, path, body) ? [BUSY, UNSURE] : [BUSY]
    let answer = await ask<T>(method, path, body)
    for (let tries = 1; again.includes(answer.error?.code ?? '') && tries < TRIES; tries += 1) {
      await sleep(PAUSE_MS)
      answer = await ask<T>(method, path, body)
    }
    const { code = 'UNKNOWN', message = '', ...extra } = answer.error ?? {}
    if (!answer.success)
      throw new DemoRefusedError(code, `the demo could not ${method} ${path}: ${code} ${message}`, extra)
    return answer.data
  }
}

export type DemoClient = ReturnType<typeof createDemoClient>
