import { createTally, TallyError } from '@tallystick/sdk'

/** Of the session; every write carries it. */
let csrfToken: string | undefined
/** Of builds, by the key of their request: the service remembers what it built for a session. */
const builtAs = new Map<string, string>()
const ended = new Set<() => void>()
const refused = new Set<() => void>()

export function setCsrfToken(token: string | undefined): void {
  csrfToken = token
}

/** Called when the service no longer knows the session. */
export function onSessionEnd(listener: () => void): void {
  ended.add(listener)
}

/** Called when the service refused something that the page thought it might do. */
export function onRefusal(listener: () => void): void {
  refused.add(listener)
}

/** The cookie says who asks: no key is ever in a page. */
async function withSession(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.delete('x-api-key')
  if (csrfToken !== undefined && init.method !== undefined && init.method !== 'GET')
    headers.set('x-csrf-token', csrfToken)
  const response = await fetch(input, { ...init, headers, credentials: 'same-origin', redirect: 'error' })
  const transactionId = response.headers.get('x-transaction-id')
  const key = headers.get('idempotency-key')
  if (transactionId !== null && key !== null) builtAs.set(key, transactionId)
  if (response.status === 401 && !new URL(response.url).pathname.startsWith('/access/api/sign-in'))
    for (const listener of ended) listener()
  if (response.status === 403) for (const listener of refused) listener()
  return response
}

/** A person waits in front of a page: what does not come back soon is shown as it is, with a button to try again. */
export const tally = createTally({
  baseUrl: location.origin,
  apiKey: '',
  fetch: withSession,
  surfaces: { lending: 'lending-external-securities-v2' },
  timeoutMs: 20_000,
  retry: { retries: 2 },
})

/** What the service called the build that was asked for with this key. */
export const transactionOf = (idempotencyKey: string): string | undefined => builtAs.get(idempotencyKey)

export const isCode = (error: unknown, ...codes: string[]): error is TallyError =>
  error instanceof TallyError && codes.includes(error.code)
