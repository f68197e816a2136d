import { describe, expect, it, onTestFinished } from 'vitest'
import { createSharedLimits } from '../src/platform/http/limit-store.ts'
import { createLog } from '../src/platform/log.ts'
import { connectSuperuser } from './superuser.ts'
import { createWorld, type World, type WorldOptions } from './world.ts'

async function worldWith(options: WorldOptions): Promise<World> {
  const world = await createWorld(options)
  onTestFinished(() => world.close())
  // So that no minute begins in the middle.
  world.clock.advance(60_000 - (world.clock.now().getTime() % 60_000))
  return world
}

describe('keys that are not valid', () => {
  const askFrom = async (world: World, remoteAddress: string, key?: string, forwarded?: string) => {
    const headers = { ...(key ? { 'x-api-key': key } : {}), ...(forwarded ? { 'x-forwarded-for': forwarded } : {}) }
    const response = await world.app.inject({ method: 'GET', url: '/access/api/instance', remoteAddress, headers })
    return { status: response.statusCode, headers: response.headers, error: response.json().error }
  }
  const wrong = `tally_00000000_${'0'.repeat(64)}`

  it('are looked at a few times a minute from one address, and then not at all', async () => {
    const world = await worldWith({ authFailuresPerMinute: 3 })
    for (const key of [wrong, undefined, 'not-a-key']) expect((await askFrom(world, '192.0.2.1', key)).status).toBe(401)
    const { status, headers, error } = await askFrom(world, '192.0.2.1', wrong)
    expect([status, error.code, headers.connection]).toEqual([429, 'RATE_LIMIT_EXCEEDED', 'close'])
    expect(headers['ratelimit-policy']).toBe('"address";q=3;w=60')
    expect(headers.ratelimit).toBe(`"address";r=0;t=${error.retryAfterSeconds}`)
    expect(headers['retry-after']).toBe(String(error.retryAfterSeconds))
    expect((await askFrom(world, '192.0.2.2', wrong)).status).toBe(401)
    world.clock.advance(60_000)
    expect((await askFrom(world, '192.0.2.1', wrong)).status).toBe(401)
  })

  it('shut out nobody behind the same address whose key has opened the door before', async () => {
    const world = await worldWith({ authFailuresPerMinute: 3 })
    const [known, fresh] = [await world.createInstance(), await world.createInstance()]
    // A good key is no failure, however often it comes.
    for (let turn = 0; turn < 9; turn += 1) expect((await askFrom(world, '192.0.2.1', known.apiKey)).status).toBe(200)
    for (let turn = 0; turn < 3; turn += 1) await askFrom(world, '192.0.2.1', wrong)
    expect((await askFrom(world, '192.0.2.1', known.apiKey)).status).toBe(200)
    expect((await askFrom(world, '192.0.2.1', fresh.apiKey)).status).toBe(429)
  })

  it('are no more looked at once a crowd of them has come, and no crowd with a good key is taken for one', async () => {
    const world = await worldWith({ authFailuresPerMinute: 3 })
    const { apiKey } = await world.createInstance()
    const crowd = (key: string) => Promise.all(Array.from({ length: 20 }, () => askFrom(world, '192.0.2.1', key)))
    expect((await crowd(apiKey)).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    await crowd(wrong)
    expect((await crowd(wrong)).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 429))
  })

  it('count for the network of an IPv6 address, and for a proxy unless its word is believed', async () => {
    const world = await worldWith({ authFailuresPerMinute: 1 })
    const statuses = async (asked: readonly [string, string?][]) => {
      const answers = []
      for (const [address, forwarded] of asked) answers.push((await askFrom(world, address, wrong, forwarded)).status)
      return answers
    }
    const seen = [['2001:db8:1:2::1'], ['2001:db8:1:2:ffff::9'], ['2001:db8:1:3::1']] as const
    expect(await statuses(seen as never)).toEqual([401, 429, 401])
    expect(
      await statuses([
        ['192.0.2.9', '198.51.100.1'],
        ['192.0.2.9', '198.51.100.2'],
      ]),
    ).toEqual([401, 429])
    const proxied = await worldWith({ authFailuresPerMinute: 1, clients: { trustedProxies: '192.0.2.9' } })
    const through = async (client: string) => (await askFrom(proxied, '192.0.2.9', wrong, client)).status
    expect([await through('198.51.100.1'), await through('198.51.100.2'), await through('198.51.100.1')]).toEqual([
      401, 401, 429,
    ])
  })
})

describe('a store of limits that is not there', () => {
  it('leaves each process to count for itself, and nobody waits for it', async () => {
    const limits = createSharedLimits({ url: 'redis://127.0.0.1:1', log: createLog({ level: 'silent' }) })
    onTestFinished(() => limits.close())
    const world = await worldWith({ limits, authFailuresPerMinute: 2 })
    const key = await world.createKey(await world.createInstance(), ['access:read'], 3)
    const started = performance.now()
    const statuses = []
    for (let turn = 0; turn < 5; turn += 1)
      statuses.push((await world.call('GET', '/access/api/instance', { key })).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect(performance.now() - started).toBeLessThan(30_000)
    expect((await world.call('GET', '/access/api/instance', { key: 'wrong' })).status).toBe(401)
  })
})

describe('a limited key', () => {
  it('costs the database no write', async () => {
    const world = await worldWith({})
    const superuser = connectSuperuser(world.databaseUrl)
    onTestFinished(() => superuser.end())
    const key = await world.createKey(await world.createInstance(), ['access:read'], 1_000)
    for (let turn = 0; turn < 3; turn += 1)
      expect((await world.call('GET', '/access/api/instance', { key })).headers.ratelimit).toMatch(/^"key";r=99\d;/)
    expect(await superuser`select * from rate_counters`).toHaveLength(0)
  })
})
