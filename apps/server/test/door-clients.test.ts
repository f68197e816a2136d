import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestInstance, type World } from './world.ts'

interface Client {
  readonly socket: Socket
  said(): string
  readonly closed: Promise<void>
}

describe('a client of the door', () => {
  let world: World
  let instance: TestInstance
  let port = 0
  const open: Client[] = []

  beforeAll(async () => {
    world = await createWorld({ clients: { requestTimeoutMs: 600, headersTimeoutMs: 300, connections: 4 } })
    instance = await world.createInstance()
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    port = (world.app.server.address() as AddressInfo).port
  })
  afterEach(async () => {
    for (const { socket } of open.splice(0)) socket.destroy()
    await expect
      .poll(() => new Promise((resolve) => world.app.server.getConnections((_, count) => resolve(count))))
      .toBe(0)
  })
  afterAll(() => world.close())

  function dial(): Client {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    const client = { socket, said: () => text, closed }
    open.push(client)
    return client
  }
  const bodyOf = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n')))
  const asking = (key: string) => `GET /access/api/instance HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`

  it('is cut when its headers come too slowly, however busy it seems', async () => {
    const { socket, said, closed } = dial()
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n')
    const drip = setInterval(() => socket.write('x-drip: 1\r\n'), 50)
    await closed
    clearInterval(drip)
    expect(said()).toMatch(/^HTTP\/1\.1 408 /)
    expect(bodyOf(said())).toMatchObject({ success: false, data: null, error: { code: 'REQUEST_TIMEOUT' } })
  })

  it('is cut when its body comes too slowly', async () => {
    const { socket, said, closed } = dial()
    const head = ['POST /access/api/keys HTTP/1.1', 'host: x', `x-api-key: ${instance.apiKey}`]
    socket.write(`${[...head, 'content-type: application/json', 'content-length: 1000'].join('\r\n')}\r\n\r\n`)
    const drip = setInterval(() => socket.write(' '), 50)
    await closed
    clearInterval(drip)
    expect(said()).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('is told what was wrong when it does not speak HTTP, or says too much before the body', async () => {
    const [odd, long] = [dial(), dial()]
    odd.socket.write('HELO x\r\n\r\n')
    long.socket.write(`GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`)
    await Promise.all([odd.closed, long.closed])
    expect([odd.said().slice(0, 13), bodyOf(odd.said()).error.code]).toEqual(['HTTP/1.1 400 ', 'MALFORMED_REQUEST'])
    expect([long.said().slice(0, 13), bodyOf(long.said()).error.code]).toEqual(['HTTP/1.1 431 ', 'HEADERS_TOO_LARGE'])
  })

  it('loses its connection with a key that is not valid, and keeps it with one that is', async () => {
    const wrong = dial()
    wrong.socket.write(asking('not-a-key'))
    await wrong.closed
    expect(wrong.said()).toMatch(/^HTTP\/1\.1 401 /)
    expect(wrong.said().toLowerCase()).toContain('connection: close')
    const right = dial()
    for (const times of [1, 2]) {
      right.socket.write(asking(instance.apiKey))
      await expect.poll(() => right.said().split('HTTP/1.1 200 ').length - 1).toBe(times)
    }
    expect(right.socket.destroyed).toBe(false)
  })

  it('is one of as many as the process serves at once', async () => {
    const four = [dial(), dial(), dial(), dial()]
    for (const { socket } of four) socket.write(asking(instance.apiKey))
    for (const { said } of four) await expect.poll(said).toContain('200 OK')
    const fifth = dial()
    fifth.socket.write(asking(instance.apiKey))
    await fifth.closed
    expect(fifth.said()).toBe('')
    four[0]?.socket.destroy()
    await sleep(50)
    const again = dial()
    again.socket.write(asking(instance.apiKey))
    await expect.poll(again.said).toContain('200 OK')
  })
})
