import { verifyWebhook } from '@tallystick/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, type Party } from '../../../test/lending/lending-world.ts'
import { expectedSignature, type Received, type Receiver, startReceiver } from '../../../test/lending/watch-receiver.ts'
import { createOutgoingTargets, type ResolvedAddress } from '../../platform/outgoing/outgoing-targets.ts'
import { systemRandom } from '../../platform/random.ts'
import { createDelivery, type DeliveryParts } from './deliver.service.ts'

const HOOKS = '/lending-external-securities/api/hooks'
const NO_SUCH = '01890000-0000-7000-8000-0000000000aa'
const SECOND = 1_000
const HOUR = 3_600 * SECOND

describe('hooks', () => {
  let world: LendingWorld
  let receiver: Receiver
  let party: Party
  let marketId: string
  const names: Record<string, ResolvedAddress[]> = {}
  const resolve = async (host: string) => names[host] ?? []
  const targets = createOutgoingTargets({ allowedHosts: '127.0.0.1,receiver.test', resolve })

  beforeAll(async () => {
    receiver = await startReceiver()
    world = await createLendingWorld({ world: { webhooks: targets } })
    party = world.deployer
    marketId = (await world.deployMarket()).marketId
  })
  afterAll(async () => {
    await world.close()
    await receiver.stop()
  })
  beforeEach(async () => {
    await world.superuser`delete from hooks`
    receiver.take()
    receiver.answer = undefined
  })

  const faults: unknown[] = []
  const worker = (request: Partial<DeliveryParts> = {}) => {
    const { database, clock } = world
    const onError = (error: unknown) => faults.push(error)
    return createDelivery({ database, clock, random: systemRandom, targets, onError, ...request })
  }
  /** What is due is sent, to the end. */
  async function deliver(request: Partial<DeliveryParts> = {}): Promise<number> {
    const delivery = worker(request)
    let sent = 0
    for (let begun = await delivery.begin(); begun > 0; begun = await delivery.begin()) {
      sent += begun
      await delivery.settle()
    }
    return sent
  }
  const path = (hookId: string, rest = '') => `${HOOKS}/${marketId}/${hookId}${rest}`
  const request = (more: Record<string, unknown> = {}) => ({
    name: 'margin call',
    kind: 'HEALTH_BELOW',
    threshold: '1.25',
    url: receiver.url,
    ...more,
  })
  const createHook = async (more: Record<string, unknown> = {}) =>
    must(await party.post(`${HOOKS}/${marketId}`, request(more))).body.data
  const log = async (hookId: string, query = '') =>
    must(await party.get(path(hookId, `/deliveries${query}`))).body.data.deliveries
  const codeOf = (answer: { status: number; body: { error: { code: string } } }) => [
    answer.status,
    answer.body.error.code,
  ]

  describe('as records', () => {
    it('are created with a secret that is shown once', async () => {
      const { secret, ...hook } = await createHook({ threshold: '1.250' })
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
      expect(hook).toEqual({
        id: expect.any(String),
        marketId,
        name: 'margin call',
        kind: 'HEALTH_BELOW',
        threshold: '1.25',
        seconds: null,
        url: receiver.url,
        active: true,
        goneAt: null,
        holding: 0,
        createdAt: hook.updatedAt,
        updatedAt: hook.updatedAt,
      })
      expect(must(await party.get(path(hook.id))).body.data).toEqual(hook)
      const other = await createHook({
        name: 'due',
        kind: 'DUE_WITHIN',
        seconds: 86_400,
        threshold: undefined,
        active: false,
      })
      expect(other).toMatchObject({ seconds: 86_400, threshold: null, active: false })
      const { hooks } = must(await party.get(`${HOOKS}/${marketId}`)).body.data
      expect(hooks.map(({ id }: { id: string }) => id)).toEqual([hook.id, other.id])
      expect(JSON.stringify(hooks)).not.toContain('whsec')
    })

    it('repeat their secret only to a replay with the same key', async () => {
      const headers = { 'idempotency-key': 'hook-created-once' }
      const first = must(await party.call('POST', `${HOOKS}/${marketId}`, { body: request(), headers }))
      const again = must(await party.call('POST', `${HOOKS}/${marketId}`, { body: request(), headers }))
      expect(again.text).toBe(first.text)
      const [row] =
        await world.superuser`select answer from idempotency_keys where idempotency_key = 'hook-created-once'`
      expect(row?.answer.toString('latin1')).not.toContain('whsec')
    })

    it.each([
      [{ threshold: undefined }, 'threshold', 'is required for HEALTH_BELOW'],
      [{ threshold: '0' }, 'threshold', 'above 0'],
      [{ threshold: '1e3' }, 'threshold', 'decimal'],
      [{ threshold: '1000.1' }, 'threshold', 'up to 1000'],
      [{ threshold: '1.0000000000000000001' }, 'threshold', '18 decimals'],
      [{ seconds: 5 }, 'seconds', 'means nothing'],
      [{ kind: 'DUE_WITHIN', threshold: undefined }, 'seconds', 'is required for DUE_WITHIN'],
      [{ kind: 'LOAN_SEIZED' }, 'threshold', 'means nothing'],
      [{ kind: 'PRICE_OLDER_THAN', threshold: undefined, seconds: 0 }, 'seconds', ''],
      [{ name: '' }, 'name', ''],
    ])('are refused when the rule makes no sense: %j', async (more, field, message) => {
      const answer = await party.post(`${HOOKS}/${marketId}`, request(more))
      expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR'])
      expect(answer.body.error.details).toEqual([{ field, message: expect.stringContaining(message) }])
    })

    it('are refused when nothing may be sent to their URL', async () => {
      names['inside.example'] = [{ address: '10.0.0.7', family: 4 }]
      for (const [url, sentence] of [
        ['http://public.example/', 'must begin with https'],
        ['https://inside.example/', 'not public'],
        ['https://169.254.169.254/latest/meta-data', 'not public'],
        ['https://nowhere.example/', 'does not resolve'],
      ]) {
        const answer = await party.post(`${HOOKS}/${marketId}`, request({ url }))
        expect(codeOf(answer)).toEqual([400, 'WEBHOOK_URL_REFUSED'])
        expect(answer.body.error.message).toContain(sentence)
      }
      const { id } = await createHook()
      const changed = await party.call('PUT', path(id), { body: { url: 'https://inside.example/' } })
      expect(codeOf(changed)).toEqual([400, 'WEBHOOK_URL_REFUSED'])
    })

    it('are at most twenty a market, however many are created at once', async () => {
      const answers = await Promise.all(Array.from({ length: 22 }, () => party.post(`${HOOKS}/${marketId}`, request())))
      const refused = answers.filter(({ status }) => status !== 200)
      expect(refused.map(codeOf)).toEqual(Array.from({ length: 2 }, () => [409, 'HOOK_LIMIT_REACHED']))
      const [row] = await world.superuser`select count(*)::int as hooks from hooks`
      expect(row?.hooks).toBe(20)
    })

    it('are changed field by field, judged as a whole', async () => {
      const hook = await createHook()
      const put = (body: Record<string, unknown>) => party.call('PUT', path(hook.id), { body })
      const renamed = must(await put({ name: 'renamed' })).body.data
      expect(renamed).toMatchObject({ name: 'renamed', kind: 'HEALTH_BELOW', threshold: '1.25', url: receiver.url })
      expect(must(await put({ threshold: '2' })).body.data.threshold).toBe('2')
      expect(must(await put({ kind: 'DUE_WITHIN', seconds: 60 })).body.data).toMatchObject({
        threshold: null,
        seconds: 60,
      })
      const half = await put({ kind: 'HEALTH_BELOW' })
      expect(codeOf(half)).toEqual([400, 'VALIDATION_ERROR'])
      expect(half.body.error.details).toEqual([{ field: 'threshold', message: 'is required for HEALTH_BELOW' }])
      expect(codeOf(await put({ seconds: null }))).toEqual([400, 'VALIDATION_ERROR'])
      expect(must(await put({ kind: 'LOAN_SEIZED' })).body.data).toMatchObject({ threshold: null, seconds: null })
    })

    it('are told apart by market and instance, and by ids of their own', async () => {
      const { id } = await createHook()
      const other = (await world.deployMarket({ mode: 'CUSTODY' })).marketId
      const ofHook = [
        ['GET', ''],
        ['PUT', '', { name: 'x' }],
        ['POST', '/toggle', { active: false }],
        ['POST', '/rotate-secret'],
        ['POST', '/test'],
        ['GET', '/deliveries'],
        ['POST', `/deliveries/${NO_SUCH}/redeliver`],
        ['DELETE', ''],
      ] as const
      for (const [method, rest, body] of ofHook) {
        for (const place of [`${marketId}/${NO_SUCH}`, `${marketId}/no-such-hook`, `${other}/${id}`])
          expect([rest, ...codeOf(await party.call(method, `${HOOKS}/${place}${rest}`, { body }))]).toEqual([
            rest,
            404,
            'HOOK_NOT_FOUND',
          ])
        const long = await party.call(method, `${HOOKS}/${marketId}/${'a'.repeat(101)}${rest}`, { body })
        expect([rest, ...codeOf(long)]).toEqual([rest, 400, 'MISSING_HOOK_ID'])
        expect(long.body.error.details).toMatchObject([{ field: 'hookId' }])
        expect(codeOf(await world.outsider.call(method, path(id, rest), { body }))).toEqual([404, 'MARKET_NOT_FOUND'])
      }
      await world.superuser`delete from market_records where market_id = ${other}`
    })

    it('are switched off and on; off, nothing of theirs is sent', async () => {
      const { id } = await createHook()
      must(await party.post(path(id, '/test')))
      expect(codeOf(await party.post(path(id, '/toggle'), { active: 'no' }))).toEqual([400, 'INVALID_ACTIVE'])
      expect(codeOf(await party.post(path(id, '/toggle'), { active: true, more: 1 }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
      expect(must(await party.post(path(id, '/toggle'), { active: false })).body.data.active).toBe(false)
      expect(await deliver()).toBe(0)
      const [ended] = await log(id)
      expect(ended).toMatchObject({
        status: 'FAILED',
        attempts: 0,
        nextAttemptAt: null,
        error: 'the hook was switched off',
      })
      expect(codeOf(await party.post(path(id, '/test')))).toEqual([409, 'HOOK_INACTIVE'])
      expect(codeOf(await party.post(path(id, `/deliveries/${ended.id}/redeliver`)))).toEqual([409, 'HOOK_INACTIVE'])
      expect(must(await party.post(path(id, '/toggle'), { active: true })).body.data.active).toBe(true)
      must(await party.post(path(id, `/deliveries/${ended.id}/redeliver`)))
      expect(await deliver()).toBe(1)
    })

    it('are deleted with their log', async () => {
      const { id } = await createHook()
      must(await party.post(path(id, '/test')))
      expect(must(await party.call('DELETE', path(id))).body.data).toEqual({ id, deleted: true })
      expect(codeOf(await party.get(path(id)))).toEqual([404, 'HOOK_NOT_FOUND'])
      const [row] = await world.superuser`select count(*)::int as left from hook_deliveries`
      expect(row?.left).toBe(0)
      expect(await deliver()).toBe(0)
    })
  })

  describe('as messages', () => {
    it('are signed as Standard Webhooks says, and logged', async () => {
      const { id, secret } = await createHook()
      const queued = must(await party.post(path(id, '/test'))).body.data
      expect(queued).toMatchObject({
        hookId: id,
        type: 'hook.test',
        status: 'PENDING',
        attempts: 0,
        redeliveryOf: null,
      })
      expect(must(await party.post(path(id, '/test'))).body.data).toEqual(queued)
      expect(await deliver()).toBe(1)
      const [message] = receiver.take()
      if (!message) throw new Error('nothing was received')
      expect(message.path).toBe('/hook')
      expect(message.headers).toMatchObject({
        'content-type': 'application/json',
        'webhook-id': queued.webhookId,
        'webhook-signature': expectedSignature(secret, message),
      })
      expect(
        Math.abs(Number(message.headers['webhook-timestamp']) - world.clock.now().getTime() / SECOND),
      ).toBeLessThan(5)
      expect(message.body).toEqual({
        type: 'hook.test',
        timestamp: queued.createdAt,
        data: { hookId: id, marketId, name: 'margin call', kind: 'HEALTH_BELOW' },
      })
      expect(await log(id)).toEqual([
        {
          ...queued,
          status: 'DELIVERED',
          attempts: 1,
          responseCode: 204,
          durationMs: expect.any(Number),
          nextAttemptAt: null,
          attemptedAt: expect.any(String),
          deliveredAt: expect.any(String),
        },
      ])
      expect(await deliver()).toBe(0)
    })

    it('are signed with both secrets for a day after a rotation, also those that wait, then with the new one alone', async () => {
      const { id, secret } = await createHook()
      must(await party.post(path(id, '/test')))
      const rotated = must(await party.post(path(id, '/rotate-secret'))).body.data
      expect(rotated).toEqual({
        id,
        secret: expect.stringMatching(/^whsec_/),
        rotatedAt: expect.any(String),
        previousSecretUntil: new Date(Date.parse(rotated.rotatedAt) + 24 * HOUR).toISOString(),
      })
      expect(rotated.secret).not.toBe(secret)
      const next = async () => {
        await deliver()
        const [message] = receiver.take()
        if (!message) throw new Error('nothing was received')
        return message
      }
      const signedBy = (message: Received, ...secrets: string[]) =>
        expect(message.headers['webhook-signature']).toBe(
          secrets.map((one) => expectedSignature(one, message)).join(' '),
        )
      const message = await next()
      signedBy(message, rotated.secret, secret)
      // What a receiver needs is in the client: either secret verifies it, another one does not.
      for (const known of [rotated.secret, secret])
        expect(await verifyWebhook({ secret: known, ...message, body: message.text, now: world.clock.now() })).toEqual(
          message.body,
        )
      const foreign = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
      await expect(
        verifyWebhook({ secret: foreign, ...message, body: message.text, now: world.clock.now() }),
      ).rejects.toThrow('no signature fits')

      world.clock.advance(24 * HOUR - SECOND)
      must(await party.post(path(id, '/test')))
      signedBy(await next(), rotated.secret, secret)
      world.clock.advance(SECOND)
      must(await party.post(path(id, '/test')))
      signedBy(await next(), rotated.secret)

      // Of two rotations in a row, the first secret is gone at once.
      const second = must(await party.post(path(id, '/rotate-secret'))).body.data
      const third = must(await party.post(path(id, '/rotate-secret'))).body.data
      must(await party.post(path(id, '/test')))
      signedBy(await next(), third.secret, second.secret)
    })

    it('are tried again after growing pauses, with the same id and a new timestamp, until they are spent', async () => {
      const { id, secret } = await createHook()
      must(await party.post(path(id, '/test')))
      // Neither redirects nor refusals count as taken; the redirect would lead back here.
      const answers = [500, 404, 302, 429, 503, 400, 401, 307, 500]
      receiver.answer = (response) => {
        response
          .writeHead(answers[receiver.received.length - 1] ?? 500, { location: receiver.url })
          .end('x'.repeat(200_000))
      }
      const pauses = [5, 30, 120, 600, 1_800, 3_600, 10_800, 28_800]
      for (const [index, code] of answers.entries()) {
        expect([index, await deliver()]).toEqual([index, 1])
        const [row] = await log(id)
        const isLast = index === answers.length - 1
        expect(row).toMatchObject({
          status: isLast ? 'FAILED' : 'RETRYING',
          attempts: index + 1,
          responseCode: code,
          error: null,
          deliveredAt: null,
        })
        if (isLast) break
        const pause = (pauses[index] ?? 0) * SECOND
        const wait = new Date(row.nextAttemptAt).getTime() - new Date(row.attemptedAt).getTime()
        expect(wait).toBeGreaterThanOrEqual(pause * 0.9)
        expect(wait).toBeLessThanOrEqual(pause * 1.1 + 2 * SECOND)
        world.clock.advance(pause * 0.85)
        expect(await deliver()).toBe(0)
        world.clock.advance(pause * 0.3)
      }
      world.clock.advance(1_000 * HOUR)
      expect(await deliver()).toBe(0)
      const messages = receiver.take()
      expect(messages).toHaveLength(9)
      expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(new Set(messages.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(9)
      for (const message of messages)
        expect(message.headers['webhook-signature']).toBe(expectedSignature(secret, message))
    })

    it('are tried again when nobody answers, or not in time, or with half a sentence', async () => {
      const { id } = await createHook()
      must(await party.post(path(id, '/test')))
      const next = async (request: Partial<DeliveryParts> = {}) => {
        world.clock.advance(10 * HOUR)
        expect(await deliver(request)).toBe(1)
        return (await log(id))[0]
      }
      receiver.answer = () => undefined
      expect(await next({ timeoutMs: 100 })).toMatchObject({ responseCode: null, error: 'no answer in time' })
      receiver.answer = (response) => void response.destroy()
      expect(await next()).toMatchObject({ responseCode: null, error: 'the connection was reset' })
      receiver.answer = (response) => void response.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end()
      expect(await next()).toMatchObject({ responseCode: null, status: 'RETRYING' })
      await world.superuser`update hooks set url = 'http://127.0.0.1:1/'`
      expect(await next()).toMatchObject({ responseCode: null, error: 'the connection was refused' })
      await world.superuser`update hooks set url = ${receiver.url}`
      // Its status says that it was taken; the rest of the answer is not waited for.
      receiver.answer = (response) => void response.writeHead(200).write('never ends')
      expect(await next({ timeoutMs: 200 })).toMatchObject({ responseCode: 200, status: 'DELIVERED' })
    })

    it('go to the address that was checked and to no other, and only while it may be spoken to', async () => {
      names['receiver.test'] = [{ address: '127.0.0.1', family: 4 }]
      const { id } = await createHook({ url: `http://receiver.test:${receiver.port}/pinned` })
      must(await party.post(path(id, '/test')))
      await deliver()
      expect(receiver.take()).toMatchObject([{ path: '/pinned', headers: { host: `receiver.test:${receiver.port}` } }])

      // Public when it was created, inside when it is sent to.
      names['rebind.example'] = [{ address: '93.184.215.14', family: 4 }]
      const rebound = await createHook({ url: `https://rebind.example:${receiver.port}/` })
      names['rebind.example'] = [{ address: '127.0.0.1', family: 4 }]
      must(await party.post(path(rebound.id, '/test')))
      await deliver()
      expect(receiver.take()).toEqual([])
      expect((await log(rebound.id))[0]).toMatchObject({
        status: 'RETRYING',
        responseCode: null,
        error: 'rebind.example leads to an address that is not public.',
      })
    })

    it('switch the hook off when the receiver says it is gone', async () => {
      const { id } = await createHook()
      const [first] = [must(await party.post(path(id, '/test'))).body.data]
      await deliver()
      must(await party.post(path(id, '/test')))
      must(await party.post(path(id, `/deliveries/${first.id}/redeliver`)))
      receiver.answer = (response) => void response.writeHead(410).end()
      receiver.take()
      expect(await deliver()).toBe(1)
      expect(receiver.take()).toHaveLength(1)
      expect(must(await party.get(path(id))).body.data).toMatchObject({ active: false, goneAt: expect.any(String) })
      const [newest, second] = await log(id)
      expect([newest.status, second.status]).toEqual(['FAILED', 'FAILED'])
      expect([newest.responseCode, second.responseCode].sort()).toEqual([410, null])
      expect(must(await party.post(path(id, '/toggle'), { active: true })).body.data).toMatchObject({ goneAt: null })
    })

    it('are sent again with the same id when a worker dies before it wrote down that they were taken', async () => {
      const { id } = await createHook()
      must(await party.post(path(id, '/test')))
      receiver.answer = async (response) => {
        await world.superuser`revoke update on hook_deliveries from tally_operator`
        response.writeHead(200).end()
      }
      const dying = worker()
      expect(await dying.begin()).toBe(1)
      await dying.settle()
      await world.superuser`grant update on hook_deliveries to tally_operator`
      expect(faults.splice(0)).toMatchObject([{ code: '42501' }])
      receiver.answer = undefined
      expect(await deliver()).toBe(0)
      world.clock.advance(61 * SECOND)
      expect(await deliver()).toBe(1)
      const messages = receiver.take()
      expect(messages).toHaveLength(2)
      expect(messages[1]?.headers['webhook-id']).toBe(messages[0]?.headers['webhook-id'])
      expect(messages[1]?.text).toBe(messages[0]?.text)
      expect((await log(id))[0]).toMatchObject({ status: 'DELIVERED', attempts: 2 })
    })

    it('are sent once however many workers there are, and a slow receiver delays only itself', async () => {
      const hooks = [await createHook(), await createHook(), await createHook({ url: `${receiver.url}/slow` })]
      for (const { id } of hooks) must(await party.post(path(id, '/test')))
      let release = () => {}
      receiver.answer = (response, { path: where }) => {
        if (where.endsWith('/slow')) release = () => void response.writeHead(200).end()
        else response.writeHead(200).end()
      }
      const workers = [worker(), worker(), worker()]
      const begun = await Promise.all(workers.map((one) => one.begin()))
      expect(begun.reduce((sum, count) => sum + count)).toBe(3)
      await expect.poll(() => receiver.received.length).toBe(3)
      // The slow one has another message, which waits for its turn; the others go on.
      for (const { id } of hooks.slice(0, 2)) {
        await expect.poll(async () => (await log(id))[0].status).toBe('DELIVERED')
        must(await party.post(path(id, '/test')))
      }
      expect(await deliver()).toBe(2)
      expect(await Promise.all(workers.map((one) => one.begin()))).toEqual([0, 0, 0])
      release()
      await Promise.all(workers.map((one) => one.settle()))
      const ids = receiver.take().map(({ headers }) => headers['webhook-id'])
      expect([ids.length, new Set(ids).size]).toEqual([5, 5])
      expect(faults).toEqual([])
    })

    it('are sent again on demand, as a delivery of their own', async () => {
      const { id } = await createHook()
      const first = must(await party.post(path(id, '/test'))).body.data
      const again = (deliveryId: string) => party.post(path(id, `/deliveries/${deliveryId}/redeliver`))
      expect(codeOf(await again(first.id))).toEqual([409, 'DELIVERY_PENDING'])
      await deliver()
      const second = must(await again(first.id)).body.data
      expect(second).toMatchObject({ webhookId: first.webhookId, redeliveryOf: first.id, status: 'PENDING' })
      expect(codeOf(await again(first.id))).toEqual([409, 'DELIVERY_PENDING'])
      expect(await deliver()).toBe(1)
      const [one, two] = receiver.take()
      expect([two?.text, two?.headers['webhook-id']]).toEqual([one?.text, one?.headers['webhook-id']])
      for (const unknown of [NO_SUCH, 'x']) expect(codeOf(await again(unknown))).toEqual([404, 'DELIVERY_NOT_FOUND'])
      const long = await again('a'.repeat(101))
      expect(codeOf(long)).toEqual([400, 'MISSING_DELIVERY_ID'])
      expect(long.body.error.details).toMatchObject([{ field: 'deliveryId' }])
    })

    it('are listed page by page, and forgotten after thirty days', async () => {
      const { id } = await createHook()
      const ids: string[] = []
      for (let count = 0; count < 5; count += 1) {
        ids.unshift(must(await party.post(path(id, '/test'))).body.data.id)
        world.clock.advance(SECOND)
        await deliver()
      }
      const page = async (query: string) => must(await party.get(path(id, `/deliveries${query}`))).body.data
      const idsOf = (data: { deliveries: { id: string }[] }) => data.deliveries.map((one) => one.id)
      const first = await page('?limit=2')
      expect(first).toMatchObject({ total: 5, hasMore: true, limit: 2, offset: 0 })
      const second = await page(`?limit=2&cursor=${first.nextCursor}`)
      const third = await page(`?limit=2&cursor=${second.nextCursor}`)
      expect([first, second, third].flatMap(idsOf)).toEqual(ids)
      expect(third).toMatchObject({ hasMore: false, nextCursor: null })
      expect(idsOf(await page('?limit=x&offset=3'))).toEqual(ids.slice(3))
      expect(await page('?limit=9999&offset=-1')).toMatchObject({ limit: 200, offset: 0 })
      expect(codeOf(await party.get(path(id, '/deliveries?cursor=abc')))).toEqual([400, 'VALIDATION_ERROR'])
      world.clock.advance(29 * 24 * HOUR)
      expect(await worker().purge()).toBe(0)
      must(await party.post(path(id, '/test')))
      world.clock.advance(24 * HOUR)
      expect(await worker().purge()).toBe(5)
      expect(await page('')).toMatchObject({ total: 1 })
    })
  })
})
