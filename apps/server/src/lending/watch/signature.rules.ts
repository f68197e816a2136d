import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'
export const SECRET_BYTES = 24

/** Random bytes as their owner gets them. */
export const asSecret = (bytes: Buffer): string => `${PREFIX}${bytes.toString('base64')}`

/** The headers of Standard Webhooks: they prove who sent these bytes, and when. */
export function signedHeaders(
  secret: string,
  webhookId: string,
  sentAt: Date,
  body: string,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': webhookId, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
