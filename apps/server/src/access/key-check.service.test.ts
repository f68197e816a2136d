import { type Scope, services } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Replica, startReplica } from '../../test/replica.ts'
import { createWorld, type World } from '../../test/world.ts'

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
