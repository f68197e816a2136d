import { createServer } from 'node:http'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import { freePort } from '@tallystick/embedded'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OFFCHAIN, type OffchainWorld, ONE } from '../../../test/trading/offchain-world.ts'
import { createPeerWorld, PEER_SECRET, type PeerServer, type PeerWorld } from '../../../test/trading/peer-servers.ts'

describe('two servers and the orders of one ledger', () => {
  let servers: PeerWorld
  let world: OffchainWorld

  beforeAll(async () => {
    servers = await createPeerWorld()
    world = servers.world
  })
  afterAll(() => servers.close())

  const startServer: PeerWorld['startServer'] = (given) => servers.startServer(given)
  const call: PeerWorld['call'] = (...asked) => servers.call(...asked)
  const place: PeerWorld['place'] = (...asked) => servers.place(...asked)
  const laneOf: PeerWorld['laneOf'] = () => servers.laneOf()
  const endLease: PeerWorld['endLease'] = () => servers.endLease()

  /** Somebody who has the lane and is no server of ours, with what comes of being asked. */
  async function listen(asked: (socket: Socket) => void): Promise<NetServer> {
    const somebody = createServer()
    somebody.on('upgrade', (request, socket: Socket) => {
      expect(request.headers['x-tally-peer']).toBe(PEER_SECRET)
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: tallystick-line\r\nconnection: upgrade\r\n\r\n')
      socket.once('data', () => asked(socket))
    })
    await new Promise<void>((resolve) => somebody.listen(0, '127.0.0.1', resolve))
    return somebody
  }
  const giveLaneTo = (somebody: NetServer, lease: string) => world.superuser`
    update lanes set owner = 'somebody', owner_url = ${`http://127.0.0.1:${(somebody.address() as AddressInfo).port}`},
      epoch = epoch + 1, lease_until = clock_timestamp() + ${lease}::interval`

  it('are matched by the one that has it, whichever they came to', async () => {
    await endLease()
    const [first, second] = [await startServer(), await startServer()]
    await place(first)
    const before = await laneOf()
    expect(before.url).toBe(first.url)
    const placed: Awaited<ReturnType<typeof place>>[] = []
    for (let count = 0; count < 5; count += 1) placed.push(await place(second, { customerRef: 'bert', side: 'SELL' }))
    expect(placed.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(placed[0]?.body.data).toMatchObject({ order: { status: 'FILLED' } })
    expect(placed[0]?.headers.get('x-request-id')).toBe(placed[0]?.body.metadata.requestId)
    const id: string = placed[4]?.body.data.order.id
    const amended = await call(second, 'PATCH', `/orders/${id}`, { customerRef: 'bert', price: String(2n * ONE) })
    expect(amended.body.data).toMatchObject({ order: { id, price: String(2n * ONE) } })
    expect(await laneOf()).toMatchObject({ epoch: before.epoch, owner: before.owner, sequence: before.sequence + 6 })
    const refused = await place(second, { quantity: '900000000000000000' })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'INSUFFICIENT_BALANCE'])
    await Promise.all([first.stop(), second.stop()])
  })

  it('are matched by one of them when both begin at once, and the lane moves under nobody', async () => {
    /** How often the lane changed hands. More than once only where a machine stood still for as long as a lease lasts. */
    const beginAtOnce = async (): Promise<number> => {
      await endLease()
      const [first, second] = [await startServer(), await startServer()]
      const before = await laneOf()
      const placed = await Promise.all(Array.from({ length: 12 }, (_, turn) => place(turn % 2 === 0 ? first : second)))
      expect(placed.map(({ status }) => status)).toEqual(placed.map(() => 200))
      const after = await laneOf()
      expect(after.sequence).toBeGreaterThan(before.sequence)
      await Promise.all([first.stop(), second.stop()])
      return after.epoch - before.epoch
    }
    let moves = await beginAtOnce()
    for (let again = 0; again < 2 && moves > 1; again += 1) moves = await beginAtOnce()
    expect(moves).toBe(1)
  })

  it('are many in one message, or in one that comes in pieces', async () => {
    await endLease()
    const [first, second] = [await startServer(), await startServer()]
    await place(first)
    const order = { customerRef: 'anna', side: 'BUY', orderType: 'LIMIT', price: String(ONE), quantity: String(ONE) }
    const orders = (name: string) =>
      Array.from({ length: 100 }, (_, turn) => ({ ...order, clientOrderId: name + turn }))
    const names = ['ä', '€', '𝄞', 'plain']
    const answers = await Promise.all(
      names.map((name) =>
        call(second, 'POST', '/orders/batch', { orderBookId: servers.book.id, orders: orders(name) }),
      ),
    )
    const told = answers.map(({ body }) => JSON.stringify(body))
    for (const [index, name] of names.entries()) expect(told[index]).toContain(`"clientOrderId":"${name}99"`)
    expect((await laneOf()).url).toBe(first.url)
    await call(second, 'POST', '/orders/mass-cancel', { customerRef: 'anna' })
    await Promise.all([first.stop(), second.stop()])
  })

  it('are all answered while the server that has the ledger stops', async () => {
    await endLease()
    const [first, second] = [await startServer(), await startServer()]
    await place(first)
    expect((await place(second)).status).toBe(200)
    let isStopped = false
    const stopping = first.stop().then(() => {
      isStopped = true
    })
    const placed: number[] = []
    while (!isStopped)
      placed.push(...(await Promise.all(Array.from({ length: 8 }, async () => (await place(second)).status))))
    await stopping
    expect(placed.length).toBeGreaterThan(0)
    expect(new Set(placed)).toEqual(new Set([200]))
    await second.stop()
  })

  it('are not passed on to a server with another secret', async () => {
    await endLease()
    const [first, second] = [
      await startServer(),
      await startServer({ peerSecret: 'a secret that nobody else knows at all' }),
    ]
    await place(first)
    expect((await place(second)).status).toBe(200)
    expect((await place(first)).status).toBe(200)
    await Promise.all([first.stop(), second.stop()])
  })

  it('are passed on by a server that matches none, to the one that has the ledger or is to take it', async () => {
    await endLease()
    const matching = await startServer()
    const nobody = `http://127.0.0.1:${await freePort()}`
    const fronts = [
      await startServer({ orderServers: [matching.url, nobody] }),
      await startServer({ orderServers: [nobody, matching.url] }),
    ]
    for (const [index, front] of fronts.entries()) {
      await endLease()
      expect((await place(front, {}, { 'idempotency-key': `first-at-front-${index}` })).status).toBe(200)
      expect((await laneOf()).url).toBe(matching.url)
      const { body } = await place(front)
      const read = await fetch(`${front.url}${OFFCHAIN}/orders/${body.data.order.id}`, {
        headers: { 'x-api-key': world.instance.apiKey },
      })
      expect(JSON.stringify(await read.json())).toContain(`"id":"${body.data.order.id}"`)
    }
    await matching.stop()
    const [front] = fronts as [PeerServer]
    const refused = await place(front)
    expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect((await laneOf()).url).toBe(matching.url)
    await Promise.all(fronts.map((one) => one.stop()))
  })

  it('stay with the server that has the lane while others ask for it', async () => {
    await endLease()
    const server = await startServer()
    await place(server)
    const { epoch, sequence } = await laneOf()
    await world.superuser.begin(async (sql) => {
      await sql`select set_config('tally.lane', ${world.instance.instanceId}, true)`
      expect([...(await sql`select epoch from tally_own_lane('somebody', null, '1 second')`)]).toEqual([])
      expect((await place(server)).status).toBe(200)
    })
    expect(await laneOf()).toMatchObject({ epoch, sequence: sequence + 1 })
    await server.stop()
  })

  it('are placed once under one key, at whichever server it is used again', async () => {
    await endLease()
    const [first, second] = [await startServer(), await startServer()]
    const key = { 'idempotency-key': 'at-two-servers' }
    const there = await place(first, {}, key)
    const here = await place(second, {}, key)
    expect(here.body).toEqual(there.body)
    expect(here.headers.get('idempotent-replay')).toBe('true')
    await Promise.all([first.stop(), second.stop()])
  })

  it('count once against the limit of their key, and a forged word of a server is not believed', async () => {
    await endLease()
    const [first, second] = [await startServer(), await startServer()]
    const limited = { 'x-api-key': await world.createKey(world.instance, ['trading:read', 'trading:write'], 3) }
    await place(first)
    const { epoch } = await laneOf()
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await place(
        second,
        {},
        { ...limited, 'x-tally-peer': 'not the secret of anybody here' },
      )
      expect(status).toBe(200)
      expect(headers.get('ratelimit')).toContain(`r=${2 - count};`)
    }
    expect((await place(second, {}, limited)).status).toBe(429)
    expect(await laneOf()).toMatchObject({ epoch })
    // The server that placed them counted none.
    for (let count = 0; count < 3; count += 1) expect((await place(first, {}, limited)).status).toBe(200)
    expect((await place(first, {}, limited)).status).toBe(429)
    await Promise.all([first.stop(), second.stop()])
  })

  it('are served by the other one once the first is gone', async () => {
    await endLease()
    const [first, second] = [await startServer(), await startServer()]
    await place(first)
    await place(second)
    await first.stop()
    expect((await place(second, { clientOrderId: 'after' })).status).toBe(200)
    await endLease()
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect((await place(second)).status).toBe(200)
    expect((await laneOf()).url).toBe(second.url)
    await second.stop()
  })

  it('are answered with 503 when the one that was asked is lost on the way, and can be tried again', async () => {
    const server = await startServer()
    await endLease()
    await place(server)
    let asked = 0
    const lost = await listen((socket) => {
      asked += 1
      socket.destroy()
    })
    await giveLaneTo(lost, '20 seconds')
    const other = await startServer()
    const key = { 'idempotency-key': 'sent-to-somebody' }
    const answer = await place(other, {}, key)
    expect([answer.status, answer.body.error.code, asked]).toEqual([503, 'SERVICE_UNAVAILABLE', 1])
    expect(answer.headers.get('retry-after')).not.toBeNull()
    await endLease()
    await new Promise((resolve) => lost.close(resolve))
    expect((await place(other, {}, key)).status).toBe(200)
    await Promise.all([server.stop(), other.stop()])
  })

  it('do not wait for one that stands still longer than it has the ledger', async () => {
    const server = await startServer()
    await endLease()
    await place(server)
    let answered = 0
    const still = await listen((socket) => {
      const answer = setTimeout(() => {
        answered += 1
        socket.end(`${JSON.stringify({ number: 1, status: 200, body: '{}', headers: {} })}\n`)
      }, 5_500)
      socket.once('close', () => clearTimeout(answer))
    })
    const other = await startServer()
    await giveLaneTo(still, '3 seconds')
    const key = { 'idempotency-key': 'sent-to-one-that-stands-still' }
    const answer = await place(other, {}, key)
    expect([answer.status, answer.body.error.code, answered]).toEqual([503, 'SERVICE_UNAVAILABLE', 0])
    expect((await place(other, {}, key)).status).toBe(200)
    // Whoever thought that it still had it knows better now.
    expect((await place(other)).status).toBe(200)
    expect([server.url, other.url]).toContain((await laneOf()).url)
    await Promise.all([server.stop(), other.stop(), new Promise((resolve) => still.close(resolve))])
  })
})
