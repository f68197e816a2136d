import { connectChain, connectTestCluster } from '@tallystick/testkit'
import { rfqOperations } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { TEMPLATE } from '../global-setup.ts'
import { listenEvents } from '../streams/listener.ts'
import { callHttp } from './http-client.ts'
import { type Program, run } from './program.ts'
import { type RedisServer, startRedis } from './redis.ts'

interface Api extends Program {
  readonly url: string
  readonly opsUrl: string
}

describe('two replicas with a store of limits', () => {
  const chain = connectChain(inject('rpcUrl'))
  let store: RedisServer
  let databaseUrl = ''
  let drop: () => Promise<void>
  let apis: [Api, Api]
  const settings = () => ({ DATABASE_URL: databaseUrl, RPC_URL: chain.url, PORT: '0', OPS_PORT: '0' })

  async function startApi(): Promise<Api> {
    const limits = {
      LIMIT_STORE_URL: store.url,
      STREAMS_PER_KEY: '2',
      AUTH_FAILURES_PER_MINUTE: '4',
      TRUSTED_PROXIES: '127.0.0.1',
    }
    const program = await run('api', { env: { ...settings(), ...limits } })
    const [, opsUrl = ''] = await program.prints(/"url":"(http[^"]+)","msg":"serving health and metrics"/)
    const [, url = ''] = await program.prints(/"url":"(http[^"]+)","msg":"serving HTTP"/)
    return { ...program, url, opsUrl }
  }
  beforeAll(async () => {
    store = await startRedis()
    const cluster = await connectTestCluster(inject('clusterUrl'))
    ;({ url: databaseUrl, drop } = await cluster.cloneDatabase(TEMPLATE))
    apis = [await startApi(), await startApi()]
    await everyoneSees(1)
  }, 120_000)
  afterAll(async () => {
    for (const api of apis ?? []) await api.kill9()
    await store?.kill()
    await drop?.()
  })

  async function tally(...args: string[]) {
    const cli = await run('cli', { env: settings(), args })
    expect(await cli.ended, cli.stderr()).toBe(0)
    return JSON.parse(cli.stdout())
  }
  async function createKey(limit: number): Promise<string> {
    const { instanceId } = await tally('instances', 'create', 'Limited', '--chain', '31337', '--services', 'trading')
    const request = ['--name', 'n', '--scopes', 'access:read,trading:read', '--rate-limit', String(limit)]
    return (await tally('keys', 'create', instanceId, ...request)).apiKey
  }
  const ask = async (api: Api, key: string, client = '192.0.2.1') => {
    const headers = { 'x-forwarded-for': client }
    return (await callHttp(api.url, key, 'GET', '/access/api/instance', { headers })).status
  }
  /** As many requests as there are turns, by turns, within one minute. */
  async function inTurns(key: string, turns: number, client?: string): Promise<number[]> {
    const left = 60_000 - (Date.now() % 60_000)
    if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left + 50))
    const statuses = []
    for (let turn = 0; turn < turns; turn += 1) statuses.push(await ask(apis[turn % 2] ?? apis[0], key, client))
    return statuses
  }
  /** Whether the replicas say that the store answers. */
  async function everyoneSees(state: 0 | 1): Promise<void> {
    const isSeen = async ({ opsUrl }: Api) =>
      (await (await fetch(`${opsUrl}/metrics`)).text()).includes(`\ntally_limit_store_up ${state}\n`)
    for (const api of apis) await vi.waitUntil(() => isSeen(api), { timeout: 20_000 })
  }

  it('count the requests of a key together', async () => {
    expect(await inTurns(await createKey(4), 6)).toEqual([200, 200, 200, 200, 429, 429])
  })

  it('count together also when requests come at once', async () => {
    const key = await createKey(20)
    await inTurns(key, 0)
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, turn) => ask(apis[turn % 2] ?? apis[0], key)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
  })

  it('count keys that are not valid together', async () => {
    expect(await inTurns('not-a-key', 6, '192.0.2.77')).toEqual([401, 401, 401, 401, 429, 429])
  })

  it('count the streams of a key together, and forget those of a replica that died', async () => {
    const key = await createKey(1_000)
    const operation = rfqOperations.streamRfqs
    const { path } = operation
    const listen = (api: Api) => listenEvents(`${api.url}${path}`, { key, operation })
    const dying = await startApi()
    await listen(dying)
    const second = await listen(apis[1])
    const refused = await fetch(`${apis[0].url}${path}`, { headers: { 'x-api-key': key, accept: 'text/event-stream' } })
    const { error } = (await refused.json()) as { error: { code: string } }
    expect([refused.status, error.code]).toEqual([429, 'STREAM_LIMIT_REACHED'])
    second.close()
    const isRoom = async () => {
      const headers = { 'x-api-key': key, accept: 'text/event-stream' }
      const asked = new AbortController()
      const { status } = await fetch(`${apis[1].url}${path}`, { headers, signal: asked.signal })
      asked.abort()
      return status
    }
    await expect.poll(isRoom, { timeout: 10_000 }).toBe(200)
    const third = await listen(apis[0])
    expect(await isRoom()).toBe(429)
    await dying.kill9()
    await expect.poll(isRoom, { timeout: 45_000, interval: 500 }).toBe(200)
    third.close()
  })

  it('do not wait for a store that hangs', async () => {
    const key = await createKey(1_000)
    expect(await ask(apis[0], key)).toBe(200)
    store.hang()
    const started = performance.now()
    for (let turn = 0; turn < 50; turn += 1) expect(await ask(apis[0], key)).toBe(200)
    // One of them found out, within a quarter of a second.
    expect(performance.now() - started).toBeLessThan(5_000)
    store.wakeUp()
    await everyoneSees(1)
  })

  // Last: what a test starts ends with it.
  it('each count for themselves while the store is away, and together again when it is back', async () => {
    await store.kill()
    await everyoneSees(0)
    // Twice the limit in all: every replica lets the whole of it in.
    expect(await inTurns(await createKey(2), 6)).toEqual([200, 200, 200, 200, 429, 429])
    await store.start()
    await everyoneSees(1)
    expect(await inTurns(await createKey(2), 4)).toEqual([200, 200, 429, 429])
  })
})
