import { createAnswerCheck } from '../answer-check.ts'

export interface HttpAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any
}

export interface HttpRequest {
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

const check = createAnswerCheck()

/** Calls a process of the product over the network, as a client does. */
export async function callHttp(
  baseUrl: string,
  apiKey: string,
  method: string,
  path: string,
  { body, headers = {} }: HttpRequest = {},
): Promise<HttpAnswer> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  const answered = JSON.parse(text)
  check({ method, path, body }, { status: response.status, type, body: answered })
  return { status: response.status, text, headers: response.headers, body: answered }
}
