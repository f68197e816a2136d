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

/** The demo talks to the product the way any integrator does. */
export function createDemoClient(baseUrl: string, apiKey: string) {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { success: boolean; data: T; error?: Refusal }
    const { code = 'UNKNOWN', message = '', ...extra } = answer.error ?? {}
    if (!answer.success)
      throw new DemoRefusedError(code, `the demo could not ${method} ${path}: ${code} ${message}`, extra)
    return answer.data
  }
}

export type DemoClient = ReturnType<typeof createDemoClient>
