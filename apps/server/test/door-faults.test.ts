import { setTimeout as sleep } from 'node:timers/promises'
import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { deploy, type TcpProxy, tcpProxy } from '@tallystick/testkit'
import { scopes } from '@tallystick/wire'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyLeg, everyOperation, everyWrite, plausibleRequest } from './door-requests.ts'
import { withOwnAccount } from './own-account.ts'
import { connectSuperuser } from './superuser.ts'
import { createWorld, type TestInstance, type World } from './world.ts'

/** A contract that detection understands, so that a request gets as far as the database. */
async function deployToken(world: World): Promise<string> {
  const chain = await withOwnAccount(world.chain)
  const args = ['Token', 'TKN', 6, chain.walletClient.account.address]
  return deploy(chain, { abi: demoCashAbi, bytecode: demoCashBytecode, args })
}

describe('a database that cannot be reached', () => {
  let proxy: TcpProxy
  let world: World
  let instance: TestInstance
  let freshKeys: string[]
  let tokenAddress: string

  beforeAll(async () => {
    world = await createWorld({
      databaseUrl: async (url) => {
        proxy = await tcpProxy(url)
        return proxy.url
      },
    })
    instance = await world.createInstance()
    tokenAddress = await deployToken(world)
    freshKeys = [await world.createKey(instance, [...scopes]), await world.createKey(instance, [...scopes], 1_000)]
    expect((await instance.call('GET', '/access/api/instance')).status).toBe(200)
    await proxy.cut()
  })
  afterAll(async () => {
    await proxy.stop()
    await world.close()
  })

  it.each(everyOperation)(
    '%s says so, whether or not the key was seen before, and when to try again',
    async (_id, operation) => {
      const { method, path, body, headers } = plausibleRequest(operation, { tokenAddress })
      const own = operation.fault === 'INTERNAL_ERROR' ? 'SERVICE_UNAVAILABLE' : operation.fault
      for (const key of [instance.apiKey, ...freshKeys]) {
        const answer = await world.call(method, path, { body, headers, key })
        expect([answer.status >= 500, answer.body.error.code]).toEqual([true, own])
        expect(answer.headers['retry-after']).toBe('1')
        expect(answer.body.error.message).not.toMatch(/ECONN|CONNECTION|127\.0\.0\.1/)
      }
    },
  )

  it.each(everyWrite)('%s says so with an Idempotency-Key too', async (id, operation) => {
    const { method, path, body } = plausibleRequest(operation, { tokenAddress })
    const answer = await instance.call(method, path, { body, headers: { 'idempotency-key': `outage-${id}` } })
    expect(answer.body.error.code).toBe(operation.fault === 'INTERNAL_ERROR' ? 'SERVICE_UNAVAILABLE' : operation.fault)
  })
})

describe('a house that is full', () => {
  let world: World
  let instance: TestInstance

  beforeAll(async () => {
    world = await createWorld({ admission: { inAll: 0, perInstance: 0 } })
    instance = await world.createInstance()
  })
  afterAll(() => world.close())

  it.each(everyOperation)('%s says so, and when to try again', async (_id, operation) => {
    const { method, path, body, headers } = plausibleRequest(operation, { tokenAddress: `0x${'7'.repeat(40)}` })
    const answer = await instance.call(method, path, { body, headers })
    expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([503, 'OVERLOADED', '1'])
  })
})

describe('a database that comes back', () => {
  it('is used again, and what failed meanwhile left nothing behind', async () => {
    let proxy: TcpProxy | undefined
    const world = await createWorld({
      databaseUrl: async (url) => {
        proxy = await tcpProxy(url)
        return proxy.url
      },
    })
    const instance = await world.createInstance()
    const create = () =>
      instance.call('POST', '/access/api/keys', {
        body: { name: 'n', scopes: ['access:read'] },
        headers: { 'idempotency-key': 'come-back' },
      })
    await instance.call('GET', '/access/api/instance')
    await proxy?.cut()
    for (let turn = 0; turn < 12; turn++) expect((await create()).status).toBe(503)
    await proxy?.restore()
    let answer = await create()
    for (let turn = 0; answer.status === 503 && turn < 20; turn++) {
      // A tenth of what the answer asks for.
      await sleep(100)
      answer = await create()
    }
    expect(answer.status).toBe(200)
    expect(answer.headers).not.toHaveProperty('idempotent-replay')
    expect((await instance.call('GET', '/access/api/keys')).body.data).toHaveLength(2)
    await proxy?.stop()
    await world.close()
  })

  it('survives the end of every connection between two requests', async () => {
    const world = await createWorld()
    const instance = await world.createInstance()
    const superuser = connectSuperuser(world.databaseUrl)
    expect((await instance.call('GET', '/access/api/keys')).status).toBe(200)
    await superuser`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    let answer = await instance.call('GET', '/access/api/keys')
    for (let turn = 0; answer.status === 503 && turn < 20; turn++)
      answer = await instance.call('GET', '/access/api/keys')
    expect(answer.status).toBe(200)
    expect(answer.body.data).toHaveLength(1)
    await superuser.end()
    await world.close()
  })
})

describe('a database that refuses', () => {
  let world: World
  let instance: TestInstance
  let superuser: Sql
  let tokenAddress: string

  beforeAll(async () => {
    world = await createWorld()
    superuser = connectSuperuser(world.databaseUrl)
    instance = await world.createInstance()
    tokenAddress = await deployToken(world)
    await superuser`revoke all on all tables in schema public from tally_api`
  })
  afterAll(async () => {
    await superuser.end()
    await world.close()
  })

  it.each(everyOperation)(
    '%s answers its fault code and nothing of the cause, on every leg',
    async (_id, operation) => {
      for (const [leg, request] of everyLeg(operation, { tokenAddress })) {
        const { method, path, body, headers } = request
        const answer = await instance.call(method, path, { body, headers })
        expect([leg, answer.body.error.code]).toEqual([leg, operation.fault])
        expect(answer.status).toBe(operation.legs[leg]?.errors[operation.fault]?.status)
        expect(answer.status).toBeGreaterThanOrEqual(500)
        expect(answer.body.data).toBeNull()
        expect(answer.text).not.toMatch(/permission denied|api_keys|token_imports|wallets|instances|market_records/)
      }
    },
  )
})
