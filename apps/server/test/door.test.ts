import { operations, type Scope, scopes, services } from '@tallystick/wire'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyOperation, plausibleRequest, someOf } from './door-requests.ts'
import { connectSuperuser } from './superuser.ts'
import { createWorld, type TestInstance, type World } from './world.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('the door of every operation', () => {
  let world: World
  let instance: TestInstance
  let superuser: Sql
  const wrongKeys: Record<string, string> = {}
  let registerKey: string

  const refOf = (apiKey: string) => apiKey.split('_')[1] ?? ''

  beforeAll(async () => {
    world = await createWorld()
    superuser = connectSuperuser(world.databaseUrl)
    instance = await world.createInstance()
    const archived = await world.createInstance()
    const revoked = await world.createKey(instance, [...scopes])
    const expired = await world.createKey(instance, [...scopes])
    // Each has opened the door before: what the server remembers of a key must not keep it open.
    for (const key of [archived.apiKey, revoked, expired])
      expect((await world.call('GET', '/access/api/instance', { key })).status).toBe(200)
    await world.operator.archiveInstance(archived.instanceId)
    const listed = await world.operator.listKeys(instance.instanceId)
    const keyId = listed.find(({ ref }) => ref === refOf(revoked))?.keyId ?? ''
    await world.operator.revokeKey(instance.instanceId, keyId)
    await superuser`update api_keys set expires_at = now() - interval '1 second' where ref = ${refOf(expired)}`
    registerKey = (await world.operator.createRegisterKey('register')).apiKey
    const [prefix, ref] = instance.apiKey.split('_')
    Object.assign(wrongKeys, {
      malformed: 'not-a-key',
      unknown: `tally_00000000_${'0'.repeat(64)}`,
      'wrong secret': `${prefix}_${ref}_${'0'.repeat(64)}`,
      'unknown register': `tallyreg_00000000_${'0'.repeat(64)}`,
      'register with a wrong secret': `tallyreg_${refOf(registerKey)}_${'0'.repeat(64)}`,
      revoked,
      expired,
      'archived instance': archived.apiKey,
    })
  })
  afterAll(async () => {
    await superuser.end()
    await world.close()
  })

  it.each(everyOperation)('%s asks for a key', async (_id, operation) => {
    const { method, path, body } = plausibleRequest(operation)
    for (const headers of [{} as Record<string, string>, { 'x-api-key': '' }]) {
      const answer = await world.call(method, path, { body, headers })
      expect(answer.status).toBe(401)
      expect(answer.body.error.code).toBe('AUTH_REQUIRED')
      expect(answer.body.metadata).not.toHaveProperty('instanceId')
      expect(answer.headers['x-request-id']).toBe(answer.body.metadata.requestId)
    }
  })

  it.each(everyOperation)('%s refuses every kind of wrong key the same way', async (_id, operation) => {
    const { method, path, body } = plausibleRequest(operation)
    const texts = new Set<string>()
    for (const [kind, key] of someOf(Object.entries(wrongKeys), operation, 3)) {
      const answer = await world.call(method, path, { body, key })
      // Who holds a whole key is told, where the interface says so, that its instance is gone.
      if (kind === 'archived instance' && operation.instanceGone) {
        expect([answer.status, answer.body.error.code]).toEqual([404, operation.instanceGone])
        continue
      }
      expect([kind, answer.status, answer.body.error.code]).toEqual([kind, 401, 'AUTH_FAILED'])
      texts.add(JSON.stringify(answer.body.error))
    }
    // One text for all: an answer that differed would tell which keys exist.
    expect(texts.size).toBe(1)
  })

  const ofInstances = everyOperation.filter(([, { registerKeys }]) => !registerKeys)
  it.each(ofInstances)('%s wants the key of an instance, not of the register', async (_id, operation) => {
    const { method, path, body } = plausibleRequest(operation)
    const answer = await world.call(method, path, { body, key: registerKey })
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('INSTANCE_REQUIRED')
  })

  const ofTheRegister = everyOperation.filter(([, { registerKeys }]) => registerKeys)
  it.each(ofTheRegister)('%s opens to a register key too, and names no instance then', async (_id, operation) => {
    const { method, path } = plausibleRequest(operation)
    for (const key of [registerKey, instance.apiKey]) {
      const answer = await world.call(method, path, { key })
      expect([200, 404]).toContain(answer.status)
      expect('instanceId' in answer.body.metadata).toBe(key !== registerKey)
    }
  })

  it('names the missing scope, whatever other scopes the key has', async () => {
    for (const scope of new Set(operations.map((operation) => operation.scope))) {
      const others = scopes.filter((other) => other !== scope)
      const key = await world.createKey(await world.createInstance(), others)
      for (const operation of operations.filter((one) => one.scope === scope && !one.open)) {
        const { method, path, body } = plausibleRequest(operation)
        const answer = await world.call(method, path, { body, key })
        expect([operation.id, answer.status]).toEqual([operation.id, 403])
        expect(answer.body.error).toMatchObject({ code: 'SCOPE_MISSING', requiredScope: scope })
      }
    }
  })

  it('lets a key with only the one scope in', async () => {
    for (const scope of new Set<Scope>(operations.map((operation) => operation.scope))) {
      const key = await world.createKey(await world.createInstance(), [scope])
      for (const operation of operations.filter((one) => one.scope === scope && !one.open)) {
        const { method, path, body } = plausibleRequest(operation)
        const answer = await world.call(method, path, { body, key })
        expect(answer.status).toBeLessThan(500)
        expect(['AUTH_FAILED', 'SCOPE_MISSING', 'SERVICE_NOT_ENABLED']).not.toContain(answer.body.error?.code)
      }
    }
  })

  it('names the service that is switched off, and needs no other one', async () => {
    for (const service of services) {
      const off = await world.createInstance({ services: services.filter((one) => one !== service) })
      for (const operation of operations.filter((one) => one.service === service)) {
        const { method, path, body } = plausibleRequest(operation)
        const answer = await off.call(method, path, { body })
        expect([operation.id, answer.status]).toEqual([operation.id, 403])
        expect(answer.body.error).toMatchObject({ code: 'SERVICE_NOT_ENABLED', service })
      }
    }
  })

  it('needs no service for the access feature', async () => {
    const bare = await world.createInstance({ services: [] })
    expect((await bare.call('GET', '/access/api/instance')).status).toBe(200)
  })

  it.each(everyOperation)('%s stops a key that is over its limit', async (_id, operation) => {
    const limited = await world.createKey(await world.createInstance(), [...scopes], 1)
    const { method, path, body } = plausibleRequest(operation)
    const first = await world.call(method, path, { body, key: limited })
    expect(first.status).not.toBe(429)
    expect(first.headers['ratelimit-policy']).toBe('"key";q=1;w=60')
    expect(first.headers.ratelimit).toMatch(/^"key";r=0;t=\d+$/)
    let answer = await world.call(method, path, { body, key: limited })
    // A minute may have begun between the two.
    if (answer.status !== 429) answer = await world.call(method, path, { body, key: limited })
    expect(answer.status).toBe(429)
    const { code, retryAfterSeconds } = answer.body.error
    expect(code).toBe('RATE_LIMIT_EXCEEDED')
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(1)
    expect(retryAfterSeconds).toBeLessThanOrEqual(60)
    expect(answer.headers['retry-after']).toBe(String(retryAfterSeconds))
    expect(answer.headers.ratelimit).toBe(`"key";r=0;t=${retryAfterSeconds}`)
  })

  it('counts each key for itself and afresh every minute; without a limit there are no such headers', async () => {
    const [one, other] = [await world.createKey(instance, ['access:read'], 2), instance.apiKey]
    const ask = (key: string) => world.call('GET', '/access/api/instance', { key })
    world.clock.advance(60_000 - (world.clock.now().getTime() % 60_000))
    const statuses = [await ask(one), await ask(one), await ask(one)].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 429])
    const free = await ask(other)
    expect(free.status).toBe(200)
    expect(free.headers).not.toHaveProperty('ratelimit')
    world.clock.advance(60_000)
    const again = await ask(one)
    expect(again.status).toBe(200)
    expect(again.headers.ratelimit).toMatch(/^"key";r=1;/)
  })

  it('counts requests that come at once, to the last one', async () => {
    const key = await world.createKey(await world.createInstance(), ['access:read'], 5)
    world.clock.advance(60_000 - (world.clock.now().getTime() % 60_000))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.call('GET', '/access/api/instance', { key })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  it('refuses a key the moment its own expiry has come', async () => {
    const soon = new Date(world.clock.now().getTime() + DAY_MS).toISOString()
    const own = await world.createInstance()
    const made = await own.call('POST', '/access/api/keys', {
      body: { name: 'short', scopes: ['access:read'], expiresAt: soon },
    })
    expect(made.body.data.expiresAt).toBe(soon)
    const key = made.body.data.apiKey as string
    expect((await world.call('GET', '/access/api/keys', { key })).status).toBe(200)
    await superuser`update api_keys set expires_at = now() - interval '1 millisecond' where ref = ${refOf(key)}`
    const late = await world.call('GET', '/access/api/keys', { key })
    expect([late.status, late.body.error.code]).toEqual([401, 'AUTH_FAILED'])
  })
})
