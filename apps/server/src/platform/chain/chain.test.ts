import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { revertingNameAbi, revertingNameBytecode } from '@tallystick/abi/testing'
import { deploy, send, startEmptyChain, type TestChain } from '@tallystick/testkit'
import { type Hex, parseAbi, toFunctionSelector } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { systemClock } from '../clock.ts'
import { askChainId, type Chain, createChain } from './chain.ts'
import { contractRead } from './contract-read.ts'
import { MULTICALL3 } from './multicall.ts'
import { ChainUnavailableError, createRpc } from './rpc.ts'

describe('reading a chain', () => {
  let node: TestChain
  let proxy: RpcProxy
  let chain: Chain
  let cash: Hex

  beforeAll(async () => {
    node = await startEmptyChain()
    const owner = node.walletClient.account.address
    cash = await deploy(node, { abi: demoCashAbi, bytecode: demoCashBytecode, args: ['Demo Euro', 'dEUR', 6, owner] })
  })
  afterAll(() => node.stop())
  beforeEach(async () => {
    proxy = await rpcProxy(node.url)
    chain = createChain(31_337, createRpc([proxy.url], { timeoutMs: 5_000, clock: systemClock }))
  })
  afterEach(async () => {
    await chain.rpc.close()
    await proxy.stop()
  })

  const supply = () => contractRead(cash, demoCashAbi, 'totalSupply', [])
  const height = contractRead(
    MULTICALL3,
    parseAbi(['function getBlockNumber() view returns (uint256)']),
    'getBlockNumber',
    [],
  )
  const mint = (amount: bigint) => {
    const args = [node.walletClient.account.address, amount]
    return send(node, { address: cash, abi: demoCashAbi, functionName: 'mint', args })
  }
  /** Something happens on chain after the node told its newest block and before it runs the call. */
  function betweenBlockAndCall(work: () => Promise<unknown>): void {
    proxy.afterCall = async (method) => {
      proxy.afterCall = undefined
      expect(method).toBe('eth_getBlockByNumber')
      await work()
    }
  }

  it('costs one round trip for any number of reads, all at the block that is named', async () => {
    const symbol = contractRead(cash, demoCashAbi, 'symbol', [])
    const { block, results } = await chain.read([supply(), symbol, height])
    const newest = await node.publicClient.getBlock()
    expect(results[0].ok).toBe(true)
    expect(results[1]).toEqual({ ok: true, value: 'dEUR' })
    expect(results[2]).toEqual({ ok: true, value: newest.number })
    expect(block).toEqual({
      number: newest.number,
      hash: newest.hash,
      parentHash: newest.parentHash,
      time: Number(newest.timestamp),
    })
    expect(proxy.requests).toEqual([['eth_getBlockByNumber', 'eth_call']])
  })

  it('asks for more than a node runs in one call in several calls of one round trip, at one block', async () => {
    const many = Array.from({ length: 120 }, () => height)
    const { block, results } = await chain.read(many)
    expect(proxy.requests).toEqual([['eth_getBlockByNumber', 'eth_call', 'eth_call', 'eth_call']])
    expect(results).toEqual(many.map(() => ({ ok: true, value: block.number })))
    betweenBlockAndCall(() => mint(1n))
    const moved = await chain.read(many)
    expect(moved.block.hash).toBe(block.hash)
    expect(moved.results).toEqual(results)
    expect(proxy.requests).toHaveLength(3)
  })

  it('asks a second time, at the block that is named, when another block arrived in between', async () => {
    const before = await node.publicClient.readContract({
      address: cash,
      abi: demoCashAbi,
      functionName: 'totalSupply',
    })
    const named = await node.publicClient.getBlock()
    betweenBlockAndCall(() => mint(1_000n))
    const { block, results } = await chain.read([supply(), height])
    expect(block.hash).toBe(named.hash)
    expect(results).toEqual([
      { ok: true, value: before },
      { ok: true, value: named.number },
    ])
    expect(proxy.requests).toEqual([['eth_getBlockByNumber', 'eth_call'], ['eth_call']])
    expect((await chain.read([supply()])).results).toEqual([{ ok: true, value: before + 1_000n }])
  })

  it('is unavailable when the block that is named was undone before the second question', async () => {
    const id = await node.testClient.snapshot()
    await node.testClient.mine({ blocks: 2 })
    betweenBlockAndCall(() => node.testClient.revert({ id }))
    await expect(chain.read([height])).rejects.toThrow(ChainUnavailableError)
  })

  it('takes a revert for a fact about that contract, which disturbs no other read', async () => {
    const reverting = await deploy(node, { abi: revertingNameAbi, bytecode: revertingNameBytecode })
    const { results } = await chain.read([
      contractRead(cash, demoCashAbi, 'decimals', []),
      contractRead(reverting, revertingNameAbi, 'name', []),
      contractRead(reverting, revertingNameAbi, 'symbol', []),
    ])
    expect(results).toEqual([
      { ok: true, value: 6 },
      { ok: false, revert: toFunctionSelector('NameRefused()') },
      { ok: true, value: 'ODD' },
    ])
  })

  it('takes an answer that cannot be understood for no value, which disturbs no other read', async () => {
    const nobody = contractRead(`0x${'77'.repeat(20)}`, demoCashAbi, 'decimals', [])
    const wrongType = contractRead(cash, revertingNameAbi, 'name', [])
    const asText = { ...supply(), decode: wrongType.decode }
    const { results } = await chain.read([nobody, asText, contractRead(cash, demoCashAbi, 'decimals', [])])
    expect(results.map(({ ok }) => ok)).toEqual([false, false, true])
  })

  it('tells the newest block and which chain it is', async () => {
    const newest = await node.publicClient.getBlock()
    expect(await chain.latest()).toMatchObject({ number: newest.number, hash: newest.hash })
    expect(await askChainId(chain.rpc)).toBe(31_337)
  })

  it.each([
    ['refuses the call', 'eth_call', { error: { code: -32_000, message: 'state is pruned' } }],
    ['answers the call with nothing', 'eth_call', { result: '0x' }],
    ['refuses to tell its newest block', 'eth_getBlockByNumber', { error: { code: -32_603, message: 'internal' } }],
    ['has no newest block', 'eth_getBlockByNumber', { result: null }],
  ] as const)('is unavailable when the node %s', async (_, method, answer) => {
    proxy.replaceAnswer = (call) => (call.method === method ? answer : undefined)
    await expect(chain.read([supply()])).rejects.toThrow(ChainUnavailableError)
    if (method === 'eth_getBlockByNumber') await expect(chain.latest()).rejects.toThrow(ChainUnavailableError)
  })

  it('is unavailable when the second question is refused', async () => {
    betweenBlockAndCall(async () => {
      await node.testClient.mine({ blocks: 1 })
      proxy.replaceAnswer = ({ method, params }) =>
        method === 'eth_call' && typeof params[1] === 'object'
          ? { error: { code: -32_000, message: 'header not found' } }
          : undefined
    })
    await expect(chain.read([supply()])).rejects.toThrow('header not found')
  })
})
