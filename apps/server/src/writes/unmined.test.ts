import { notaryAbi, notaryBytecode } from '@tallystick/abi/testing'
import { deploy, send, startTestChain, wallet } from '@tallystick/testkit'
import { type Hex, parseGwei } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { chainRows, createNotaryWorld, type NotaryWorld } from '../../test/notary-world.ts'

describe('confirming a transaction that is not mined', () => {
  let world: NotaryWorld
  const sender = wallet(4)

  beforeAll(async () => {
    world = await createNotaryWorld()
    await world.follower.pass(world.served)
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    await world.node.testClient.setAutomine(false)
    onTestFinished(() => world.node.testClient.setAutomine(true))
  })

  async function broadcast(id: Hex, amount: bigint, nonce: number, gwei: number): Promise<Hex> {
    return world.node.walletClient.sendTransaction({
      account: sender,
      to: world.notary,
      data: world.calldata(id, amount),
      nonce,
      gas: 200_000n,
      maxFeePerGas: parseGwei(String(gwei)),
      maxPriorityFeePerGas: parseGwei(String(gwei)),
    })
  }
  const nextNonce = () => world.node.publicClient.getTransactionCount({ address: sender.address })

  async function notFound(id: Hex, amount: string, txHash: Hex) {
    const before = await chainRows(world.superuser)
    const { status, headers, body } = await world.confirm({ id, amount, txHash })
    expect({ status, code: body.error?.code, wait: headers['retry-after'] }).toEqual({
      status: 404,
      code: 'TX_NOT_FOUND',
      wait: '1',
    })
    expect(await chainRows(world.superuser)).toEqual(before)
  }

  it('answers TX_NOT_FOUND while it waits, and confirms it once it is mined', async () => {
    const id = world.newId()
    const txHash = await broadcast(id, 5n, await nextNonce(), 10)
    await notFound(id, '5', txHash)
    await world.node.testClient.mine({ blocks: 1 })
    expect((await world.confirm({ id, amount: '5', txHash })).status).toBe(200)
  })

  it('never confirms the replaced one; the follower picks up what its replacement did', async () => {
    await world.node.testClient.setAutomine(true)
    expect((await world.confirm(await world.note())).status).toBe(200)
    await world.node.testClient.setAutomine(false)
    const [first, second] = [world.newId(), world.newId()]
    const nonce = await nextNonce()
    const replaced = await broadcast(first, 5n, nonce, 10)
    const replacement = await broadcast(second, 6n, nonce, 30)
    await notFound(first, '5', replaced)
    await world.node.testClient.mine({ blocks: 1 })
    await notFound(first, '5', replaced)
    await world.follower.pass(world.served)
    const facts =
      await world.superuser`select effect->>'id' as id, tx_hash from chain_facts where tx_hash in (${replaced}, ${replacement})`
    expect([...facts]).toEqual([{ id: second, tx_hash: replacement }])
  })

  it('never confirms one that was dropped', async () => {
    const id = world.newId()
    const txHash = await broadcast(id, 5n, await nextNonce(), 10)
    await world.node.testClient.dropTransaction({ hash: txHash })
    await notFound(id, '5', txHash)
    await world.node.testClient.mine({ blocks: 1 })
    await notFound(id, '5', txHash)
  })

  it('does not know a transaction of another chain', async () => {
    const other = await startTestChain({ chainId: 31338 })
    onTestFinished(() => other.stop())
    const address = await deploy(other, { abi: notaryAbi, bytecode: notaryBytecode })
    expect(address.toLowerCase()).toBe(world.notary)
    const id = world.newId()
    const call = { address, abi: notaryAbi, functionName: 'record', args: [id, 5n] }
    const { transactionHash } = await send(other, call)
    await notFound(id, '5', transactionHash)
  })
})
