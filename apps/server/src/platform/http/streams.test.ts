import { request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineOperation } from '@tallystick/wire'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenEvents, listenSocket } from '../../../test/streams/listener.ts'
import { createWorld, type TestInstance, type World } from '../../../test/world.ts'
import { AppError } from '../app-error.ts'
import { streamRoute } from './route.ts'
import type { StreamSink } from './streams.ts'

const operation = defineOperation({
  id: 'streamWords',
  feature: 'access',
  method: 'GET',
  path: '/words/{topic}',
  scope: 'access:read',
  service: 'trading',
  summary: 's',
  params: Type.Object({ topic: Type.String() }),
  stream: true,
  legs: {
    read: {
      data: Type.Object({ type: Type.String() }),
      errors: {
        ORDER_BOOK_NOT_FOUND: { status: 404, message: 'm' },
        NOT_ACCEPTABLE: { status: 406, message: 'm' },
        STREAM_LIMIT_REACHED: { status: 429, message: 'm' },
      },
    },
  },
})

describe('a stream', () => {
  let world: World
  let instance: TestInstance
  let base: string
  const sinks = new Map<string, StreamSink>()
  const left: string[] = []
  const checked: string[] = []
  let isClosedTopic = false

  beforeAll(async () => {
    world = await createWorld({
      streamSettings: { heartbeatMs: 150, recheckMs: 60, perKey: 3, mostBuffered: 256 * 1024 },
      extraRoutes: () => [
        streamRoute(operation, async ({ params: { topic } }) => {
          if (topic === 'unknown') throw new AppError('ORDER_BOOK_NOT_FOUND')
          return {
            start(sink) {
              sinks.set(topic, sink)
              sink.send({ event: 'hello', data: JSON.stringify({ type: 'hello' }) })
              return {
                heartbeat: () => ({ event: 'heartbeat', data: JSON.stringify({ type: 'heartbeat' }), id: '7' }),
                stop: () => void left.push(topic),
              }
            },
            ...(topic === 'shared' ? { checkedAs: topic } : {}),
            async check(tenant) {
              checked.push(topic)
              await tenant.read((sql) => sql`select 1`)
              if (isClosedTopic) throw new AppError('ORDER_BOOK_NOT_FOUND')
            },
          }
        }),
      ],
    })
    instance = await world.createInstance()
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    base = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`
  })
  afterAll(() => world.close())

  const wish = (key = instance.apiKey) => ({ key, operation })
  const ways = { 'server-sent events': listenEvents, 'a WebSocket': listenSocket }
  const everyWay = Object.entries(ways)
  const key = () => world.createKey(instance, ['access:read'])

  it.each(everyWay)('over %s begins, beats and is left without a trace', async (name, listen) => {
    const listener = await listen(`${base}/words/${name.length}`, wish())
    expect(await listener.next()).toEqual({ type: 'hello' })
    for (let beat = 0; beat < 4; beat += 1) await listener.next('heartbeat')
    if (name === 'server-sent events') expect(listener.lastEventId()).toBe('7')
    listener.close()
    await expect.poll(() => left).toContain(String(name.length))
  })

  it.each(everyWay)('over %s ends with the reason when its source ends it', async (_name, listen) => {
    const listener = await listen(`${base}/words/ending`, wish())
    await listener.next('hello')
    sinks.get('ending')?.end('ENOUGH')
    sinks.get('ending')?.send({ event: 'late', data: '{"type":"late"}' })
    expect(await listener.ended()).toBe('ENOUGH')
    await expect(listener.next()).rejects.toThrow('ended')
  })

  it.each(everyWay)('over %s ends when the key is revoked, and not when it is only changed', async (_name, listen) => {
    const revoked = await key()
    const listener = await listen(`${base}/words/revoked`, wish(revoked))
    await world.operator.setServices(instance.instanceId, ['trading', 'lending'])
    for (let beat = 0; beat < 3; beat += 1) await listener.next('heartbeat')
    const [, ref] = revoked.split('_')
    const listed = await world.operator.listKeys(instance.instanceId)
    await world.operator.revokeKey(instance.instanceId, listed.find((one) => one.ref === ref)?.keyId ?? '')
    expect(await listener.ended()).toBe('AUTH_FAILED')
  })

  it('ends when the service is switched off, or when its source says that it may be listened to no more', async () => {
    const other = await world.createInstance()
    const served = await listenEvents(`${base}/words/served`, wish(other.apiKey))
    await world.operator.setServices(other.instanceId, [])
    expect(await served.ended()).toBe('SERVICE_NOT_ENABLED')
    const closed = await listenEvents(`${base}/words/closed`, wish(await key()))
    isClosedTopic = true
    expect(await closed.ended()).toBe('ORDER_BOOK_NOT_FOUND')
    isClosedTopic = false
  })

  it('is checked together with all that a key listens to by the same name, and ends with them', async () => {
    const shared = await key()
    const listeners = [
      await listenEvents(`${base}/words/shared`, wish(shared)),
      await listenSocket(`${base}/words/shared`, wish(shared)),
      await listenEvents(`${base}/words/alone`, wish(shared)),
    ]
    const roundsOf = (topic: string) => checked.filter((one) => one === topic).length
    const before = { shared: roundsOf('shared'), alone: roundsOf('alone') }
    await expect.poll(() => roundsOf('alone') - before.alone).toBeGreaterThan(4)
    // A round may have begun between the two counts.
    expect(Math.abs(roundsOf('shared') - before.shared - (roundsOf('alone') - before.alone))).toBeLessThan(2)
    isClosedTopic = true
    for (const listener of listeners) expect(await listener.ended()).toBe('ORDER_BOOK_NOT_FOUND')
    isClosedTopic = false
  })

  it('is refused as JSON before it begins, on both ways', async () => {
    const asked = (path: string, headers: Record<string, string>) => world.call('GET', path, { headers })
    const own = { 'x-api-key': instance.apiKey, accept: 'text/event-stream' }
    expect((await asked('/words/unknown', own)).body.error.code).toBe('ORDER_BOOK_NOT_FOUND')
    expect((await asked('/words/unknown', { accept: 'text/event-stream' })).status).toBe(401)
    for (const accept of [undefined, '*/*', 'application/json']) {
      const answer = await asked('/words/any', { 'x-api-key': instance.apiKey, ...(accept ? { accept } : {}) })
      expect([answer.status, answer.body.error.code]).toEqual([406, 'NOT_ACCEPTABLE'])
    }
    expect(await upgrade('/words/unknown', instance.apiKey)).toMatchObject({
      status: 404,
      code: 'ORDER_BOOK_NOT_FOUND',
    })
    expect(await upgrade('/words/any', 'wrong')).toMatchObject({ status: 401, code: 'AUTH_FAILED' })
    // No stream at all.
    expect(await upgrade('/access/api/instance', 'wrong')).toMatchObject({ status: 401, code: 'AUTH_FAILED' })
  })

  /** What a server answers that does not upgrade. */
  function upgrade(path: string, apiKey: string): Promise<{ status: number | undefined; code: string }> {
    return new Promise((resolve, reject) => {
      const headers = {
        'x-api-key': apiKey,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      }
      const asked = request(`${base}${path}`, { headers }, async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode, code: JSON.parse(text).error.code })
      })
      asked.on('upgrade', () => reject(new Error('it was upgraded')))
      asked.on('error', reject)
      asked.end()
    })
  }

  it('leaves requests alone that would like another protocol', async () => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    const body = JSON.stringify({ name: 'made over HTTP/1.1', scopes: ['access:read'] })
    const wishes = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAA']
    const head = [
      'POST /access/api/keys HTTP/1.1',
      'host: x',
      `x-api-key: ${instance.apiKey}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      ...wishes,
    ]
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
    await sleep(5)
    socket.write(body.slice(5))
    await expect.poll(() => text).toContain('made over HTTP/1.1')
    expect(text).toMatch(/^HTTP\/1.1 200 OK/)
    socket.write(`GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`)
    await expect.poll(() => text).toContain('"status":"ok"')
    socket.destroy()
  })

  it('is one of a few that a key may have at once', async () => {
    const limited = await key()
    const open = [
      await listenEvents(`${base}/words/1`, wish(limited)),
      await listenSocket(`${base}/words/2`, wish(limited)),
      await listenEvents(`${base}/words/3`, wish(limited)),
    ]
    const fourth = () => world.call('GET', '/words/4', { key: limited, headers: { accept: 'text/event-stream' } })
    const refused = await fourth()
    expect([refused.status, refused.body.error.code, refused.headers['retry-after']]).toEqual([
      429,
      'STREAM_LIMIT_REACHED',
      undefined,
    ])
    for (const listener of open) listener.close()
    await expect.poll(async () => (await upgrade('/words/unknown', limited)).code).toBe('ORDER_BOOK_NOT_FOUND')
    const again = await listenEvents(`${base}/words/4`, wish(limited))
    again.close()
  })

  it('is not kept for a listener that does not read', async () => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    socket.pause()
    const lines = ['GET /words/slow HTTP/1.1', 'host: x', `x-api-key: ${await key()}`, 'accept: text/event-stream']
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    await expect.poll(() => sinks.has('slow')).toBe(true)
    const data = JSON.stringify({ type: 'long', text: 'x'.repeat(100_000) })
    for (let sent = 0; sent < 200 && !left.includes('slow'); sent += 1) {
      sinks.get('slow')?.send({ event: 'long', data })
      await sleep(0)
    }
    expect(left).toContain('slow')
    // A listener that wakes up finds out why.
    let text = ''
    socket.on('data', (chunk) => {
      text = (text + chunk).slice(-200)
    })
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    expect(text).toContain('event: end\ndata: {"type":"end","reason":"SLOW_CONSUMER"}')
  })

  it('lets a source wait until what it sent was taken', async () => {
    const listener = await listenSocket(`${base}/words/patient`, wish(await key()))
    await listener.next('hello')
    const sink = sinks.get('patient')
    for (let sent = 0; sent < 20; sent += 1) {
      sink?.send({ event: 'long', data: JSON.stringify({ type: 'long', text: 'x'.repeat(100_000) }) })
      await sink?.drained()
    }
    for (let taken = 0; taken < 20; taken += 1) await listener.next('long')
    listener.close()
  })

  it('is not kept for a socket that gives no sign of life', async () => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    const lines = [
      'GET /words/dead HTTP/1.1',
      'host: x',
      `x-api-key: ${await key()}`,
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    // It reads, but answers no ping.
    socket.resume()
    await expect.poll(() => left).toContain('dead')
  })

  it('does not hold up a server that stops', async () => {
    const [events, socket] = [
      await listenEvents(`${base}/words/last`, wish(await key())),
      await listenSocket(`${base}/words/last`, wish(await key())),
    ]
    await events.next('hello')
    await socket.next('hello')
    const began = Date.now()
    await world.app.close()
    expect(Date.now() - began).toBeLessThan(20_000)
    expect([await events.ended(), await socket.ended()]).toEqual(['SERVER_SHUTDOWN', 'SERVER_SHUTDOWN'])
  })
})
