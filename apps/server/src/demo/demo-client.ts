/** The demo talks to the product the way any integrator does. */
export function createDemoClient(baseUrl: string, apiKey: string) {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { success: boolean; data: T; error?: { code: string; message: string } }
    if (!answer.success)
      throw new Error(`the demo could not ${method} ${path}: ${answer.error?.code} ${answer.error?.message}`)
    return answer.data
  }
}

export type DemoClient = ReturnType<typeof createDemoClient>
