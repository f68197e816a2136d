import {
  callerAbi,
  callerBytecode,
  notaryAbi,
  notaryLookalikeAbi,
  notaryLookalikeBytecode,
} from '@tallystick/abi/testing'
import { deploy, deployEntryPoint, deploySafe, type SmartAccount, send, wallet } from '@tallystick/testkit'
import { type Address, concat, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainRows, createNotaryWorld, type NotaryWorld } from '../../test/notary-world.ts'

describe('confirming a transaction by its effect', () => {
  let world: NotaryWorld
  let caller: Address
  let lookalike: Address

  beforeAll(async () => {
    world = await createNotaryWorld()
    caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    lookalike = await deploy(world.node, { abi: notaryLookalikeAbi, bytecode: notaryLookalikeBytecode })
  })
  afterAll(() => world.close())

  async function throughCaller(calls: { to: Address; data: Hex }[], allowFailure = false): Promise<Hex> {
    const list = calls.map(({ to, data }) => ({ target: to, value: 0n, callData: data }))
    const call = { address: caller, abi: callerAbi, functionName: 'callAll', args: [list, allowFailure] }
    return (await send(world.node, call)).transactionHash
  }
  const recordCall = (id: Hex, amount = 5n, to = world.notary) => ({ to, data: world.calldata(id, amount) })
  const sendRaw = async (to: Address, data: Hex, gas?: bigint): Promise<Hex> => {
    const hash = await world.node.walletClient.sendTransaction({ to, data, ...(gas === undefined ? {} : { gas }) })
    await world.node.publicClient.waitForTransactionReceipt({ hash })
    return hash
  }

  /** The answer is this refusal, and the refusal left no trace. */
  async function refused(note: { id: Hex; amount: string; txHash: Hex }, status: number, code: string) {
    const before = await chainRows(world.superuser)
    const answer = await world.confirm(note)
    expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code })
    expect(await chainRows(world.superuser)).toEqual(before)
    return answer
  }

  describe('accepts', () => {
    it('a direct call, and does not say that a log proved it', async () => {
      const note = await world.note(7n)
      const { status, body } = await world.confirm(note)
      expect(status).toBe(200)
      const receipt = await world.node.publicClient.getTransactionReceipt({ hash: note.txHash })
      expect(body.data).toEqual({ ...note, by: receipt.from.toLowerCase() })
      expect(body.metadata).toMatchObject({
        blockNumber: receipt.blockNumber.toString(),
        blockHash: receipt.blockHash,
        chainTime: expect.any(Number),
      })
    })

    it('a hash in uppercase digits, and answers it in lowercase', async () => {
      const note = await world.note()
      const shouted = `0x${note.txHash.slice(2).toUpperCase()}` as Hex
      expect((await world.confirm({ ...note, txHash: shouted })).body.data.txHash).toBe(note.txHash)
      expect((await world.recorded()).map(({ txHash }) => txHash)).toContain(note.txHash)
    })

    it('a direct call with trailing bytes behind its arguments', async () => {
      const id = world.newId()
      const txHash = await sendRaw(world.notary, concat([world.calldata(id, 5n), '0xdeadbeef']))
      const { status, body } = await world.confirm({ id, amount: '5', txHash })
      expect(status).toBe(200)
      expect(body.data.verifiedBy).toBeUndefined()
    })

    it('a call wrapped in a multicall, also when another call of it failed', async () => {
      const id = world.newId()
      const txHash = await throughCaller([recordCall(world.newId(), 0n), recordCall(id), recordCall(id)], true)
      const { status, body } = await world.confirm({ id, amount: '5', txHash })
      expect(status).toBe(200)
      expect(body.data).toEqual({ id, amount: '5', by: caller.toLowerCase(), txHash, verifiedBy: 'receipt-log' })
    })

    it('each of several effects of one transaction', async () => {
      const [first, second] = [world.newId(), world.newId()]
      const txHash = await throughCaller([recordCall(first, 1n), recordCall(second, 2n)])
      expect((await world.confirm({ id: second, amount: '2', txHash })).status).toBe(200)
      expect((await world.confirm({ id: first, amount: '1', txHash })).status).toBe(200)
      const mine = (await world.recorded()).filter((one) => one.txHash === txHash)
      expect(mine.map(({ id }) => id)).toEqual([second, first])
    })

    it('one effect, and takes down whatever else the contracts said in the same transaction', async () => {
      const [named, other] = [world.newId(), world.newId()]
      const txHash = await throughCaller([recordCall(other, 3n), recordCall(named, 4n)])
      expect((await world.confirm({ id: named, amount: '4', txHash })).status).toBe(200)
      const facts = await world.superuser<{ id: Hex }[]>`
        select effect ->> 'id' as id from chain_live_facts where tx_hash = ${txHash} order by log_index`
      expect(facts.map(({ id }) => id)).toEqual([other, named])
      const mine = (await world.recorded()).filter((one) => one.txHash === txHash)
      expect(mine.map(({ id }) => id)).toEqual([named])
    })

    it('an effect beside a log without topics', async () => {
      // Init code that returns five bytes of runtime: LOG0 of nothing.
      const silent = await deploy(world.node, { abi: [], bytecode: '0x645f5fa0005f5f526005601bf3' })
      const id = world.newId()
      const txHash = await throughCaller([{ to: silent, data: '0x' }, recordCall(id)])
      const receipt = await world.node.publicClient.getTransactionReceipt({ hash: txHash })
      expect(receipt.logs.map(({ topics }) => topics.length)).toEqual([0, 3])
      expect((await world.confirm({ id, amount: '5', txHash })).status).toBe(200)
    })

    it('another operation of the same contract', async () => {
      const { id } = await world.note()
      const txHash = await sendRaw(
        world.notary,
        encodeFunctionData({ abi: notaryAbi, functionName: 'erase', args: [id] }),
      )
      const answer = await world.instance.call('POST', `/test/api/notary/${world.notary}/erase`, {
        body: { id, txHash },
      })
      expect(answer.status).toBe(200)
      expect(answer.body.data).toMatchObject({ id, txHash })
      await refused({ id, amount: '5', txHash }, 400, 'TX_WRONG_FUNCTION')
    })
  })

  describe('through a Safe', () => {
    it('proves the effect by the log, and refuses a call that failed inside', async () => {
      const safe = await deploySafe(world.node, [wallet(1), wallet(2)])
      const id = world.newId()
      const done = await safe.execThroughSafe(recordCall(id))
      const { body } = await world.confirm({ id, amount: '5', txHash: done.receipt.transactionHash })
      expect(body.data).toMatchObject({ id, by: safe.address.toLowerCase(), verifiedBy: 'receipt-log' })

      const failed = await safe.execThroughSafe(recordCall(id))
      expect(failed).toMatchObject({ innerSucceeded: false, receipt: { status: 'success' } })
      const answer = await refused({ id, amount: '5', txHash: failed.receipt.transactionHash }, 400, 'TX_REVERTED')
      expect(answer.body.error.message).toContain('the call inside it failed')
    })
  })

  describe('through an ERC-4337 entry point', () => {
    let account: SmartAccount
    beforeAll(async () => {
      account = await (await deployEntryPoint(world.node)).createAccount(wallet(6))
    })

    it('proves the effect by the log', async () => {
      const id = world.newId()
      const done = await account.execThroughAccount(recordCall(id))
      const { body } = await world.confirm({ id, amount: '5', txHash: done.receipt.transactionHash })
      expect(body.data).toMatchObject({ id, by: account.address.toLowerCase(), verifiedBy: 'receipt-log' })
    })

    it('refuses an operation that failed inside', async () => {
      const id = world.newId()
      const failed = await account.execThroughAccount(recordCall(id), { failInner: true })
      expect(failed).toMatchObject({ innerSucceeded: false, receipt: { status: 'success' } })
      await refused({ id, amount: '5', txHash: failed.receipt.transactionHash }, 400, 'TX_REVERTED')
    })
  })

  describe('through a bundle of several accounts', () => {
    it('answers TX_NOT_VERIFIED where the claimed call failed beside another that did something', async () => {
      const entryPoint = await deployEntryPoint(world.node)
      const [first, second] = [await entryPoint.createAccount(wallet(6)), await entryPoint.createAccount(wallet(7))]
      const [done, claimed] = [world.newId(), world.newId()]
      const { receipt, succeeded } = await entryPoint.bundle([
        await first.signOperation(recordCall(done)),
        await second.signOperation(recordCall(claimed), { failInner: true }),
      ])
      expect(succeeded).toEqual([true, false])
      const txHash = receipt.transactionHash
      const { body } = await refused({ id: claimed, amount: '5', txHash }, 400, 'TX_NOT_VERIFIED')
      expect(body.error.message).toContain('A call inside the transaction failed')
      expect((await world.confirm({ id: done, amount: '5', txHash })).status).toBe(200)
    })
  })

  describe('as any of several calls', () => {
    const confirmAny = (txHash: Hex) =>
      world.instance.call('POST', `/test/api/notary/${world.notary}/confirm`, { body: { txHash } })
    const eraseCall = (id: Hex) => ({
      to: world.notary,
      data: encodeFunctionData({ abi: notaryAbi, functionName: 'erase', args: [id] }),
    })
    const recordingsOf = (txHash: Hex) =>
      world.superuser`select operation, verified_by from recordings where tx_hash = ${txHash} order by log_index`

    it('tells which one was called directly, and records it once', async () => {
      const { id, txHash } = await world.note()
      const { body } = await confirmAny(txHash)
      expect(body.data).toEqual({ functionName: 'record', did: [`recordNote ${id}`], txHash })
      const erased = await sendRaw(world.notary, eraseCall(id).data)
      expect((await confirmAny(erased)).body.data).toMatchObject({ functionName: 'erase', did: [`eraseNote ${id}`] })
      expect((await confirmAny(erased)).status).toBe(200)
      expect(await recordingsOf(erased)).toEqual([{ operation: 'eraseNote', verified_by: 'call' }])
    })

    it('records everything that a wrapper did, and names the first accepted call', async () => {
      const [kept, gone] = [world.newId(), world.newId()]
      const txHash = await throughCaller([recordCall(gone), eraseCall(gone), recordCall(kept)])
      const { data } = (await confirmAny(txHash)).body
      expect(data).toMatchObject({ functionName: 'record', verifiedBy: 'receipt-log' })
      expect(data.did).toEqual([`recordNote ${gone}`, `recordNote ${kept}`, `eraseNote ${gone}`])
      const proven = { verified_by: 'receipt-log' }
      expect(await recordingsOf(txHash)).toEqual([
        { operation: 'recordNote', ...proven },
        { operation: 'eraseNote', ...proven },
        { operation: 'recordNote', ...proven },
      ])
    })

    it('refuses what is none of them, and writes nothing', async () => {
      const before = await chainRows(world.superuser)
      const failed = await sendRaw(world.notary, world.calldata(world.newId(), 0n), 200_000n)
      for (const [txHash, status, code] of [
        [`0x${'cd'.repeat(32)}` as Hex, 404, 'TX_NOT_FOUND'],
        [failed, 400, 'TX_REVERTED'],
        [await sendRaw(lookalike, world.calldata(world.newId(), 5n)), 400, 'TX_WRONG_TARGET'],
        [await sendRaw(wallet(3).address, '0x'), 400, 'TX_WRONG_TARGET'],
      ] as const) {
        const answer = await confirmAny(txHash)
        expect([answer.status, answer.body.error.code]).toEqual([status, code])
      }
      expect(await chainRows(world.superuser)).toEqual(before)
    })
  })

  describe('refuses, and writes nothing for', () => {
    it('the same event from another contract, called directly', async () => {
      const id = world.newId()
      await refused(
        { id, amount: '5', txHash: await sendRaw(lookalike, world.calldata(id, 5n)) },
        400,
        'TX_WRONG_TARGET',
      )
    })

    it('the same event from another contract, wrapped', async () => {
      const id = world.newId()
      const txHash = await throughCaller([recordCall(id, 5n, lookalike)])
      await refused({ id, amount: '5', txHash }, 400, 'TX_WRONG_TARGET')
    })

    it('the same event from another contract beside an unrelated effect of the right one', async () => {
      const id = world.newId()
      const txHash = await throughCaller([recordCall(id, 5n, lookalike), recordCall(world.newId())])
      await refused({ id, amount: '5', txHash }, 400, 'TX_NOT_VERIFIED')
    })

    it('a wrapped call that failed while the transaction went on', async () => {
      const id = world.newId()
      const txHash = await throughCaller([recordCall(id, 0n)], true)
      await refused({ id, amount: '0', txHash }, 400, 'TX_WRONG_TARGET')
    })

    it('another target', async () => {
      const txHash = await sendRaw(wallet(3).address, '0x')
      await refused({ id: world.newId(), amount: '5', txHash }, 400, 'TX_WRONG_TARGET')
    })

    it('a transaction that created a contract', async () => {
      const hash = await world.node.walletClient.deployContract({ abi: callerAbi, bytecode: callerBytecode })
      await world.node.publicClient.waitForTransactionReceipt({ hash })
      await refused({ id: world.newId(), amount: '5', txHash: hash }, 400, 'TX_WRONG_TARGET')
    })

    it('another entity or another amount, direct and wrapped', async () => {
      const direct = await world.note(5n)
      await refused({ ...direct, id: world.newId() }, 400, 'TX_NOT_VERIFIED')
      await refused({ ...direct, amount: '6' }, 400, 'TX_NOT_VERIFIED')
      const id = world.newId()
      const txHash = await throughCaller([recordCall(id)])
      await refused({ id: world.newId(), amount: '5', txHash }, 400, 'TX_NOT_VERIFIED')
      await refused({ id, amount: '6', txHash }, 400, 'TX_NOT_VERIFIED')
    })

    it('a transaction that reverted', async () => {
      const id = world.newId()
      const txHash = await sendRaw(world.notary, world.calldata(id, 0n), 200_000n)
      await refused({ id, amount: '0', txHash }, 400, 'TX_REVERTED')
    })

    it('a hash that nobody ever saw, and says when to ask again', async () => {
      const txHash: Hex = `0x${'ab'.repeat(32)}`
      const answer = await refused({ id: world.newId(), amount: '5', txHash }, 404, 'TX_NOT_FOUND')
      expect(answer.headers['retry-after']).toBe('1')
    })
  })
})
