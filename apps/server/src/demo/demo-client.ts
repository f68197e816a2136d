/** The interface refused something that the demo needs. */
export class DemoRefusedError extends Error {
  override readonly name = 'DemoRefusedError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The demo talks to the product the way any integrator does. */
export function createDemoClient(baseUrl: string, apiKey: string) {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { success: boolean; data: T; error?: { code: string; message: string } }
    const { code = 'UNKNOWN', message = '' } = answer.error ?? {}
    if (!answer.success) throw new DemoRefusedError(code, `the demo could not ${method} ${path}: ${code} ${message}`)
    return answer.data
  }
}

export type DemoClient = ReturnType<typeof createDemoClient>
