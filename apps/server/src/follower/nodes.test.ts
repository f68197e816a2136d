import { startTestChain, type TestChain } from '@tallystick/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chainRows, createNotaryWorld, FUNDED_ACCOUNTS, logsOf, type NotaryWorld } from '../../test/notary-world.ts'
import { type RpcProxy, rpcProxy } from '../../test/rpc-proxy.ts'

describe('a chain with two nodes', () => {
  let world: NotaryWorld
  let first: RpcProxy
  let second: TestChain

  beforeEach(async () => {
    world = await createNotaryWorld({
      rpcUrls: async (node) => {
        const genesis = await node.publicClient.getBlock({ blockNumber: 0n })
        second = await startTestChain({
          accounts: FUNDED_ACCOUNTS,
          now: () => new Date(Number(genesis.timestamp) * 1000),
        })
        first = await rpcProxy(node.url)
        return [first.url, second.url]
      },
    })
  })
  afterEach(async () => {
    await world.close()
    await Promise.all([first.stop(), second.stop()])
  })

  it('confirms nothing while they show different blocks, and does once they agree', async () => {
    const note = await world.note()
    const snapshot = await second.testClient.snapshot()
    await second.testClient.mine({ blocks: 5 })
    const before = await chainRows(world.superuser)
    const { status, headers, body } = await world.confirm(note)
    expect({ status, code: body.error?.code, wait: headers['retry-after'] }).toEqual({
      status: 503,
      code: 'CHAIN_UNAVAILABLE',
      wait: '1',
    })
    expect(await chainRows(world.superuser)).toEqual(before)
    await second.testClient.revert({ id: snapshot })
    expect((await world.confirm(note)).status).toBe(200)
  })

  it('takes a node that lags for no witness', async () => {
    expect(await second.publicClient.getBlockNumber()).toBe(0n)
    expect((await world.confirm(await world.note())).status).toBe(200)
  })

  it('misses no event when a node that lags answers in the middle of a pass', async () => {
    await world.confirm(await world.note())
    await world.follower.pass(world.served)
    const note = await world.note()
    first.replaceAnswer = ({ method }) => (method === 'eth_getLogs' ? 'nothing' : undefined)
    await expect(world.follower.pass(world.served)).rejects.toThrow('the chain moved while it was read')
    first.replaceAnswer = undefined
    world.clock.advance(60_000)
    expect(await world.follower.pass(world.served)).toMatchObject({ newFacts: 1 })
    expect(await logsOf(world.superuser, note.txHash)).toMatchObject([{ finality: 'MINED' }])
  })

  it('undoes nothing while a node lags, and does when it stays behind', async () => {
    const follower = world.createFollower({ lagGraceMs: 15_000 })
    await world.confirm(await world.note())
    await follower.pass(world.served)
    const note = await world.note()
    await follower.pass(world.served)
    expect(await logsOf(world.superuser, note.txHash)).toMatchObject([{ finality: 'MINED' }])
    // The second node never saw any of it: asked instead of the first, it looks like a chain that lost everything.
    await first.stop()
    world.clock.advance(5_000)
    expect(await follower.pass(world.served)).toMatchObject({ orphanedFacts: 0 })
    expect(await logsOf(world.superuser, note.txHash)).toMatchObject([{ finality: 'MINED' }])
    world.clock.advance(20_000)
    expect(await follower.pass(world.served)).toMatchObject({ orphanedFacts: 2 })
    expect(await logsOf(world.superuser, note.txHash)).toMatchObject([{ finality: 'ORPHANED' }])
  })
})
