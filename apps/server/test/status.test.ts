import { createHash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { tcpProxy } from '@tallystick/testkit'
import { operations } from '@tallystick/wire'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createApp, VERSION } from '../src/app.ts'
import { currentVersion, migrate } from '../src/platform/db/migrate.ts'
import { openApiDocument } from '../src/platform/http/openapi/document.ts'
import { readinessLook } from '../src/platform/http/readiness.ts'
import { createLog } from '../src/platform/log.ts'
import { systemRandom } from '../src/platform/random.ts'
import { createWorld, type World } from './world.ts'

let built: ReturnType<typeof openApiDocument> | undefined
/** Takes a second to make. */
const document = () => {
  built ??= openApiDocument(VERSION)
  return built
}

const partsOf = ({ chain }: World) => [
  { part: 'database', ready: true, reason: null },
  { part: `chain ${chain.chainId}`, ready: true, reason: null },
]

describe('the pages of the service about itself', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())
  const get = (url: string) => world.app.inject({ method: 'GET', url })
  const operator = (url: string) => world.ops.inject({ method: 'GET', url })

  it('say that it lives and that it is ready, and no more', async () => {
    const [health, ready, metrics] = [await get('/healthz'), await get('/readyz'), await get('/metrics')]
    expect([health.statusCode, health.json()]).toEqual([200, { status: 'ok' }])
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }])
    expect([metrics.statusCode, metrics.json().error.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  })

  it('tell the operator, on a port of its own, the version and every part', async () => {
    const [health, ready] = [await operator('/healthz'), await operator('/readyz')]
    expect([health.statusCode, health.json()]).toEqual([200, { status: 'ok', version: VERSION }])
    expect(ready.statusCode).toBe(200)
    expect(ready.json()).toEqual({ status: 'ready', parts: partsOf(world) })
  })

  it('look once for all who ask within half a second', async () => {
    let looks = 0
    const check = async () => {
      looks += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
      return undefined
    }
    const look = readinessLook([{ part: 'counted', check }])
    await Promise.all(Array.from({ length: 50 }, look))
    await look()
    expect(looks).toBe(1)
    await expect
      .poll(async () => {
        await look()
        return looks
      })
      .toBe(2)
  })

  it('tell a key that may read access the same, and how far the worker has come', async () => {
    const instance = await world.createInstance()
    await world.database.as('tally_chain', async (sql) => {
      await sql`insert into chain_cursors (chain_id, genesis_hash, block_number, block_hash, moved_at)
        values (31337, '0x1', 77, '0x2', '2026-01-02T03:04:05Z')`
    })
    const answer = await instance.call('GET', '/access/api/health')
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      status: 'ready',
      version: VERSION,
      parts: partsOf(world),
      chains: [{ chainId: 31_337, followedTo: '77', movedAt: '2026-01-02T03:04:05.000Z' }],
    })
    const weak = await world.createKey(instance, ['tokens:read'])
    expect((await world.call('GET', '/access/api/health', { key: weak })).body.error.code).toBe('SCOPE_MISSING')
  })

  it('let a page of the documentation show its own style and nothing else, and nothing be taken for a page', async () => {
    const { headers, payload } = await get('/docs/security')
    const policy = String(headers['content-security-policy'])
    const style = /<style>([\s\S]*?)<\/style>/.exec(payload)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", `style-src 'sha256-${hash}'`, "frame-ancestors 'none'"]),
    )
    expect(policy).not.toContain('unsafe')
    for (const url of ['/docs', '/openapi.json', '/healthz', '/access/api/instance', '/no/such/route'])
      expect([url, (await get(url)).headers['x-content-type-options']]).toEqual([url, 'nosniff'])
  })

  it('show pictures of the documentation, and no other file of its folder', async () => {
    const { headers, rawPayload } = await get('/docs/pictures/trade.webp')
    expect(headers['content-type']).toBe('image/webp')
    expect(rawPayload.subarray(8, 12).toString()).toBe('WEBP')
    for (const url of ['/docs/pictures/shown.json', '/docs/pictures/..%2Findex.md'])
      expect([url, (await get(url)).statusCode]).toEqual([url, 404])
  })

  it('describe every operation to machines', async () => {
    const response = await get('/openapi.json')
    expect(response.headers['content-type']).toMatch(/^application\/json/)
    expect(response.json()).toEqual(JSON.parse(JSON.stringify(document())))
  })

  it('describe no path that does not answer', async () => {
    await world.app.ready()
    const { paths } = document()
    const missing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).filter((method) => {
        const url = path.replace(/\{(\w+)\}/g, ':$1')
        return !world.app.hasRoute({ method: method.toUpperCase() as 'GET', url })
      }),
    )
    expect(missing).toEqual([])
  })

  it('describe every operation to people, under /docs, where / leads', async () => {
    for (const feature of new Set(operations.map((operation) => operation.feature))) {
      const response = await get(`/docs/reference/${feature}`)
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
      for (const { id, path } of operations.filter((operation) => operation.feature === feature)) {
        expect(response.payload.includes(`<section id="${id}">`)).toBe(true)
        expect(response.payload.includes(`<code>${path}</code>`)).toBe(true)
      }
    }
    const root = await get('/')
    expect([root.statusCode, root.headers.location]).toEqual([302, '/docs'])
  })

  it.each([
    ['a path of no operation', 'GET', '/no/such/route?with=query'],
    ['a path with markup', 'GET', '/<script>'],
    ['a part of a path', 'GET', '/access/api'],
    ['a slash too many', 'GET', '/access/api/instance/'],
    ['another case', 'GET', '/ACCESS/API/INSTANCE'],
    ['an id that cannot be decoded', 'DELETE', '/access/api/keys/%zz'],
    ['half an escape', 'GET', '/external-tokens/api/%'],
    ['an id of 9000 characters', 'DELETE', `/access/api/keys/${'x'.repeat(9_000)}`],
    ['a path of 9000 characters', 'GET', `/${'x'.repeat(9_000)}`],
  ])('answer %s with ROUTE_NOT_FOUND', async (_what, method, url) => {
    const response = await world.app.inject({ method: method as 'GET', url })
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toMatch(/^application\/json/)
    expect(response.json()).toEqual({
      success: false,
      data: null,
      error: { code: 'ROUTE_NOT_FOUND', message: expect.stringContaining('/docs') },
      metadata: { requestId: response.headers['x-request-id'], timestamp: expect.any(String) },
    })
    expect(response.json().error.message.length).toBeLessThan(300)
  })

  it('count requests by route and failures by code', async () => {
    const read = async (line: string) => {
      const { payload } = await operator('/metrics')
      const found = payload.split('\n').find((one) => one.startsWith(`${line} `))
      return Number(found?.split(' ').at(-1) ?? 0)
    }
    const refused = 'tally_failures_total{operation="getInstance",leg="door",code="AUTH_REQUIRED"}'
    const served = 'tally_http_request_seconds_count{method="GET",route="/access/api/instance",status="200"}'
    const lost = 'tally_http_request_seconds_count{method="GET",route="unknown",status="404"}'
    const before = [await read(refused), await read(served), await read(lost)]
    const instance = await world.createInstance()
    await instance.call('GET', '/access/api/instance')
    await world.call('GET', '/access/api/instance')
    await world.call('GET', '/access/api/instance')
    await get(`/no/such/route/${Math.random()}`)
    expect([await read(refused), await read(served), await read(lost)]).toEqual([
      (before[0] ?? 0) + 2,
      (before[1] ?? 0) + 1,
      (before[2] ?? 0) + 1,
    ])
  })

  it('answer the question for an icon that every browser asks, with none', async () => {
    const { statusCode, payload } = await get('/favicon.ico')
    expect([statusCode, payload]).toEqual([204, ''])
  })

  it('show nothing of any tenant', async () => {
    const instance = await world.createInstance({ name: 'Hidden Treasure' })
    await instance.call('GET', '/access/api/keys')
    const open = ['/healthz', '/readyz', '/openapi.json', '/docs'].map(async (url) => [url, await get(url)] as const)
    const inner = ['/readyz', '/metrics'].map(async (url) => [url, await operator(url)] as const)
    for (const [url, { payload }] of await Promise.all([...open, ...inner])) {
      for (const text of ['Hidden Treasure', instance.instanceId, instance.apiKey.split('_')[1] ?? '-'])
        expect([url, payload.includes(text)]).toEqual([url, false])
    }
  })
})

