import { type Scope, scopes } from '@tallystick/wire'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectSuperuser } from '../../test/superuser.ts'
import { createWorld, type TestAnswer, type TestInstance, type World } from '../../test/world.ts'
import { parseApiKey } from './api-key.rules.ts'

const KEYS = '/access/api/keys'
const DAY_MS = 24 * 60 * 60 * 1000

describe('API keys over HTTP', () => {
  let world: World
  let superuser: Sql

  beforeAll(async () => {
    world = await createWorld()
    superuser = connectSuperuser(world.databaseUrl)
  })
  afterAll(async () => {
    await superuser.end()
    await world.close()
  })

  const create = (instance: TestInstance, request: object = {}, key = instance.apiKey) =>
    world.call('POST', KEYS, { key, body: { name: 'n', scopes: ['access:read'], ...request } })
  const rotate = (instance: TestInstance, keyId: string, key = instance.apiKey) =>
    world.call('POST', `${KEYS}/${keyId}/rotate`, { key })
  const list = async (instance: TestInstance) => (await instance.call('GET', KEYS)).body.data
  const opens = async (key: string) => (await world.call('GET', '/access/api/instance', { key })).status === 200
  const refusal = ({ status, body }: TestAnswer) => [status, body.error?.code]

  describe('who am I', () => {
    it('answers the instance, its chain and services, and the key itself', async () => {
      const instance = await world.createInstance({ name: 'Acme', services: ['lending', 'identity'] })
      const { status, body } = await instance.call('GET', '/access/api/instance')
      expect(status).toBe(200)
      expect(body.data).toEqual({
        instanceId: instance.instanceId,
        name: 'Acme',
        chainId: world.chain.chainId,
        environment: 'DEVELOPMENT',
        services: ['lending', 'identity'],
        lenderApproved: false,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        key: { keyId: expect.any(String), name: 'default', scopes },
      })
      expect(body.metadata.instanceId).toBe(instance.instanceId)
    })

    it('shows at once that the operator approved the instance as a lender', async () => {
      const instance = await world.createInstance()
      await world.operator.approveLender(instance.instanceId, true)
      expect((await instance.call('GET', '/access/api/instance')).body.data.lenderApproved).toBe(true)
    })
  })

  describe('what a key asked for', () => {
    const requestsOf = async (instance: TestInstance, keyId: string) =>
      (await instance.call('GET', `${KEYS}/${keyId}/requests`)).body.data.requests
    const ids = (requests: { requestId: string }[]) => requests.map(({ requestId }) => requestId)

    it('is listed newest first, refusals too, and tells when it was used last', async () => {
      const instance = await world.createInstance()
      const { keyId, apiKey } = (await create(instance)).body.data
      expect(await requestsOf(instance, keyId)).toEqual([])
      world.clock.advance(1000)
      const first = await world.call('GET', '/access/api/instance', { key: apiKey })
      world.clock.advance(1000)
      const refused = await world.call('POST', KEYS, { key: apiKey, body: {} })
      const requests = await requestsOf(instance, keyId)
      expect(ids(requests)).toEqual([refused.body.metadata.requestId, first.body.metadata.requestId])
      expect(requests[0]).toMatchObject({ method: 'POST', path: KEYS, status: 403, durationMs: expect.any(Number) })
      expect(requests[1]).toMatchObject({ method: 'GET', path: '/access/api/instance', status: 200 })
      const shown = (await list(instance)).find((one: { keyId: string }) => one.keyId === keyId)
      expect(shown.lastUsedAt).toBe(requests[0].at)
    })

    it('is kept for the newest 200, and told to its instance only', async () => {
      const instance = await world.createInstance()
      const { keyId, apiKey } = (await create(instance)).body.data
      const asked: string[] = []
      for (let at = 0; at < 205; at += 1) {
        world.clock.advance(10)
        asked.push((await world.call('GET', '/access/api/health', { key: apiKey })).body.metadata.requestId)
      }
      expect(ids(await requestsOf(instance, keyId))).toEqual(asked.toReversed().slice(0, 200))
      const other = await world.createInstance()
      for (const name of [keyId, 'nonsense'])
        expect(refusal(await other.call('GET', `${KEYS}/${name}/requests`))).toEqual([404, 'KEY_NOT_FOUND'])
      const long = await instance.call('GET', `${KEYS}/${'x'.repeat(101)}/requests`)
      expect(refusal(long)).toEqual([400, 'INVALID_PARAM'])
    })
  })

  describe('creating', () => {
    it('answers the whole key once, and a list that never shows it', async () => {
      const instance = await world.createInstance()
      const expiresAt = new Date(world.clock.now().getTime() + DAY_MS).toISOString()
      const { status, body } = await create(instance, { name: 'ci', rateLimitPerMinute: 50, expiresAt })
      expect(status).toBe(200)
      const { apiKey, ...record } = body.data
      expect(record).toEqual({
        keyId: expect.any(String),
        ref: parseApiKey(apiKey)?.ref,
        name: 'ci',
        scopes: ['access:read'],
        status: 'ACTIVE',
        rateLimitPerMinute: 50,
        createdAt: expect.any(String),
        expiresAt,
        lastUsedAt: null,
      })
      expect(await opens(apiKey)).toBe(true)
      const [newest, oldest, ...none] = await list(instance)
      expect(newest).toEqual(record)
      expect(oldest.name).toBe('default')
      expect(none).toEqual([])
    })

    it('hands out no scope that the creating key lacks, and names what is missing', async () => {
      const instance = await world.createInstance()
      const held: Scope[] = ['access:write', 'tokens:read']
      const key = await world.createKey(instance, held)
      const refused = await create(instance, { scopes: ['tokens:read', 'tokens:write', 'access:read'] }, key)
      expect(refusal(refused)).toEqual([403, 'SCOPE_NOT_HELD'])
      expect(refused.body.error.missing).toEqual(['tokens:write', 'access:read'])
      expect((await create(instance, { scopes: held }, key)).status).toBe(200)
    })

    it('hands out neither a higher limit nor a longer life than the creating key has, and its own unless told less', async () => {
      const instance = await world.createInstance()
      const end = new Date(world.clock.now().getTime() + DAY_MS)
      const later = new Date(end.getTime() + 1).toISOString()
      const held = ['access:write', 'access:read']
      const bounds = { rateLimitPerMinute: 50, expiresAt: end.toISOString() }
      const parent = (await create(instance, { scopes: held, ...bounds })).body.data.apiKey
      for (const [request, field] of [
        [{ rateLimitPerMinute: 51 }, 'rateLimitPerMinute'],
        [{ expiresAt: later }, 'expiresAt'],
      ] as const) {
        const refused = await create(instance, request, parent)
        expect(refusal(refused)).toEqual([403, 'KEY_BOUNDS_EXCEEDED'])
        expect(refused.body.error.details.map((one: { field: string }) => one.field)).toEqual([field])
      }
      expect((await create(instance, {}, parent)).body.data).toMatchObject(bounds)
      expect((await create(instance, { rateLimitPerMinute: 50, expiresAt: end.toISOString() }, parent)).status).toBe(
        200,
      )
      const less = (await create(instance, { rateLimitPerMinute: 5 }, parent)).body.data
      expect(less).toMatchObject({ rateLimitPerMinute: 5, expiresAt: bounds.expiresAt })
    })

    it('outlives no key that is being rotated', async () => {
      const instance = await world.createInstance()
      const { keyId } = (await instance.call('GET', '/access/api/instance')).body.data.key
      expect((await rotate(instance, keyId)).status).toBe(200)
      const lapsing = (await list(instance)).find((key: { keyId: string }) => key.keyId === keyId)
      expect((await create(instance)).body.data.expiresAt).toBe(lapsing.expiresAt)
    })

    it.each([
      ['no name', { name: '' }, 'name'],
      ['a long name', { name: 'x'.repeat(101) }, 'name'],
      ['a name with a NUL', { name: 'a\u0000b' }, 'name'],
      ['a name with a line end', { name: 'a\nb' }, 'name'],
      ['no scope', { scopes: [] }, 'scopes'],
      ['a scope twice', { scopes: ['access:read', 'access:read'] }, 'scopes'],
      ['an unknown scope', { scopes: ['access:admin'] }, 'scopes.0'],
      ['an expiry that is no time', { expiresAt: 'tomorrow' }, 'expiresAt'],
      ['an expiry on a day that does not exist', { expiresAt: '2999-02-31T00:00:00Z' }, 'expiresAt'],
      ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      ['a limit of zero', { rateLimitPerMinute: 0 }, 'rateLimitPerMinute'],
      ['a limit as text', { rateLimitPerMinute: '5' }, 'rateLimitPerMinute'],
    ])('refuses %s', async (_what, request, field) => {
      const instance = await world.createInstance()
      const answer = await create(instance, request)
      expect(refusal(answer)).toEqual([400, 'VALIDATION_ERROR'])
      expect(answer.body.error.details[0].field).toBe(field)
    })

    it('stops at 10 keys that open the door; revoked and lapsed ones do not count, rotated ones do', async () => {
      const instance = await world.createInstance()
      const made = []
      for (let count = 2; count <= 10; count++) made.push((await create(instance)).body.data)
      expect(refusal(await create(instance))).toEqual([409, 'KEY_LIMIT_REACHED'])
      expect(refusal(await rotate(instance, made[0].keyId))).toEqual([409, 'KEY_LIMIT_REACHED'])
      // A refused rotation leaves the key as it was.
      expect((await list(instance)).every(({ status }: { status: string }) => status === 'ACTIVE')).toBe(true)

      await instance.call('DELETE', `${KEYS}/${made[0].keyId}`)
      expect((await rotate(instance, made[1].keyId)).status).toBe(200)
      expect(refusal(await create(instance))).toEqual([409, 'KEY_LIMIT_REACHED'])
      await superuser`update api_keys set expires_at = now() - interval '1 second' where key_id = ${made[1].keyId}`
      expect((await create(instance)).status).toBe(200)
      expect(refusal(await create(instance))).toEqual([409, 'KEY_LIMIT_REACHED'])
    })

    it('stops at 10 also when many ask at once', async () => {
      const instance = await world.createInstance()
      const answers = await Promise.all(Array.from({ length: 15 }, () => create(instance)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
      expect(answers.filter(({ body }) => body.error?.code === 'KEY_LIMIT_REACHED')).toHaveLength(6)
    })

    it('stores the secret nowhere, not even in what an Idempotency-Key keeps', async () => {
      const instance = await world.createInstance()
      const body = { name: 'n', scopes: ['access:read'] }
      const made = await instance.call('POST', KEYS, { body, headers: { 'idempotency-key': 'search-me' } })
      const turned = await instance.call('POST', `${KEYS}/${made.body.data.keyId}/rotate`, {
        headers: { 'idempotency-key': 'search-me' },
      })
      const keys: string[] = [instance.apiKey, made.body.data.apiKey, turned.body.data.apiKey]
      const secrets = keys.map((key) => parseApiKey(key)?.secret ?? '')
      const forms = secrets.flatMap((secret) => [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64').replace(/=+$/, ''),
        Buffer.from(secret, 'hex').toString('base64').replace(/=+$/, ''),
      ])
      const tables = await superuser<{ name: string }[]>`
        select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`
      let searched = 0
      for (const { name } of tables) {
        for (const { row } of await superuser.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`)) {
          searched += 1
          for (const form of forms) expect(row.includes(form)).toBe(false)
        }
      }
      expect(searched).toBeGreaterThan(5)
    })
  })

  describe('rotating', () => {
    it('gives a successor at once and leaves the old key valid for 7 days', async () => {
      const instance = await world.createInstance()
      const old = (await create(instance, { name: 'ci', rateLimitPerMinute: 700 })).body.data
      const before = world.clock.now().getTime()
      const { status, body } = await rotate(instance, old.keyId)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ name: 'ci', scopes: old.scopes, rateLimitPerMinute: 700, status: 'ACTIVE' })
      expect(body.data.expiresAt).toBeNull()
      expect(body.data.keyId).not.toBe(old.keyId)
      expect([await opens(old.apiKey), await opens(body.data.apiKey)]).toEqual([true, true])
      const lapsing = (await list(instance)).find(({ keyId }: { keyId: string }) => keyId === old.keyId)
      expect(lapsing.status).toBe('PENDING_ROTATION')
      const validFor = Date.parse(lapsing.expiresAt) - before
      expect(Math.round(validFor / 60_000)).toBe(7 * 24 * 60)

      await superuser`update api_keys set expires_at = now() - interval '1 second' where key_id = ${old.keyId}`
      expect([await opens(old.apiKey), await opens(body.data.apiKey)]).toEqual([false, true])
      const lapsed = (await list(instance)).find(({ keyId }: { keyId: string }) => keyId === old.keyId)
      expect(lapsed.status).toBe('EXPIRED')
    })

    it('never lengthens the life of a key that ends sooner', async () => {
      const instance = await world.createInstance()
      const expiresAt = new Date(world.clock.now().getTime() + DAY_MS).toISOString()
      const old = (await create(instance, { expiresAt })).body.data
      await rotate(instance, old.keyId)
      const lapsing = (await list(instance)).find(({ keyId }: { keyId: string }) => keyId === old.keyId)
      expect(lapsing).toMatchObject({ status: 'PENDING_ROTATION', expiresAt })
    })

    it('leaves the successor no longer to live than the key it follows', async () => {
      const instance = await world.createInstance()
      const expiresAt = new Date(world.clock.now().getTime() + DAY_MS).toISOString()
      const old = (await create(instance, { expiresAt, scopes: ['access:read', 'access:write'] })).body.data
      expect((await rotate(instance, old.keyId, old.apiKey)).body.data.expiresAt).toBe(expiresAt)
    })

    it('is refused to a key with a lower limit or a shorter life than the one to rotate', async () => {
      const instance = await world.createInstance()
      const strong = (await create(instance, { rateLimitPerMinute: 100 })).body.data
      const expiresAt = new Date(world.clock.now().getTime() + DAY_MS).toISOString()
      const held = { scopes: ['access:read', 'access:write'] }
      const weak = (await create(instance, { ...held, rateLimitPerMinute: 99, expiresAt })).body.data
      const refused = await rotate(instance, strong.keyId, weak.apiKey)
      expect(refusal(refused)).toEqual([403, 'KEY_BOUNDS_EXCEEDED'])
      expect(refused.body.error.details.map((one: { field: string }) => one.field)).toEqual([
        'rateLimitPerMinute',
        'expiresAt',
      ])
      expect((await list(instance)).find((key: { keyId: string }) => key.keyId === strong.keyId).status).toBe('ACTIVE')
    })

    it('works for two keys that rotate one another at once', async () => {
      const instance = await world.createInstance()
      const held = { scopes: ['access:read', 'access:write'] }
      for (let round = 0; round < 3; round += 1) {
        const [one, other] = [(await create(instance, held)).body.data, (await create(instance, held)).body.data]
        const answers = await Promise.all([
          rotate(instance, other.keyId, one.apiKey),
          rotate(instance, one.keyId, other.apiKey),
        ])
        // Whoever comes second has a week left, and the other one more.
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
        for (const { keyId } of [one, other, ...answers.map(({ body }) => body.data ?? one)])
          await instance.call('DELETE', `${KEYS}/${keyId}`)
      }
    })

    it('works once: a rotated, revoked or lapsed key is not active', async () => {
      const instance = await world.createInstance()
      const [rotated, revoked, lapsed] = [await create(instance), await create(instance), await create(instance)].map(
        ({ body }) => body.data.keyId as string,
      )
      await rotate(instance, rotated ?? '')
      await instance.call('DELETE', `${KEYS}/${revoked}`)
      await superuser`update api_keys set expires_at = now() - interval '1 second' where key_id = ${lapsed ?? ''}`
      for (const keyId of [rotated, revoked, lapsed])
        expect(refusal(await rotate(instance, keyId ?? ''))).toEqual([409, 'KEY_NOT_ACTIVE'])
      expect((await list(instance)).filter(({ status }: { status: string }) => status === 'EXPIRED')).toHaveLength(1)
    })

    it('is refused to a key that lacks a scope of the one to rotate', async () => {
      const instance = await world.createInstance()
      const wide = (await create(instance, { scopes: ['tokens:read', 'access:read'] })).body.data
      const narrow = await world.createKey(instance, ['access:write', 'access:read'])
      const refused = await rotate(instance, wide.keyId, narrow)
      expect(refusal(refused)).toEqual([403, 'SCOPE_NOT_HELD'])
      expect(refused.body.error.missing).toEqual(['tokens:read'])
      expect(await opens(wide.apiKey)).toBe(true)
    })
  })

  describe('revoking', () => {
    it('is immediate, final, and can be repeated', async () => {
      const instance = await world.createInstance()
      const { apiKey, ...made } = (await create(instance)).body.data
      const first = await instance.call('DELETE', `${KEYS}/${made.keyId}`)
      expect(first.body.data).toEqual({ ...made, status: 'REVOKED' })
      expect(await opens(apiKey)).toBe(false)
      const second = await instance.call('DELETE', `${KEYS}/${made.keyId}`)
      expect([second.status, second.body.data]).toEqual([200, first.body.data])
      expect((await list(instance))[0]).toEqual(first.body.data)
    })

    it('may hit the very key that asks', async () => {
      const instance = await world.createInstance()
      const { keyId } = (await instance.call('GET', '/access/api/instance')).body.data.key
      expect((await instance.call('DELETE', `${KEYS}/${keyId}`)).status).toBe(200)
      expect(refusal(await instance.call('GET', KEYS))).toEqual([401, 'AUTH_FAILED'])
    })

    it('is refused to a key that lacks a scope of the one to revoke', async () => {
      const instance = await world.createInstance()
      const wide = (await create(instance, { scopes: ['tokens:write', 'access:read'] })).body.data
      const weak = await world.createKey(instance, ['access:write', 'access:read'])
      const refused = await world.call('DELETE', `${KEYS}/${wide.keyId}`, { key: weak })
      expect(refusal(refused)).toEqual([403, 'SCOPE_NOT_HELD'])
      expect(refused.body.error.missing).toEqual(['tokens:write'])
      expect(await opens(wide.apiKey)).toBe(true)
    })

    it.each(['00000000-0000-7000-8000-000000000000', 'default', 'x'.repeat(100)])('finds no key %s', async (keyId) => {
      const instance = await world.createInstance()
      expect(refusal(await instance.call('DELETE', `${KEYS}/${keyId}`))).toEqual([404, 'KEY_NOT_FOUND'])
      expect(refusal(await rotate(instance, keyId))).toEqual([404, 'KEY_NOT_FOUND'])
    })
  })
})
