import { brotliDecompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestInstance, type World } from './world.ts'

const ORIGIN = 'https://app.example.com'
const INSTANCE = '/access/api/instance'
const KEYS = '/access/api/keys'

describe('the manners of the door', () => {
  let world: World
  let instance: TestInstance
  beforeAll(async () => {
    world = await createWorld({ clients: { origins: [ORIGIN] } })
    instance = await world.createInstance()
  })
  afterAll(() => world.close())

  const send = (method: string, url: string, headers: Record<string, string> = {}, payload?: Buffer | string) =>
    world.app.inject({ method: method as 'GET', url, headers, ...(payload === undefined ? {} : { payload }) })
  const own = (more: Record<string, string> = {}) => ({ 'x-api-key': instance.apiKey, ...more })

  it('name the methods of a path that was asked with another one', async () => {
    for (const [method, url, allow] of [
      ['DELETE', INSTANCE, 'GET, HEAD'],
      ['PATCH', `${KEYS}?x=1`, 'GET, HEAD, POST'],
      ['GET', '/lending-stocks/api/positions/x/borrow-more', 'POST'],
    ] as const) {
      const answer = await send(method, url, own())
      expect([answer.statusCode, answer.headers.allow, answer.json().error.code]).toEqual([
        405,
        allow,
        'METHOD_NOT_ALLOWED',
      ])
      expect(answer.json()).toMatchObject({ success: false, data: null, metadata: { requestId: expect.any(String) } })
    }
    const nowhere = await send('DELETE', '/no/such/path')
    expect([nowhere.statusCode, nowhere.headers.allow]).toEqual([404, undefined])
  })

  it('answer HEAD like GET, without a body', async () => {
    const answer = await send('HEAD', INSTANCE, own())
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([
      200,
      '',
      'application/json; charset=utf-8',
    ])
    expect((await send('HEAD', INSTANCE)).statusCode).toBe(401)
  })

  it('read bodies that are compressed, and refuse by name what they cannot read', async () => {
    const json = { 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'compressed', scopes: ['access:read'] })
    for (const [encoding, bytes] of [
      ['gzip', gzipSync(body)],
      ['deflate', deflateSync(body)],
    ] as const) {
      const answer = await send('POST', KEYS, own({ ...json, 'content-encoding': encoding }), bytes)
      expect([answer.statusCode, answer.json().data?.name]).toEqual([200, 'compressed'])
    }
    const unknown = await send('POST', KEYS, own({ ...json, 'content-encoding': 'zstd' }), body)
    expect([unknown.statusCode, unknown.json().error]).toEqual([
      415,
      {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'The content-encoding of the body is not one of br, gzip and deflate.',
      },
    ])
    const broken = await send('POST', KEYS, own({ ...json, 'content-encoding': 'gzip' }), body)
    expect([broken.statusCode, broken.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('take no more of a compressed body than of any other', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, 32))
    expect(bomb.length).toBeLessThan(64 * 1024)
    const headers = own({ 'content-type': 'application/json', 'content-encoding': 'gzip' })
    const answer = await send('POST', KEYS, headers, bomb)
    expect([answer.statusCode, answer.json().error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  it('compress what is larger for whoever takes it, and say once what has not changed', async () => {
    const plain = await send('GET', '/openapi.json')
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const [encoding, read, most] of [
      ['br', brotliDecompressSync, 150_000],
      ['gzip', gunzipSync, 250_000],
    ] as const) {
      const answer = await send('GET', '/openapi.json', { 'accept-encoding': encoding })
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(read(answer.rawPayload).toString('utf8')).toBe(plain.body)
      expect(answer.rawPayload.length).toBeLessThan(most)
      expect(answer.headers.vary).toContain('accept-encoding')
    }
    expect(plain.rawPayload.length).toBeLessThan(2_000_000)
    const weighed = await send('GET', '/openapi.json', { 'accept-encoding': 'br;q=0, gzip' })
    expect(weighed.headers['content-encoding']).toBe('gzip')
    const etag = String(plain.headers.etag)
    const again = await send('GET', '/openapi.json', { 'if-none-match': `"other", ${etag}` })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await send('GET', '/openapi.json', { 'if-none-match': '"other"' })).statusCode).toBe(200)
    const small = await send('GET', INSTANCE, own({ 'accept-encoding': 'br' }))
    expect([small.statusCode, small.headers['content-encoding']]).toEqual([200, undefined])
    const page = await send('GET', '/docs', { 'accept-encoding': 'gzip' })
    expect([page.statusCode, page.headers['content-encoding']]).toEqual([200, 'gzip'])
  })

  it('let pages of a named origin call, and of no other', async () => {
    const asking = {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key',
    }
    const preflight = await send('OPTIONS', KEYS, asking)
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-headers': expect.stringContaining('x-api-key'),
    })
    const answer = await send('GET', INSTANCE, own({ origin: ORIGIN }))
    expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN)
    expect(answer.headers['access-control-expose-headers']).toContain('x-request-id')
    const refused = await send('GET', INSTANCE, { origin: ORIGIN })
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([401, ORIGIN])
    const stranger = await send('GET', INSTANCE, own({ origin: 'https://other.example' }))
    expect(stranger.headers['access-control-allow-origin']).toBeUndefined()
  })
})
