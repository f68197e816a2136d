import { callerAbi, callerBytecode, notaryAbi, notaryBytecode } from '@tallystick/abi/testing'
import { deploy, send } from '@tallystick/testkit'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { chainRows, createNotaryWorld, logsOf, type NotaryWorld, totalsOf } from '../../test/notary-world.ts'
import { type RpcProxy, rpcProxy } from '../../test/rpc-proxy.ts'

describe('following a chain', () => {
  let world: NotaryWorld
  let proxy: RpcProxy

  beforeAll(async () => {
    world = await createNotaryWorld({
      rpcUrls: async (node) => {
        proxy = await rpcProxy(node.url)
        return [proxy.url]
      },
    })
    // From its first recording on, the notary is watched.
    expect((await world.confirm(await world.note())).status).toBe(200)
    await world.follower.pass(world.served)
  })
  afterAll(async () => {
    await world.close()
    await proxy.stop()
  })

  async function catchUp(follower = world.follower): Promise<{ passes: number; newFacts: number }> {
    let newFacts = 0
    for (let passes = 1; ; passes++) {
      const report = await follower.pass(world.served)
      newFacts += report?.newFacts ?? 0
      if (report && report.followedTo === report.head) return { passes, newFacts }
    }
  }
  const finalityOf = async (txHash: Hex) => (await logsOf(world.superuser, txHash))[0]?.finality

  it('picks up effects that nobody confirmed, and records them for nobody', async () => {
    await catchUp()
    const before = await totalsOf(world.superuser, world.notary)
    const note = await world.note(40n)
    expect(await world.follower.pass(world.served)).toMatchObject({ newFacts: 1, orphanedFacts: 0 })
    const [fact] =
      await world.superuser`select subject, operation, effect from chain_facts where tx_hash = ${note.txHash}`
    expect(fact).toEqual({
      subject: world.notary,
      operation: 'recordNote',
      effect: { id: note.id, amount: '40', by: world.node.walletClient.account.address.toLowerCase() },
    })
    expect(await totalsOf(world.superuser, world.notary)).toEqual({ notes: before.notes + 1, total: before.total + 40 })
    expect((await world.recorded()).map(({ txHash }) => txHash)).not.toContain(note.txHash)
  })

  it('finds the facts of a confirm and of a pass to be the same rows', async () => {
    const note = await world.note()
    await world.confirm(note)
    await catchUp()
    const confirmed = (await chainRows(world.superuser)).chain_logs?.find((row) => row.tx_hash === note.txHash)
    await world.superuser`delete from chain_logs where tx_hash = ${note.txHash}`
    await world.superuser`update watched_contracts set scanned_to = ${String(confirmed?.block_number)}::numeric - 1`
    await catchUp()
    const followed = (await chainRows(world.superuser)).chain_logs?.find((row) => row.tx_hash === note.txHash)
    expect({ ...followed, finality: null }).toEqual({ ...confirmed, finality: null })
  })

  it('ignores contracts that nobody watches', async () => {
    const stranger = await deploy(world.node, { abi: notaryAbi, bytecode: notaryBytecode })
    const call = { address: stranger, abi: notaryAbi, functionName: 'record', args: [world.newId(), 5n] }
    await send(world.node, call)
    expect((await catchUp()).newFacts).toBe(0)
  })

  it('catches up after being away, over several passes, and misses nothing', async () => {
    await catchUp()
    const before = await totalsOf(world.superuser, world.notary)
    for (let round = 0; round < 3; round++) {
      await world.note(1n)
      await world.node.testClient.mine({ blocks: 15 })
    }
    const { passes, newFacts } = await catchUp(world.createFollower({ blocksPerPass: 20n }))
    expect(newFacts).toBe(3)
    expect(passes).toBeGreaterThan(1)
    expect(await totalsOf(world.superuser, world.notary)).toEqual({ notes: before.notes + 3, total: before.total + 3 })
  })

  it('asks for no more blocks of events than it may and no more than 100 calls at once', async () => {
    const old = (await deploy(world.node, { abi: notaryAbi, bytecode: notaryBytecode })).toLowerCase() as Address
    const id = world.newId()
    const call = { address: old, abi: notaryAbi, functionName: 'record' }
    const first = await send(world.node, { ...call, args: [id, 5n] })
    for (let at = 0; at < 55; at++) await send(world.node, { ...call, args: [world.newId(), 1n] })
    await world.node.testClient.mine({ blocks: 40 })
    await catchUp()
    const asked: bigint[] = []
    proxy.requests.length = 0
    proxy.replaceAnswer = ({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex }
      asked.push(BigInt(toBlock) - BigInt(fromBlock) + 1n)
      return undefined
    }
    onTestFinished(() => {
      proxy.replaceAnswer = undefined
    })
    const body = { id, amount: '5', txHash: first.transactionHash }
    expect((await world.instance.call('POST', `/test/api/notary/${old}/record`, { body })).status).toBe(200)
    expect((await catchUp(world.createFollower({ blocksPerPass: 60n }))).newFacts).toBe(55)
    expect(asked.length).toBeGreaterThan(1)
    for (const blocks of asked) expect(blocks).toBeLessThanOrEqual(60n)
    for (const request of proxy.requests) expect(request.length).toBeLessThanOrEqual(100)
    expect(await totalsOf(world.superuser, old)).toEqual({ notes: 56, total: 60 })
  })

  it('reads a newly watched contract from its first recording on, and goes back when an older one is recorded', async () => {
    const address = (await deploy(world.node, { abi: notaryAbi, bytecode: notaryBytecode })).toLowerCase() as Address
    const noteThere = async (amount: bigint) => {
      const id = world.newId()
      const { transactionHash } = await send(world.node, {
        address,
        abi: notaryAbi,
        functionName: 'record',
        args: [id, amount],
      })
      return { id, amount: amount.toString(), txHash: transactionHash }
    }
    const confirm = (body: object) => world.instance.call('POST', `/test/api/notary/${address}/record`, { body })
    const notes = [await noteThere(1n), await noteThere(2n), await noteThere(4n), await noteThere(8n)]
    await catchUp()
    expect((await confirm(notes[2] ?? {})).status).toBe(200)
    await catchUp()
    expect(await totalsOf(world.superuser, address)).toEqual({ notes: 2, total: 12 })
    expect((await confirm(notes[0] ?? {})).status).toBe(200)
    await catchUp()
    expect(await totalsOf(world.superuser, address)).toEqual({ notes: 4, total: 15 })
  })

  it('stores every effect of one transaction under its own place in it', async () => {
    const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    const calls = [1n, 2n, 3n].map((amount) => ({
      target: world.notary,
      value: 0n,
      callData: world.calldata(world.newId(), amount),
    }))
    const { transactionHash } = await send(world.node, {
      address: caller,
      abi: callerAbi,
      functionName: 'callAll',
      args: [calls, false],
    })
    expect((await catchUp()).newFacts).toBe(3)
    expect((await logsOf(world.superuser, transactionHash)).map(({ logIndex }) => logIndex)).toEqual([0, 1, 2])
  })

  it('never doubles anything when several followers look at once', async () => {
    await catchUp()
    const before = await totalsOf(world.superuser, world.notary)
    const notes = [await world.note(), await world.note(), await world.note()]
    const followers = Array.from({ length: 4 }, () => world.createFollower())
    const reports = await Promise.all(followers.map((follower) => follower.pass(world.served)))
    expect(reports.reduce((sum, report) => sum + (report?.newFacts ?? 0), 0)).toBe(3)
    await Promise.all(followers.map((follower) => follower.pass(world.served)))
    for (const { txHash } of notes) expect(await logsOf(world.superuser, txHash)).toHaveLength(1)
    expect(await totalsOf(world.superuser, world.notary)).toEqual({ notes: before.notes + 3, total: before.total + 15 })
  })

  it('raises an event from MINED over SAFE to FINALIZED as blocks arrive', async () => {
    const note = await world.note()
    await world.confirm(note)
    const seen = []
    for (let block = 0; block < 3; block++) {
      await catchUp()
      seen.push((await world.recorded()).find(({ txHash }) => txHash === note.txHash)?.finality)
      await world.node.testClient.mine({ blocks: 1 })
    }
    expect(seen).toEqual(['MINED', 'SAFE', 'FINALIZED'])
  })

  it.each([
    ['answers nothing for', { result: null }],
    ['refuses', { error: { code: -32602, message: 'unknown block tag' } }],
  ])('counts confirmations on a chain that %s the tags', async (_, answer) => {
    proxy.replaceAnswer = ({ params }) => (['safe', 'finalized'].includes(String(params[0])) ? answer : undefined)
    onTestFinished(() => {
      proxy.replaceAnswer = undefined
    })
    const note = await world.note()
    await catchUp()
    const seen = []
    for (let block = 0; block < 4; block++) {
      await world.follower.pass(world.served)
      seen.push(await finalityOf(note.txHash))
      await world.node.testClient.mine({ blocks: 1 })
    }
    expect(seen).toEqual(['MINED', 'MINED', 'MINED', 'FINALIZED'])
  })
})
