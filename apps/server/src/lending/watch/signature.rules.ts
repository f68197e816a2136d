import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'
export const SECRET_BYTES = 24
/** How long a rotated secret goes on signing: a day's work to tell every receiver the new one. */
export const OVERLAP_MS = 24 * 60 * 60 * 1000

/** Random bytes as their owner gets them. */
export const asSecret = (bytes: Buffer): string => `${PREFIX}${bytes.toString('base64')}`

/** The headers of Standard Webhooks: they prove who sent these bytes, and when. Any one of several signatures that fits will do. */
export function signedHeaders(
  secrets: readonly string[],
  webhookId: string,
  sentAt: Date,
  body: string,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': webhookId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
