import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, send } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createNotaryWorld,
  logsOf,
  type NotaryWorld,
  type Note,
  noticesOf,
  rowsOf,
  totalsOf,
} from '../../test/notary-world.ts'

describe('a transaction that a reorganization took', () => {
  let world: NotaryWorld
  let before: { notes: number; total: number }

  beforeAll(async () => {
    world = await createNotaryWorld()
    expect((await world.confirm(await world.note())).status).toBe(200)
    await world.follower.pass(world.served)
  })
  beforeEach(async () => {
    await world.node.testClient.mine({ blocks: 1 })
    await world.follower.pass(world.served)
    before = await totalsOf(world.superuser, world.notary)
  })
  afterAll(() => world.close())

  const pass = () => world.follower.pass(world.served)
  const isShown = async ({ txHash }: Note) => (await world.recorded()).some((one) => one.txHash === txHash)
  /** What the notes that came since the test began add up to, as the product derived it. */
  async function added() {
    const { notes, total } = await totalsOf(world.superuser, world.notary)
    return { notes: notes - before.notes, total: total - before.total }
  }

  it('is restored with its recording when it is mined again', async () => {
    const note = await world.note(5n)
    await world.confirm(note)
    await pass()
    const facts = await rowsOf(world.superuser, 'chain_facts')
    const raw = await world.rawTransaction(note.txHash)
    await world.reorg(1)
    await pass()
    expect(await isShown(note)).toBe(false)
    await world.rpc('eth_sendRawTransactionSync', [raw])
    expect(await pass()).toMatchObject({ orphanedFacts: 0 })
    expect(await isShown(note)).toBe(true)
    const receipt = await world.node.publicClient.getTransactionReceipt({ hash: note.txHash })
    expect(await logsOf(world.superuser, note.txHash)).toMatchObject([
      { finality: 'MINED', blockHash: receipt.blockHash, blockNumber: receipt.blockNumber.toString() },
    ])
    expect(await noticesOf(world.superuser, note.txHash)).toEqual(['FACT_ORPHANED', 'FACT_RESTORED'])
    expect(await rowsOf(world.superuser, 'chain_facts')).toEqual(facts)
    expect(await added()).toEqual({ notes: 1, total: 5 })
    await pass()
    expect(await noticesOf(world.superuser, note.txHash)).toEqual(['FACT_ORPHANED', 'FACT_RESTORED'])
  })

  it('keeps its recording when it is mined again at another place of a block', async () => {
    const note = await world.note(5n)
    await world.confirm(note)
    await pass()
    const ahead = await world.signedNote(9n)
    const raw = await world.rawTransaction(note.txHash)
    await world.reorg(1, [
      [ahead.raw, 0],
      [raw, 0],
    ])
    expect(await pass()).toMatchObject({ orphanedFacts: 1, newFacts: 1 })
    expect(await logsOf(world.superuser, note.txHash)).toMatchObject([
      { finality: 'MINED', blockLogIndex: 1, logIndex: 0 },
    ])
    expect(await isShown(note)).toBe(true)
    expect(await noticesOf(world.superuser, note.txHash)).toEqual(['FACT_ORPHANED', 'FACT_RESTORED'])
    expect(await added()).toEqual({ notes: 2, total: 14 })
  })

  it('is restored by a confirm too, with one notice', async () => {
    const other = await world.createInstance()
    const note = await world.note(5n)
    await world.confirm(note)
    await pass()
    const raw = await world.rawTransaction(note.txHash)
    await world.reorg(1)
    await pass()
    await world.rpc('eth_sendRawTransactionSync', [raw])
    expect((await world.confirm(note, other)).status).toBe(200)
    expect(await isShown(note)).toBe(true)
    await pass()
    expect(await noticesOf(world.superuser, note.txHash)).toEqual(['FACT_ORPHANED', 'FACT_RESTORED'])
    expect(await added()).toEqual({ notes: 1, total: 5 })
  })

  describe('and that does other things when it is mined again', () => {
    let caller: Address
    let ids: { a: Hex; b: Hex; c: Hex }
    let txHash: Hex

    /** Notes a and b stand or fall together; c is taken in any case. */
    beforeEach(async () => {
      caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
      await world.node.testClient.mine({ blocks: 1 })
      ids = { a: world.newId(), b: world.newId(), c: world.newId() }
      const call = (id: Hex, amount: bigint) => ({
        target: world.notary,
        value: 0n,
        callData: world.calldata(id, amount),
      })
      const both = encodeFunctionData({
        abi: callerAbi,
        functionName: 'callAll',
        args: [[call(ids.a, 1n), call(ids.b, 2n)], false],
      })
      const receipt = await send(world.node, {
        address: caller,
        abi: callerAbi,
        functionName: 'callAll',
        args: [[{ target: caller, value: 0n, callData: both }, call(ids.c, 4n)], true],
        gas: 1_000_000n,
      })
      txHash = receipt.transactionHash
    })
    const confirm = (id: Hex, amount: string) => world.confirm({ id, amount, txHash })
    const recordedIds = async () =>
      (await world.recorded())
        .filter((one) => one.txHash === txHash)
        .map(({ id }) => id)
        .sort()
    const logs = async () =>
      (await logsOf(world.superuser, txHash)).map(({ logIndex, finality }) => `${logIndex} ${finality}`)

    it('shows as recorded what was recorded and still happened, wherever it stands now', async () => {
      await confirm(ids.b, '2')
      await confirm(ids.c, '4')
      await pass()
      expect(await recordedIds()).toEqual([ids.b, ids.c])
      const raw = await world.rawTransaction(txHash)

      // Somebody else takes note b first: a and b fail, and c moves from place 2 to place 1, where b was.
      const takeB = await world.signedNote(64n, ids.b)
      await world.reorg(1, [
        [takeB.raw, 0],
        [raw, 0],
      ])
      await pass()
      expect(await recordedIds()).toEqual([ids.c])
      expect(await added()).toEqual({ notes: 2, total: 68 })
      expect(await logs()).toEqual(['-1 ORPHANED', '0 ORPHANED', '1 MINED', '2 ORPHANED'])

      // And back again: everything stands where it stood.
      await world.reorg(1, [[raw, 0]])
      await pass()
      expect(await recordedIds()).toEqual([ids.b, ids.c])
      expect(await added()).toEqual({ notes: 3, total: 7 })
      expect((await logs()).filter((line) => line.endsWith('MINED'))).toEqual(['0 MINED', '1 MINED', '2 MINED'])
    })

    it('can be confirmed for what it does now, before the follower came by', async () => {
      await confirm(ids.b, '2')
      await pass()
      const raw = await world.rawTransaction(txHash)
      const takeB = await world.signedNote(64n, ids.b)
      await world.reorg(1)
      await pass()
      await world.reorg(1, [
        [takeB.raw, 0],
        [raw, 0],
      ])
      expect((await confirm(ids.b, '2')).body.error.code).toBe('TX_NOT_VERIFIED')
      expect((await confirm(ids.c, '4')).status).toBe(200)
      expect(await recordedIds()).toEqual([ids.c])
      await pass()
      expect(await recordedIds()).toEqual([ids.c])
      expect(await added()).toEqual({ notes: 2, total: 68 })
    })
  })
})
