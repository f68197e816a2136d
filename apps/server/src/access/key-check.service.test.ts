import { type Scope, services } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Replica, startReplica } from '../../test/replica.ts'
import { createWorld, type World } from '../../test/world.ts'
import { createKeyCheck } from './key-check.service.ts'

const INSTANCE = '/access/api/instance'
const IMPORTS = '/external-tokens/api/list'

describe('a key that several servers remember', () => {
  let world: World
  let replicas: Replica[]

  beforeAll(async () => {
    world = await createWorld()
    replicas = [await startReplica(world), await startReplica(world)]
  })
  afterAll(async () => {
    for (const replica of replicas) await replica.close()
    await world.close()
  })

  const everywhere = async (path: string, key: string) =>
    Promise.all(replicas.map(async (replica) => (await replica.get(path, key)).code ?? 'open'))

  it('is refused on all of them the moment it is revoked', async () => {
    const instance = await world.createInstance()
    const made = await instance.call('POST', '/access/api/keys', { body: { name: 'n', scopes: ['access:read'] } })
    const { keyId, apiKey } = made.body.data
    expect(await everywhere(INSTANCE, apiKey)).toEqual(['open', 'open'])
    expect((await instance.call('DELETE', `/access/api/keys/${keyId}`)).status).toBe(200)
    expect(await everywhere(INSTANCE, apiKey)).toEqual(['AUTH_FAILED', 'AUTH_FAILED'])
    expect(await everywhere(INSTANCE, instance.apiKey)).toEqual(['open', 'open'])
  })

  it('is refused on all of them the moment its instance is archived', async () => {
    const instance = await world.createInstance()
    expect(await everywhere(INSTANCE, instance.apiKey)).toEqual(['open', 'open'])
    await world.operator.archiveInstance(instance.instanceId)
    expect(await everywhere(INSTANCE, instance.apiKey)).toEqual(['AUTH_FAILED', 'AUTH_FAILED'])
  })

  it('finds a service closed the moment it is switched off, and open the moment it is switched on', async () => {
    const instance = await world.createInstance()
    expect(await everywhere(IMPORTS, instance.apiKey)).toEqual(['open', 'open'])
    await world.operator.setServices(instance.instanceId, [])
    expect(await everywhere(IMPORTS, instance.apiKey)).toEqual(['SERVICE_NOT_ENABLED', 'SERVICE_NOT_ENABLED'])
    await world.operator.setServices(instance.instanceId, [...services])
    expect(await everywhere(IMPORTS, instance.apiKey)).toEqual(['open', 'open'])
  })

  it('goes on working on all of them after it was rotated', async () => {
    const instance = await world.createInstance()
    const { keyId } = (await instance.call('GET', INSTANCE)).body.data.key
    expect(await everywhere(INSTANCE, instance.apiKey)).toEqual(['open', 'open'])
    const rotated = await instance.call('POST', `/access/api/keys/${keyId}/rotate`)
    expect(await everywhere(INSTANCE, instance.apiKey)).toEqual(['open', 'open'])
    expect(await everywhere(INSTANCE, rotated.body.data.apiKey)).toEqual(['open', 'open'])
  })

  it('that lacks a scope is still told so when it was revoked: refused, but as a wrong key', async () => {
    const instance = await world.createInstance()
    const scopes: Scope[] = ['access:read']
    const key = await world.createKey(instance, scopes)
    expect(await everywhere(IMPORTS, key)).toEqual(['SCOPE_MISSING', 'SCOPE_MISSING'])
    const [made] = await world.operator.listKeys(instance.instanceId)
    await world.operator.revokeKey(instance.instanceId, made?.keyId ?? '')
    expect(await everywhere(IMPORTS, key)).toEqual(['AUTH_FAILED', 'AUTH_FAILED'])
  })

  it('is not opened by a right ref with a wrong secret, even while the right one is remembered', async () => {
    const instance = await world.createInstance()
    expect(await everywhere(INSTANCE, instance.apiKey)).toEqual(['open', 'open'])
    const wrong = instance.apiKey.slice(0, -1) + (instance.apiKey.endsWith('0') ? '1' : '0')
    expect(await everywhere(INSTANCE, wrong)).toEqual(['AUTH_FAILED', 'AUTH_FAILED'])
    expect(await everywhere(INSTANCE, instance.apiKey)).toEqual(['open', 'open'])
  })
})

describe('a key that a connection has shown before', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  it('is known there until it is forgotten, and no other text is', async () => {
    const keys = createKeyCheck(world.database, world.clock)
    const [{ apiKey, instanceId }, other] = [await world.createInstance(), await world.createInstance()]
    const connection = {}
    const show = (text: string) => ({ as: 'key', text, connection }) as const
    const known = await keys.identify(show(apiKey))
    expect(known).toMatchObject({ instance: { instanceId } })
    expect(await keys.identify(show(apiKey))).toBe(known)
    expect(keys.isKnown(show(apiKey))).toBe(true)

    const wrong = apiKey.slice(0, -1) + (apiKey.endsWith('0') ? '1' : '0')
    expect(keys.isKnown(show(wrong))).toBe(false)
    await expect(keys.identify(show(wrong))).rejects.toMatchObject({ code: 'AUTH_FAILED' })
    expect(await keys.identify(show(other.apiKey))).toMatchObject({ instance: { instanceId: other.instanceId } })

    expect(await keys.identify(show(apiKey))).toBe(known)
    keys.forget(show(apiKey))
    expect(keys.isKnown(show(apiKey))).toBe(false)
    await world.operator.archiveInstance(instanceId)
    await expect(keys.identify(show(apiKey))).rejects.toMatchObject({ code: 'AUTH_FAILED' })
  })
})
