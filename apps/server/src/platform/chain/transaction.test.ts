import { callerAbi, callerBytecode, notaryAbi, notaryBytecode } from '@tallystick/abi/testing'
import { deploy, send, startEmptyChain, type TestChain } from '@tallystick/testkit'
import { encodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { systemClock } from '../clock.ts'
import { ChainDisagreementError } from './agreement.ts'
import { type Chain, createChain } from './chain.ts'
import { ChainUnavailableError, createRpc } from './rpc.ts'
import { readTransaction } from './transaction.ts'

describe('reading a transaction', () => {
  let node: TestChain
  let proxy: RpcProxy
  let chain: Chain
  let notary: Hex
  let signer: Hex
  let ids = 0

  beforeAll(async () => {
    node = await startEmptyChain()
    proxy = await rpcProxy(node.url)
    chain = createChain(31_337, createRpc([proxy.url], { timeoutMs: 5_000, clock: systemClock }))
    notary = (await deploy(node, { abi: notaryAbi, bytecode: notaryBytecode })).toLowerCase() as Hex
    signer = node.walletClient.account.address
  })
  beforeEach(() => {
    proxy.replaceAnswer = undefined
  })
  afterAll(async () => {
    await chain.rpc.close()
    await proxy.stop()
    await node.stop()
  })

  const freshId = () => keccak256(toHex(++ids))
  const recordData = (id: Hex) => encodeFunctionData({ abi: notaryAbi, functionName: 'record', args: [id, 5n] })
  const record = (id = freshId()) =>
    send(node, { address: notary, abi: notaryAbi, functionName: 'record', args: [id, 5n] })

  it('shows who called what, with which effect, in which block', async () => {
    const id = freshId()
    const receipt = await record(id)
    const block = await node.publicClient.getBlock({ blockHash: receipt.blockHash })
    expect(await readTransaction(chain, receipt.transactionHash)).toEqual({
      hash: receipt.transactionHash,
      from: signer.toLowerCase(),
      to: notary,
      input: recordData(id),
      succeeded: true,
      gasUsed: receipt.gasUsed,
      logs: [expect.objectContaining({ address: notary, topics: receipt.logs[0]?.topics, logIndex: 0 })],
      block: { number: block.number, hash: block.hash, parentHash: block.parentHash, time: Number(block.timestamp) },
    })
  })

  it('shows every log in order, lowercased', async () => {
    const caller = await deploy(node, { abi: callerAbi, bytecode: callerBytecode })
    const calls = [freshId(), freshId()].map((id) => ({ target: notary, value: 0n, callData: recordData(id) }))
    const { transactionHash } = await send(node, {
      address: caller,
      abi: callerAbi,
      functionName: 'callAll',
      args: [calls, false],
    })
    const read = await readTransaction(chain, transactionHash)
    expect(read?.to).toBe(caller.toLowerCase())
    expect(read?.logs.map(({ address, logIndex }) => [address, logIndex])).toEqual([
      [notary, 0],
      [notary, 1],
    ])
  })

  it('shows a failed transaction as failed, and one that created a contract without a target', async () => {
    const id = freshId()
    await record(id)
    const failing = await node.walletClient.sendTransaction({ to: notary, data: recordData(id), gas: 200_000n })
    await node.publicClient.waitForTransactionReceipt({ hash: failing })
    expect(await readTransaction(chain, failing)).toMatchObject({ succeeded: false, to: notary, logs: [] })
    const creating = await node.walletClient.deployContract({ abi: notaryAbi, bytecode: notaryBytecode })
    await node.publicClient.waitForTransactionReceipt({ hash: creating })
    expect(await readTransaction(chain, creating)).toMatchObject({ succeeded: true, to: null })
  })

  it('finds nothing for a hash that is unknown or not mined yet', async () => {
    expect(await readTransaction(chain, freshId())).toBeNull()
    await node.testClient.setAutomine(false)
    try {
      const hash = await node.walletClient.sendTransaction({ to: notary, data: recordData(freshId()), gas: 200_000n })
      expect(await readTransaction(chain, hash)).toBeNull()
      await node.testClient.mine({ blocks: 1 })
      expect(await readTransaction(chain, hash)).toMatchObject({ succeeded: true })
    } finally {
      await node.testClient.setAutomine(true)
    }
  })

  it.each([
    ['the receipt', 'eth_getTransactionReceipt'],
    ['the transaction', 'eth_getTransactionByHash'],
    ['its block', 'eth_getBlockByHash'],
  ])('is unavailable, not "not found", when the node fails to read %s', async (_, failing) => {
    const { transactionHash } = await record()
    proxy.replaceAnswer = ({ method }) =>
      method === failing ? { error: { code: -32_000, message: 'database closed' } } : undefined
    await expect(readTransaction(chain, transactionHash)).rejects.toThrow(ChainUnavailableError)
  })

  it('finds nothing while the block of the receipt is unknown to the node', async () => {
    const { transactionHash } = await record()
    proxy.replaceAnswer = ({ method }) => (method === 'eth_getBlockByHash' ? { result: null } : undefined)
    expect(await readTransaction(chain, transactionHash)).toBeNull()
  })

  it('proves nothing while another node shows another block at that height', async () => {
    const other = await startEmptyChain()
    const { transactionHash, blockNumber } = await record()
    const both = createChain(31_337, createRpc([node.url, other.url], { timeoutMs: 5_000, clock: systemClock }))
    try {
      expect(await readTransaction(both, transactionHash)).toMatchObject({ succeeded: true })
      await other.testClient.mine({ blocks: Number(blockNumber) })
      await expect(readTransaction(both, transactionHash)).rejects.toThrow(ChainDisagreementError)
    } finally {
      await both.rpc.close()
      await other.stop()
    }
  })
})
