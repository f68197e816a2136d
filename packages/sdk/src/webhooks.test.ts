import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { TallyWebhookError, verifyWebhook } from './webhooks.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(24, 2).toString('base64')}`
const BODY = '{"type":"hook.test","timestamp":"2026-11-16T12:00:00.000Z","data":{"name":"Größe"}}'
const NOW = new Date('2026-11-16T12:00:00Z')
const SENT = String(NOW.getTime() / 1000)

/** As the standard says, with another library than the code. */
const signatureBy = (secret: string, id = 'msg_1', timestamp = SENT, body = BODY) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`

const headers = (signature: string, more: Record<string, string | undefined> = {}) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': SENT,
  'webhook-signature': signature,
  ...more,
})

describe('a received webhook', () => {
  const verify = (more: Partial<Parameters<typeof verifyWebhook>[0]> = {}) =>
    verifyWebhook({ secret: SECRET, headers: headers(signatureBy(SECRET)), body: BODY, now: NOW, ...more })

  it('is answered when its signature fits, whatever kind of headers it came with', async () => {
    expect(await verify()).toEqual(JSON.parse(BODY))
    expect(
      await verify({ headers: new Headers(headers(signatureBy(SECRET)) as Record<string, string>) }),
    ).toMatchObject({
      type: 'hook.test',
    })
  })

  it('is answered when one of several signatures fits, as during a rotation', async () => {
    for (const signatures of [
      [signatureBy(OTHER), signatureBy(SECRET)],
      [signatureBy(SECRET), signatureBy(OTHER)],
      ['v2,abc', 'v1,%%%', signatureBy(SECRET)],
    ])
      expect(await verify({ headers: headers(signatures.join(' ')) })).toMatchObject({ type: 'hook.test' })
  })

  it.each([
    ['another secret signed it', { headers: headers(signatureBy(OTHER)) }, 'no signature fits'],
    ['its body was changed', { body: `${BODY} ` }, 'no signature fits'],
    ['its id was changed', { headers: headers(signatureBy(SECRET), { 'webhook-id': 'msg_2' }) }, 'no signature fits'],
    ['it has no signature', { headers: headers('') }, 'webhook-signature is missing'],
    ['it has no id', { headers: headers(signatureBy(SECRET), { 'webhook-id': undefined }) }, 'webhook-id is missing'],
    [
      'its time is none',
      { headers: headers(signatureBy(SECRET), { 'webhook-timestamp': 'now' }) },
      'not sent just now',
    ],
    ['it is old', { now: new Date(NOW.getTime() + 300_001) }, 'not sent just now'],
    ['it is from the future', { now: new Date(NOW.getTime() - 300_001) }, 'not sent just now'],
    ['the secret is none', { secret: 'abc' }, 'a secret is whsec_'],
  ])('is refused when %s', async (_, more, sentence) => {
    const refused = verify(more)
    await expect(refused).rejects.toBeInstanceOf(TallyWebhookError)
    await expect(refused).rejects.toThrow(sentence)
  })
})
