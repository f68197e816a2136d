import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { DatabaseUnavailableError } from '../db/database.ts'
import { createLog } from '../log.ts'
import type { Incoming } from './incoming.ts'
import { createDesk, type Desk, type Taker } from './peer-desk.ts'
import { createPeers } from './peers.ts'
import { websocketUpgrades } from './upgrades.ts'

const SECRET = 'a secret that all servers of the deployment know'

const asked = (body: unknown, more: Partial<Incoming> = {}) =>
  ({
    id: 'request',
    ip: '10.0.0.1',
    protocol: 'http',
    method: 'POST',
    url: '/orders?dry=1',
    headers: { 'x-api-key': 'key', 'user-agent': 'not passed on' },
    params: { id: '7' },
    query: { dry: '1' },
    routeOptions: { url: '/orders' },
    body,
    ...more,
  }) as unknown as Incoming

describe('a line between two servers', () => {
  const opened: { server: Server; desk: Desk; sockets: Set<Socket> }[] = []
  const closers: (() => Promise<void>)[] = []

  async function startDesk(takers: Record<string, Taker>, secret = SECRET) {
    const desk = createDesk(secret, createLog({ level: 'silent' }))
    for (const [operation, taker] of Object.entries(takers)) desk.takes(operation, taker)
    const server = createServer((_request, response) => response.writeHead(404).end())
    const sockets = new Set<Socket>()
    server.on('connection', (socket) => sockets.add(socket))
    websocketUpgrades(server, desk.opens)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    opened.push({ server, desk, sockets })
    return { desk, server, sockets, port: (server.address() as AddressInfo).port }
  }

  function startPeers(secret = SECRET) {
    const peers = createPeers(secret)
    closers.push(peers.close)
    return peers
  }
  const at = ({ port }: { port: number }) => `http://127.0.0.1:${port}`
  const still = async () => true

  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
    for (const { server, sockets } of opened.splice(0)) {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it('carries what the answer depends on, and the answer whole', async () => {
    const seen: Incoming[] = []
    const desk = await startDesk({
      place: async (request) => {
        seen.push(request)
        return { status: 201, body: '{"text":"ä\\n€"}', headers: { 'retry-after': '1' } }
      },
    })
    const peers = startPeers()
    const answer = await peers.pass(at(desk), 'place', asked({ text: '𝄞\n' }, { traceId: 'trace' }), still)
    expect(answer).toEqual({ status: 201, body: '{"text":"ä\\n€"}', headers: { 'retry-after': '1' } })
    const [{ log, ...request } = asked(null)] = seen
    expect(log).toBeDefined()
    expect(request).toMatchObject({
      id: 'request',
      ip: '10.0.0.1',
      url: '/orders?dry=1',
      headers: { 'x-api-key': 'key' },
      params: { id: '7' },
      query: { dry: '1' },
      routeOptions: { url: '/orders' },
      body: { text: '𝄞\n' },
      hops: 1,
      traceId: 'trace',
    })
    expect(request.headers).not.toHaveProperty('user-agent')
  })

  it('answers each with its own, in any order, over one connection', async () => {
    const waiting: (() => void)[] = []
    const desk = await startDesk({
      place: async ({ body }) => {
        await new Promise<void>((resolve) => waiting.push(resolve))
        return { status: 200, body: 'x'.repeat(100_000) + String(body) }
      },
    })
    const peers = startPeers()
    const answers = Array.from({ length: 20 }, (_, turn) => peers.pass(at(desk), 'place', asked(turn), still))
    await expect.poll(() => waiting.length).toBe(20)
    for (const answer of waiting.reverse()) answer()
    expect((await Promise.all(answers)).map((answer) => Number(answer?.body.slice(100_000)))).toEqual(
      answers.map((_, turn) => turn),
    )
    expect(desk.sockets.size).toBe(1)
  })

  it('says so when nobody is there, does not know the operation, or has another secret', async () => {
    const taker: Taker = async () => ({ status: 200, body: '' })
    const [known, other] = [await startDesk({ place: taker }), await startDesk({ place: taker }, `${SECRET}!`)]
    const gone = await startDesk({})
    await new Promise((resolve) => gone.server.close(resolve))
    const peers = startPeers()
    expect(await peers.pass(at(known), 'amend', asked({}), still)).toBeUndefined()
    expect(await peers.pass(at(other), 'place', asked({}), still)).toBeUndefined()
    expect(await peers.pass(at(gone), 'place', asked({}), still)).toBeUndefined()
    expect(await peers.pass(at(known), 'place', asked({}), still)).toMatchObject({ status: 200 })
  })

  it('does not know what came of a request when it is lost, and is opened again for the next one', async () => {
    let isLost = true
    const desk = await startDesk({
      place: async () => {
        if (isLost) for (const socket of desk.sockets) socket.destroy()
        return { status: 200, body: '' }
      },
    })
    const peers = startPeers()
    await expect(peers.pass(at(desk), 'place', asked({}), still)).rejects.toThrow(DatabaseUnavailableError)
    isLost = false
    expect(await peers.pass(at(desk), 'place', asked({}), still)).toMatchObject({ status: 200 })
  })

  it('does not wait for one that is not the one to ask any more', async () => {
    const desk = await startDesk({ place: () => new Promise(() => undefined) })
    const peers = startPeers()
    let looks = 0
    const stillOnce = async () => {
      looks += 1
      return looks < 2
    }
    await expect(peers.pass(at(desk), 'place', asked({}), stillOnce)).rejects.toThrow(DatabaseUnavailableError)
    expect(looks).toBe(2)
  })

  it('ends when what was under way is answered, and is not opened again', async () => {
    let answer: (() => void) | undefined
    const desk = await startDesk({
      place: async ({ body }) => {
        if (body !== 'slow') return { status: 200, body: 'at once' }
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        return { status: 200, body: 'late' }
      },
    })
    const peers = startPeers()
    const underWay = peers.pass(at(desk), 'place', asked('slow'), still)
    await expect.poll(() => answer).toBeDefined()
    const closing = desk.desk.close()
    await expect.poll(() => peers.pass(at(desk), 'place', asked('quick'), still)).toBeUndefined()
    answer?.()
    expect(await underWay).toMatchObject({ body: 'late' })
    await closing
  })

  it('still brings the answers of what was asked before its own server stops, which asks nothing more', async () => {
    let answer: (() => void) | undefined
    const desk = await startDesk({
      place: async () => {
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        return { status: 200, body: 'late' }
      },
    })
    const peers = startPeers()
    const underWay = peers.pass(at(desk), 'place', asked({}), still)
    await expect.poll(() => answer).toBeDefined()
    await peers.close()
    expect(await peers.pass(at(desk), 'place', asked({}), still)).toBeUndefined()
    answer?.()
    expect(await underWay).toMatchObject({ body: 'late' })
  })

  it('is closed when what comes over it cannot be read', async () => {
    const desk = await startDesk({ place: async () => ({ status: 200, body: '' }) })
    const socket = connect(desk.port, '127.0.0.1').resume()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(
      `GET /peers/line HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: tallystick-line\r\nx-tally-peer: ${SECRET}\r\n\r\nnot JSON\n`,
    )
    await closed
    expect(await startPeers().pass(at(desk), 'place', asked({}), still)).toMatchObject({ status: 200 })
  })
})
