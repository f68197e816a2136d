import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { OutgoingTarget } from '../../platform/outgoing/outgoing-targets.ts'
import { pinned } from '../../platform/outgoing/pinned-lookup.ts'

/** How one attempt went. Of the answer only the status counts: its body is never kept, nor shown to anybody. */
export interface SendOutcome {
  readonly responseCode: number | null
  /** Null: an answer came. */
  readonly error: string | null
}

const MOST_RESPONSE_BYTES = 64 * 1024

/** Lets the answer run out, but neither without end nor for ever: its status is known already. */
function drain(response: IncomingMessage, done: () => void): void {
  let seen = 0
  response.on('data', (chunk: Buffer) => {
    seen += chunk.length
    if (seen > MOST_RESPONSE_BYTES) response.destroy()
  })
  response.once('close', done)
  response.on('error', () => response.destroy())
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  EPIPE: 'the connection was closed',
}

function reasonOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer in time'
  if (code !== undefined && code in reasons) return reasons[code] ?? code
  return `the connection failed (${code ?? name})`
}

/** One POST to a checked target. Redirects are answers like any other: where they lead was not checked. */
export function sendWebhook(
  { url, addresses }: OutgoingTarget,
  headers: Readonly<Record<string, string>>,
  body: string,
  timeoutMs: number,
): Promise<SendOutcome> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest
    let outcome: SendOutcome | undefined
    const finish = (found: SendOutcome) => resolve(outcome ?? found)
    const bytes = Buffer.from(body, 'utf8')
    let request: ClientRequest
    try {
      request = open(url, {
        method: 'POST',
        agent: false,
        lookup: pinned(addresses),
        signal,
        headers: { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers },
      })
    } catch (error) {
      finish({ responseCode: null, error: reasonOf(error) })
      return
    }
    request.once('response', (response) => {
      outcome = { responseCode: response.statusCode ?? null, error: null }
      drain(response, () => finish({ responseCode: null, error: 'the connection failed' }))
    })
    request.on('error', (error) => finish({ responseCode: null, error: reasonOf(error) }))
    // Closed without a word, as after a switch to another protocol.
    request.once('close', () => {
      if (!outcome) finish({ responseCode: null, error: 'the connection was closed' })
    })
    request.end(bytes)
  })
}