describe('readiness', () => {
  it('names the part that is cut off, and recovers by itself', async () => {
    const rpc = await tcpProxy(inject('rpcUrl'))
    let database: Awaited<ReturnType<typeof tcpProxy>> | undefined
    const world = await createWorld({
      rpcUrls: [rpc.url],
      rpcTimeoutMs: 500,
      databaseUrl: async (url) => {
        database = await tcpProxy(url)
        return database.url
      },
    })
    const chain = `chain ${world.chain.chainId}`
    const state = async () => {
      const response = await world.ops.inject({ method: 'GET', url: '/readyz' })
      const open = await world.app.inject({ method: 'GET', url: '/readyz' })
      expect([open.statusCode, Object.keys(open.json())]).toEqual([response.statusCode, ['status']])
      const { parts } = response.json() as { parts: { part: string; ready: boolean; reason: string | null }[] }
      for (const part of parts) expect(part.ready).toBe(part.reason === null)
      return [response.statusCode, ...parts.filter(({ ready }) => !ready).map(({ part }) => part)]
    }
    const becomes = (wanted: unknown[]) => expect.poll(state).toEqual(wanted)
    await becomes([200])
    await rpc.cut()
    // The chain is away for every process alike: taking this one out of service would help nobody.
    await becomes([200, chain])
    // Each listener looks for itself, and what it saw is good for half a second.
    const shown = async () => (await world.app.inject({ method: 'GET', url: '/readyz' })).json()
    await expect.poll(shown).toEqual({ status: 'degraded' })
    await rpc.restore()
    await becomes([200])
    await database?.cut()
    await becomes([503, 'database'])
    for (let turn = 0; turn < 9; turn++) expect(await state()).toEqual([503, 'database'])
    await rpc.cut()
    await becomes([503, 'database', chain])
    expect((await world.app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200)
    await database?.restore()
    await rpc.restore()
    await becomes([200])
    await world.close()
    await database?.stop()
    await rpc.stop()
  })

  it('serves a newer schema that an older release can run on, and names the database otherwise', async () => {
    const world = await createWorld()
    const state = async () => {
      const response = await world.ops.inject({ method: 'GET', url: '/readyz' })
      return [response.statusCode, response.json().parts[0].reason]
    }
    const own = currentVersion()
    await world.database.owner`alter table instances add column of_the_next_release text`
    await world.database
      .owner`insert into schema_migrations (version, name, sha256, needs) values (9998, 'adds a column', '', ${own})`
    expect(await state()).toEqual([200, null])
    expect(await migrate(world.databaseUrl)).toBe(9998)
    const instance = await world.createInstance()
    expect((await instance.call('GET', '/access/api/instance')).status).toBe(200)
    await world.database
      .owner`insert into schema_migrations (version, name, sha256, needs) values (9999, 'drops a column', '', 9998)`
    await expect
      .poll(state)
      .toEqual([503, `at version 9999, which needs a release that knows 9998; this one knows ${own}`])
    await expect(migrate(world.databaseUrl)).rejects.toThrow('which this release cannot run on')
    await world.close()
  })

  it('names the database when its version is older than this release needs', async () => {
    const world = await createWorld()
    await world.database.owner`delete from schema_migrations where version = ${currentVersion()}`
    const response = await world.ops.inject({ method: 'GET', url: '/readyz' })
    expect(response.statusCode).toBe(503)
    expect(response.json().parts[0]).toEqual({
      part: 'database',
      ready: false,
      reason: expect.stringMatching(/^at version \d+, this release needs \d+$/),
    })
    await world.close()
  })
})

describe('the log', () => {
  it('tells every request and every refusal by code, and holds no key, no body and no signature', async () => {
    const world = await createWorld()
    const stream = new PassThrough()
    const log = createLog({ level: 'trace', destination: stream })
    const { clock, database, chains } = world
    const app = createApp({ log, clock, random: systemRandom, database, chains })
    const instance = await world.createInstance()
    const account = privateKeyToAccount(generatePrivateKey())
    const send = async (method: string, url: string, body: unknown, headers: Record<string, string> = {}) => {
      const payload = typeof body === 'string' ? body : JSON.stringify(body)
      const all = { 'x-api-key': instance.apiKey, 'content-type': 'application/json', ...headers }
      return app.inject({ method: method as 'POST', url, payload, headers: all })
    }
    const words = { name: 'very private name', mnemonic: 'abandon ability able', idempotency: 'idem-private-1' }
    const made = await send('POST', '/access/api/keys', { name: words.name, scopes: ['access:read'] })
    await send('POST', '/access/api/keys', { mnemonic: words.mnemonic })
    await send('POST', '/access/api/keys', `{"broken": "${words.name}"`)
    await send('POST', '/access/api/keys', { name: words.name, scopes: [words.name] })
    const asked = await send('POST', '/access/api/wallets/challenge', { address: account.address })
    const { nonce, message } = asked.json().data
    const signature = await account.signMessage({ message })
    const wallet = { address: account.address, nonce, signature, label: words.name }
    await send('POST', '/access/api/wallets', wallet, { 'idempotency-key': words.idempotency })
    const wrongKey = `tally_Wr0ngRef_${'c0ffee00'.repeat(8)}`
    await send('POST', '/access/api/wallets', wallet, { 'x-api-key': wrongKey })
    await database.owner`alter table wallet_challenges rename to moved_away`
    const failed = await send('POST', '/access/api/wallets', wallet)
    expect(failed.statusCode).toBe(500)
    await database.owner`alter table moved_away rename to wallet_challenges`
    await app.close()

    const text = String(stream.read())
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(8)
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'request', method: 'POST', route: '/access/api/keys', status: 200 }),
    )
    for (const code of ['KEY_MATERIAL_REJECTED', 'VALIDATION_ERROR', 'AUTH_FAILED', 'INTERNAL_ERROR'])
      expect(lines.some((line) => line.code === code && line.operation !== undefined)).toBe(true)
    // Whose request it was, by names that open nothing.
    const keys: { keyId: string }[] = (await instance.call('GET', '/access/api/keys')).body.data
    const own = keys.find(({ keyId }) => keyId !== made.json().data.keyId)
    const whose = { instanceId: instance.instanceId, keyId: own?.keyId }
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'request', route: '/access/api/keys', ...whose }))
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'request refused', code: 'VALIDATION_ERROR', ...whose }),
    )
    expect(lines.find(({ code }) => code === 'AUTH_FAILED')).not.toHaveProperty('keyId')
    const requestId = failed.json().metadata.requestId as string
    expect(lines.some((line) => line.requestId === requestId && line.code === 'INTERNAL_ERROR')).toBe(true)
    const secrets = [instance.apiKey, made.json().data.apiKey as string, wrongKey].flatMap((key) =>
      key.split('_').slice(2),
    )
    const forbidden = [
      ...secrets,
      ...Object.values(words),
      signature,
      signature.slice(2, 60),
      nonce,
      account.address.slice(2),
    ]
    for (const one of forbidden) expect(text.toLowerCase().includes(String(one).toLowerCase())).toBe(false)
    await world.close()
  })
})
