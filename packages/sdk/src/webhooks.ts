/** What a receiver got, before anything was parsed: the signature is over these very bytes. */
export interface ReceivedWebhook {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw body. */
  readonly body: string
  /** `whsec_…`; during a rotation either of the two will do. */
  readonly secret: string
  /** How old, or how far ahead, a message may be. Default: five minutes. */
  readonly toleranceMs?: number
  readonly now?: Date
}

export interface WebhookMessage {
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** It does not prove who sent it: do nothing with it. */
export class TallyWebhookError extends Error {
  override readonly name = 'TallyWebhookError'
}

const PREFIX = 'whsec_'
const TOLERANCE_MS = 5 * 60 * 1000
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

function headerOf({ headers }: ReceivedWebhook, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : (headers as Record<string, unknown>)[name]
  if (typeof value !== 'string' || value === '') throw new TallyWebhookError(`the header ${name} is missing`)
  return value
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    // What is no base64 is no signature.
    return null
  }
}

/**
 * Verifies a message of a hook (Standard Webhooks) and answers it. Throws a `TallyWebhookError` unless one of its signatures is of this
 * secret and it was sent just now; `webhook-id` then tells one that was received before.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookMessage> {
  const { body, secret, toleranceMs = TOLERANCE_MS, now = new Date() } = received
  const id = headerOf(received, 'webhook-id')
  const timestamp = headerOf(received, 'webhook-timestamp')
  const signatures = headerOf(received, 'webhook-signature').split(' ')
  const sentAt = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN
  if (!(Math.abs(now.getTime() - sentAt) <= toleranceMs)) throw new TallyWebhookError('it was not sent just now')
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : null
  if (!bytes) throw new TallyWebhookError(`a secret is ${PREFIX} and base64`)
  const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of signatures) {
    const given = signature.startsWith('v1,') ? bytesOf(signature.slice('v1,'.length)) : null
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return JSON.parse(body) as WebhookMessage
  }
  throw new TallyWebhookError('no signature fits this secret')
}
