import { scopes } from '@tallystick/wire'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyWrite, plausibleRequest } from './door-requests.ts'
import { connectSuperuser } from './superuser.ts'
import { createWorld, type TestInstance, type World } from './world.ts'

const HOUR_MS = 60 * 60 * 1000
const wish = { name: 'once', scopes: ['access:read'] }

describe('an Idempotency-Key', () => {
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

  const create = (instance: TestInstance, key: string, body: object = wish) =>
    instance.call('POST', '/access/api/keys', { body, headers: { 'idempotency-key': key } })
  const countKeys = async (instance: TestInstance) => (await world.operator.listKeys(instance.instanceId)).length

  it.each(everyWrite)('makes a repeat of %s answer the same bytes, and says that it is one', async (_id, operation) => {
    const instance = await world.createInstance()
    const { method, path, body } = plausibleRequest(operation)
    const ask = () => instance.call(method, path, { body, headers: { 'idempotency-key': 'the-same-1' } })
    const [first, second] = [await ask(), await ask()]
    expect(first.headers).not.toHaveProperty('idempotent-replay')
    expect(second.headers['idempotent-replay']).toBe('true')
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    // The header tells this request from the one whose answer is repeated.
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  })

  it.each(everyWrite)('may not be used for another request to %s', async (_id, operation) => {
    const instance = await world.createInstance()
    const { method, path, body } = plausibleRequest(operation)
    const headers = { 'idempotency-key': 'mismatch-1' }
    await instance.call(method, path, { body, headers })
    const elsewhere = path.replace(/5/g, '6').replace(/00000000[ab]/, '00000000c')
    const other = body
      ? await instance.call(method, path, { body: { ...body, other: 1 }, headers })
      : await instance.call(method, elsewhere === path ? `${path}?other=1` : elsewhere, { headers })
    expect([other.status, other.body.error.code]).toEqual([409, 'IDEMPOTENCY_MISMATCH'])
  })

  it.each(everyWrite)('that is at work already makes %s answer so', async (id, operation) => {
    const instance = await world.createInstance()
    const { method, path, body } = plausibleRequest(operation)
    const ask = () => instance.call(method, path, { body, headers: { 'idempotency-key': 'in-flight' } })
    await superuser`
      insert into idempotency_claims values (${instance.instanceId}, ${id}, 'in-flight', 'another process', ${world.clock.now()}::timestamptz + interval '20 s')`
    const during = await ask()
    expect([during.status, during.body.error.code]).toEqual([409, 'IDEMPOTENCY_IN_FLIGHT'])
    expect(during.headers['retry-after']).toBe('1')
    // Its owner died: nobody renews the claim, and nobody stored an answer.
    await superuser`
      update idempotency_claims set claimed_until = ${world.clock.now()}::timestamptz - interval '1 s' where instance_id = ${instance.instanceId}`
    const after = await ask()
    expect(after.headers).not.toHaveProperty('idempotent-replay')
    expect(after.body.error?.code).not.toBe('IDEMPOTENCY_IN_FLIGHT')
  })

  it('lets a write happen once, however often it is sent at the same time', async () => {
    const instance = await world.createInstance()
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(instance, 'twenty-at-once')))
    const done = answers.filter(({ status }) => status === 200)
    const running = answers.filter(({ body }) => body.error?.code === 'IDEMPOTENCY_IN_FLIGHT')
    expect(done.length).toBeGreaterThan(0)
    expect(done.length + running.length).toBe(20)
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    expect(done.filter(({ headers }) => headers['idempotent-replay'] === undefined)).toHaveLength(1)
    expect(await countKeys(instance)).toBe(2)
  })

  it('does not care about the order of fields', async () => {
    const instance = await world.createInstance()
    const first = await create(instance, 'any-order', { name: 'a', scopes: ['access:read'] })
    const second = await create(instance, 'any-order', { scopes: ['access:read'], name: 'a' })
    expect([second.status, second.text]).toEqual([200, first.text])
  })

  it('takes none and an empty body for the same request where no body is taken', async () => {
    const instance = await world.createInstance()
    const { keyId } = (await create(instance, 'to-be-rotated')).body.data
    const rotate = (given: object) =>
      instance.call('POST', `/access/api/keys/${keyId}/rotate`, {
        ...given,
        headers: { 'idempotency-key': 'rotate-1' },
      })
    const [first, second] = [await rotate({}), await rotate({ body: {} })]
    expect(first.status).toBe(200)
    expect(second.text).toBe(first.text)
  })

  it('belongs to one operation and one instance', async () => {
    const [instance, other] = [await world.createInstance(), await world.createInstance()]
    const first = await create(instance, 'same-words')
    expect((await create(other, 'same-words')).text).not.toBe(first.text)
    const rotated = await instance.call('POST', `/access/api/keys/${first.body.data.keyId}/rotate`, {
      headers: { 'idempotency-key': 'same-words' },
    })
    expect(rotated.status).toBe(200)
    expect(rotated.headers).not.toHaveProperty('idempotent-replay')
  })

  it('opens a stored secret to nobody but the key that received it', async () => {
    const instance = await world.createInstance()
    const colleague = await world.createKey(instance, [...scopes])
    const first = await create(instance, 'sealed-once')
    const asked = await world.call('POST', '/access/api/keys', {
      key: colleague,
      body: wish,
      headers: { 'idempotency-key': 'sealed-once' },
    })
    expect([asked.status, asked.body.error.code]).toEqual([409, 'IDEMPOTENCY_MISMATCH'])
    expect((await create(instance, 'sealed-once')).text).toBe(first.text)
  })

  it('is shared by the keys of an instance where the answer holds no secret', async () => {
    const instance = await world.createInstance()
    const colleague = await world.createKey(instance, [...scopes])
    const ask = (key: string) =>
      world.call('POST', '/access/api/wallets/challenge', {
        key,
        body: { address: `0x${'1'.repeat(40)}` },
        headers: { 'idempotency-key': 'not-sealed' },
      })
    const first = await ask(instance.apiKey)
    const second = await ask(colleague)
    expect([second.status, second.text]).toEqual([200, first.text])
    expect(second.headers['idempotent-replay']).toBe('true')
  })

  it('keeps a refusal, so that the same request is not judged twice', async () => {
    const instance = await world.createInstance()
    const refused = await create(instance, 'refused-1', { ...wish, expiresAt: '2001-01-01T00:00:00Z' })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const again = await create(instance, 'refused-1', { ...wish, expiresAt: '2001-01-01T00:00:00Z' })
    expect([again.status, again.text, again.headers['idempotent-replay']]).toEqual([400, refused.text, 'true'])
    expect(await countKeys(instance)).toBe(1)
  })

  it('keeps nothing of a failure on our side', async () => {
    const instance = await world.createInstance()
    await superuser`revoke insert on api_keys from tally_api`
    const failed = await create(instance, 'failed-once')
    expect([failed.status, failed.body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
    await superuser`grant insert on api_keys to tally_api`
    const repaired = await create(instance, 'failed-once')
    expect(repaired.status).toBe(200)
    expect(repaired.headers).not.toHaveProperty('idempotent-replay')
  })

  it('takes the effect back when its answer cannot be stored', async () => {
    const instance = await world.createInstance()
    await superuser`revoke insert on idempotency_keys from tally_api`
    const failed = await create(instance, 'not-storable')
    await superuser`grant insert on idempotency_keys to tally_api`
    expect([failed.status, failed.body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(await countKeys(instance)).toBe(1)
  })

  it('takes the effect back when its claim went to somebody else meanwhile', async () => {
    const instance = await world.createInstance()
    await superuser.unsafe(`
      create function steal() returns trigger language plpgsql security definer as $$
      begin update idempotency_claims set owner = 'another process' where idempotency_key = 'taken-over'; return new; end $$;
      create trigger steal before insert on api_keys for each row when (new.name = 'stolen') execute function steal()`)
    const late = await create(instance, 'taken-over', { ...wish, name: 'stolen' })
    expect([late.status, late.body.error.code]).toEqual([409, 'IDEMPOTENCY_IN_FLIGHT'])
    expect(await countKeys(instance)).toBe(1)
    await superuser`drop function steal cascade`
    expect((await create(instance, 'taken-over', { ...wish, name: 'stolen' })).status).toBe(200)
    expect(await countKeys(instance)).toBe(2)
  })

  it('is remembered for 24 hours and can be used afresh afterwards', async () => {
    const instance = await world.createInstance()
    const first = await create(instance, 'a-day-long')
    world.clock.advance(24 * HOUR_MS - 60_000)
    expect((await create(instance, 'a-day-long')).text).toBe(first.text)
    world.clock.advance(61_000)
    const later = await create(instance, 'a-day-long', { ...wish, name: 'another' })
    expect(later.status).toBe(200)
    expect(later.headers).not.toHaveProperty('idempotent-replay')
    expect((await create(instance, 'a-day-long', { ...wish, name: 'another' })).text).toBe(later.text)
    expect(await countKeys(instance)).toBe(3)
  })

  it('is not looked at on a read', async () => {
    const instance = await world.createInstance()
    const answer = await instance.call('GET', '/access/api/keys', { headers: { 'idempotency-key': '!' } })
    expect(answer.status).toBe(200)
  })
})
