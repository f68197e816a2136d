import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OFFCHAIN } from '../../../test/trading/offchain-world.ts'
import { createPeerWorld, type PeerServer, type PeerWorld } from '../../../test/trading/peer-servers.ts'
import { inTurnFor } from './home.rules.ts'

describe('servers that match', () => {
  let servers: PeerWorld

  beforeAll(async () => {
    servers = await createPeerWorld()
  })
  afterAll(() => servers.close())

  /** Two of them; the ledger belongs to the first. */
  async function startTwo(): Promise<[home: PeerServer, other: PeerServer]> {
    await servers.endLease()
    const both = [await servers.startServer(), await servers.startServer()] as const
    const [url] = inTurnFor(
      servers.world.instance.instanceId,
      both.map((server) => server.url),
    )
    return both[0].url === url ? [both[0], both[1]] : [both[1], both[0]]
  }

  it('leave a ledger to the one that it belongs to, once that has been there for a while, and refuse nothing meanwhile', async () => {
    const [home, other] = await startTwo()
    await servers.place(other)
    expect((await servers.laneOf()).url).toBe(other.url)
    const begun = performance.now()
    const answers: { status: number; error?: unknown }[] = []
    while ((await servers.laneOf()).url !== home.url && performance.now() - begun < 20_000) {
      const placed = await Promise.all([servers.place(home), servers.place(other)])
      answers.push(...placed.map(({ status, body }) => ({ status, error: body.error })))
    }
    for (let count = 0; count < 5; count += 1) {
      const placed = await Promise.all([servers.place(other), servers.place(home), servers.place(other)])
      answers.push(...placed.map(({ status, body }) => ({ status, error: body.error })))
    }
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    const { url, epoch } = await servers.laneOf()
    expect(url).toBe(home.url)
    await servers.place(other)
    expect(await servers.laneOf()).toMatchObject({ url, epoch })
    await Promise.all([home.stop(), other.stop()])
  })

  it('give a ledger that nobody has to the one that it belongs to, whichever is asked', async () => {
    const [home, other] = await startTwo()
    // Somebody else had it meanwhile, who is no more.
    await servers.place(other)
    await servers.place(home)
    // It asks who is there once a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    await servers.place(other)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await servers.world
      .superuser`update lanes set owner = 'somebody', owner_url = null, epoch = epoch + 1, lease_until = clock_timestamp()`
    // What it had is its own, as far as it knows, until it finds out; then it looks once more.
    for (let begun = performance.now(); performance.now() - begun < 1_500; )
      expect((await servers.place(other)).status).toBe(200)
    expect((await servers.laneOf()).url).toBe(home.url)
    await Promise.all([home.stop(), other.stop()])
  })

  it('have a ledger at once that belonged to one that stopped', async () => {
    const [home, other] = await startTwo()
    await servers.place(home)
    await servers.place(other)
    expect((await servers.laneOf()).url).toBe(home.url)
    await home.stop()
    expect((await servers.place(other)).status).toBe(200)
    expect((await servers.laneOf()).url).toBe(other.url)
    await other.stop()
  })

  it('take a ledger that belongs to one that was killed, and move it under nobody', async () => {
    const [first, second] = await startTwo()
    const urls = [first.url, second.url]
    const addresses = Array.from({ length: 100 }, (_, turn) => `http://127.0.0.1:${turn + 1}`)
    const killed =
      addresses.find((url) => inTurnFor(servers.world.instance.instanceId, [url, ...urls])[0] === url) ?? ''
    await servers.world
      .superuser`insert into lane_servers values ('killed', ${killed}, clock_timestamp() + interval '1 minute')`
    const { epoch } = await servers.laneOf()
    const placed = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => servers.place(turn % 2 === 0 ? first : second)),
    )
    expect(placed.map(({ status }) => status)).toEqual(placed.map(() => 200))
    const lane = await servers.laneOf()
    expect(urls).toContain(lane.url)
    expect(lane.epoch).toBe(epoch + 1)
    await servers.world.superuser`delete from lane_servers where name = 'killed'`
    await Promise.all([first.stop(), second.stop()])
  })

  it('answer each other while both believe that the other one has the ledger', async () => {
    const [first, second] = [await servers.startServer(), await servers.startServer()]
    const neighbour = await servers.world.createInstance()
    /** While another instance wants something, one instance has a few places at each server. */
    const disturb = ({ url }: PeerServer) =>
      fetch(`${url}${OFFCHAIN}/order-books`, { headers: { 'x-api-key': neighbour.apiKey } })
    await servers.endLease()
    await servers.place(first)
    await servers.place(second)
    await servers.world.superuser`
      update lanes set owner = 'somebody', owner_url = ${second.url}, epoch = epoch + 1, lease_until = clock_timestamp() + interval '4 seconds'`
    await servers.place(first)
    await servers.place(first)
    await Promise.all([disturb(first), disturb(second)])
    const placed = await Promise.all(
      Array.from({ length: 40 }, (_, turn) => servers.place(turn % 2 === 0 ? first : second)),
    )
    expect(placed.map(({ status }) => status)).toEqual(placed.map(() => 200))
    await Promise.all([first.stop(), second.stop()])
  })
})
