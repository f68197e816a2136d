import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BUSY_MACHINE } from '../../test/busy-machine.ts'
import {
  chainRows,
  createNotaryWorld,
  lockWaiters,
  logsOf,
  type NotaryWorld,
  noticesOf,
  rowsOf,
  totalsOf,
} from '../../test/notary-world.ts'
import { type RpcProxy, rpcProxy } from '../../test/rpc-proxy.ts'
import { type Chains, connectChains } from '../platform/chain/chains.ts'

describe('a chain that moves while it is read', () => {
  let world: NotaryWorld
  let proxy: RpcProxy
  /** The same node, past the proxy. */
  let direct: Chains
  let before: { notes: number; total: number }

  beforeAll(async () => {
    world = await createNotaryWorld({
      rpcUrls: async (node) => {
        proxy = await rpcProxy(node.url)
        return [proxy.url]
      },
    })
    const urls = [world.node.url]
    direct = await connectChains([{ chainId: undefined, urls }], {
      timeoutMs: BUSY_MACHINE.rpcTimeoutMs,
      clock: world.clock,
    })
    expect((await world.confirm(await world.note(100n))).status).toBe(200)
    await pass()
  })
  beforeEach(async () => {
    await world.node.testClient.mine({ blocks: 1 })
    await pass()
    before = await totalsOf(world.superuser, world.notary)
  })
  afterAll(async () => {
    await direct.close()
    await world.close()
    await proxy.stop()
  })

  const pass = () => world.follower.pass(world.served)
  /** Runs once, right after the node answered the nth call of this method from now on. */
  function after(method: string, nth: number, work: () => Promise<void>): void {
    let left = nth
    proxy.afterCall = async (called) => {
      if (called !== method) return
      left -= 1
      if (left > 0) return
      proxy.afterCall = undefined
      await work()
    }
  }
  const everything = async () => [
    await chainRows(world.superuser),
    await rowsOf(world.superuser, 'chain_cursors'),
    await rowsOf(world.superuser, 'chain_blocks'),
  ]
  /** What the notes that came since the test began add up to, as the product derived it. */
  async function added() {
    const { notes, total } = await totalsOf(world.superuser, world.notary)
    return { notes: notes - before.notes, total: total - before.total }
  }

  it('between the events and the rest of a pass: nothing is written, and the next pass misses nothing', async () => {
    const note = await world.note(5n)
    const instead = await world.signedNote(9n)
    after('eth_getLogs', 1, () => world.reorg(1, [[instead.raw, 0]]))
    const rows = await everything()
    await expect(pass()).rejects.toThrow('the chain moved while it was read')
    expect(await everything()).toEqual(rows)
    expect(await pass()).toMatchObject({ newFacts: 1 })
    expect(await logsOf(world.superuser, note.txHash)).toEqual([])
    expect(await added()).toEqual({ notes: 1, total: 9 })
  })

  // Each call that asks for a block: the genesis, the four of the head, the end of the range, and what follows.
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'after block read %d of a pass: two passes later everything is right',
    async (nth) => {
      const note = await world.note(5n)
      await world.confirm(note)
      await pass()
      await world.node.testClient.mine({ blocks: 1 })
      const instead = await world.signedNote(9n)
      after('eth_getBlockByNumber', nth, () => world.reorg(2, [[instead.raw, 0]]))
      await pass().catch((error: Error) => expect(error.message).toContain('the chain moved'))
      await pass()
      await pass()
      expect(proxy.afterCall).toBeUndefined()
      expect(await logsOf(world.superuser, note.txHash)).toMatchObject([{ finality: 'ORPHANED' }])
      expect(await noticesOf(world.superuser, note.txHash)).toEqual(['FACT_ORPHANED'])
      expect(await added()).toEqual({ notes: 1, total: 9 })
    },
  )

  it('during a confirm: what it recorded of a lost block is undone by the next pass', async () => {
    const note = await world.note(5n)
    after('eth_getBlockByHash', 1, async () => {
      await world.reorg(1)
      await world.follower.pass(direct.get(31337))
    })
    expect((await world.confirm(note)).status).toBe(200)
    expect(await pass()).toMatchObject({ orphanedFacts: 1 })
    expect((await world.recorded()).map(({ txHash }) => txHash)).not.toContain(note.txHash)
    expect(await noticesOf(world.superuser, note.txHash)).toEqual(['FACT_ORPHANED'])
    expect(await added()).toEqual({ notes: 0, total: 0 })
  })

  it('during a confirm: what the follower knows of the new place of the transaction is not overwritten', async () => {
    const note = await world.note(5n)
    await world.node.testClient.mine({ blocks: 2 })
    const raw = await world.rawTransaction(note.txHash)
    after('eth_getBlockByHash', 1, async () => {
      await world.reorg(3, [[raw, 1]])
      await world.follower.pass(direct.get(31337))
    })
    expect((await world.confirm(note)).status).toBe(200)
    expect(await pass()).toMatchObject({ orphanedFacts: 0 })
    const receipt = await world.node.publicClient.getTransactionReceipt({ hash: note.txHash })
    expect(await logsOf(world.superuser, note.txHash)).toMatchObject([{ blockHash: receipt.blockHash }])
    expect((await world.recorded()).map(({ txHash }) => txHash)).toContain(note.txHash)
    expect(await noticesOf(world.superuser, note.txHash)).toEqual([])
  })

  it('between two confirms: the second leaves the place of a live fact to the follower', async () => {
    const note = await world.note(5n)
    expect((await world.confirm(note)).status).toBe(200)
    await world.node.testClient.mine({ blocks: 1 })
    const raw = await world.rawTransaction(note.txHash)
    await world.reorg(2, [[raw, 1]])
    const other = await world.createInstance()
    expect((await world.confirm(note, other)).status).toBe(200)
    await pass()
    const receipt = await world.node.publicClient.getTransactionReceipt({ hash: note.txHash })
    expect(await logsOf(world.superuser, note.txHash)).toMatchObject([
      { blockHash: receipt.blockHash, finality: 'MINED' },
    ])
    for (const instance of [world.instance, other])
      expect((await world.recorded(instance)).map(({ txHash }) => txHash)).toContain(note.txHash)
  })

  it('and that another follower settled first: the slower one writes nothing', async () => {
    const note = await world.note(5n)
    await world.confirm(note)
    await pass()
    const instead = await world.signedNote(9n)
    await world.reorg(1, [[instead.raw, 0]])
    let settled: unknown
    after('eth_getLogs', 1, async () => {
      expect(await world.createFollower().pass(direct.get(31337))).toMatchObject({ orphanedFacts: 1, newFacts: 1 })
      settled = await everything()
    })
    expect(await pass()).toBeNull()
    expect(await everything()).toEqual(settled)
  })

  it('by losing its last block, seen by two followers at once: the fact is undone once', async () => {
    const note = await world.note(5n)
    await world.confirm(note)
    await world.rpc('anvil_rollback', [1])
    let open = 0
    // The seventh block that the slower one asks for is that of the fact.
    after('eth_getBlockByNumber', 7, async () => {
      open += 1
      expect(await world.createFollower().pass(direct.get(31337))).toMatchObject({ orphanedFacts: 1 })
    })
    expect(await pass()).toMatchObject({ orphanedFacts: 0 })
    expect(open).toBe(1)
    expect(await noticesOf(world.superuser, note.txHash)).toEqual(['FACT_ORPHANED'])
    expect(await added()).toEqual({ notes: 0, total: 0 })
  })

  it('while a confirm is about to commit: a pass that meets the same event waits for it', async () => {
    const note = await world.note(5n)
    const gate = world.totals.hold()
    const confirming = world.confirm(note)
    await gate.held
    const passing = pass()
    await lockWaiters(world.superuser, 1)
    gate.release()
    expect((await confirming).status).toBe(200)
    expect(await passing).toMatchObject({ newFacts: 0, orphanedFacts: 0 })
    expect(await added()).toEqual({ notes: 1, total: 5 })
  })

  it('while passes and confirms run at once: nothing is lost or doubled', async () => {
    const notes = []
    for (let amount = 1n; amount <= 8n; amount++) notes.push(await world.note(amount))
    const followers = [world.follower, world.createFollower(), world.createFollower()]
    const results = await Promise.all([
      ...notes.map(async (note) => (await world.confirm(note)).status),
      ...followers.map(async (follower) => {
        await follower.pass(world.served)
        return 200
      }),
    ])
    expect(new Set(results)).toEqual(new Set([200]))
    await pass()
    expect(await added()).toEqual({ notes: 8, total: 36 })
    for (const { txHash } of notes) expect(await logsOf(world.superuser, txHash)).toHaveLength(1)
    const recorded = (await world.recorded()).map(({ txHash }) => txHash)
    expect(recorded.slice(0, 8)).toEqual(notes.map(({ txHash }) => txHash).reverse())
  })
})
