import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { deploy, send, startEmptyChain, type TestChain } from '@tallystick/testkit'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { systemClock } from '../clock.ts'
import type { Block } from './block.ts'
import { probe } from './bounded-reader.ts'
import { type Chain, createChain } from './chain.ts'
import { contractRead } from './contract-read.ts'
import { MULTICALL3 } from './multicall.ts'
import { readAt } from './read-at.ts'
import { ChainUnavailableError, createRpc } from './rpc.ts'

const height = contractRead(
  MULTICALL3,
  parseAbi(['function getBlockNumber() view returns (uint256)']),
  'getBlockNumber',
  [],
)

/** A node that was asked for one block and is just about to show the next can answer from that one, without saying so. */
describe('a node that answers a call at one block from another', () => {
  let node: TestChain
  let proxy: RpcProxy
  let chain: Chain
  let cash: Hex
  /** How many of the calls that name a block are answered from the newest one instead. */
  let mistaken = 0

  beforeAll(async () => {
    node = await startEmptyChain()
    const owner = node.walletClient.account.address
    cash = await deploy(node, { abi: demoCashAbi, bytecode: demoCashBytecode, args: ['Demo Euro', 'dEUR', 6, owner] })
  })
  afterAll(() => node.stop())
  beforeEach(async () => {
    proxy = await rpcProxy(node.url)
    proxy.changeCall = (call) => {
      const [what, at] = call.params
      if (call.method !== 'eth_call' || typeof at !== 'object' || mistaken === 0) return call
      mistaken -= 1
      return { ...call, params: [what, 'latest'] }
    }
    chain = createChain(31_337, createRpc([proxy.url], { timeoutMs: 5_000, clock: systemClock }))
  })
  afterEach(async () => {
    mistaken = 0
    await chain.rpc.close()
    await proxy.stop()
  })

  const supply = () => contractRead(cash, demoCashAbi, 'totalSupply', [])
  const mint = () => {
    const args = [node.walletClient.account.address, 1_000n]
    return send(node, { address: cash, abi: demoCashAbi, functionName: 'mint', args })
  }
  /** Money is made after the node told its newest block and before it runs the call, so that it is asked again, at that block. */
  const mintBetweenBlockAndCall = () => {
    proxy.afterCall = async () => {
      proxy.afterCall = undefined
      await mint()
    }
  }
  const decimals = encodeFunctionData({ abi: demoCashAbi, functionName: 'decimals' })

  const ways: [string, () => Promise<{ block: Block; seen: unknown[] }>][] = [
    [
      'reads',
      async () => {
        const { block, results } = await chain.read([height, supply()])
        return { block, seen: [...results] }
      },
    ],
    [
      'more reads than one call takes',
      async () => {
        const { block, results } = await chain.read(Array.from({ length: 120 }, () => height))
        return { block, seen: [...results] }
      },
    ],
    [
      'reads beside storage',
      async () => {
        const slot = { address: cash, slot: '0x0' } as const
        const { block, results } = await chain.readWithSlots([height], [slot])
        return { block, seen: [...results] }
      },
    ],
  ]

  it.each(ways)('is asked again: %s', async (_, ask) => {
    const named = await node.publicClient.getBlock()
    mintBetweenBlockAndCall()
    mistaken = 2
    const { block, seen } = await ask()
    expect(mistaken).toBe(0)
    expect(block.number).toBe(named.number)
    expect(seen[0]).toEqual({ ok: true, value: named.number })
    expect(seen).not.toContainEqual({ ok: true, value: named.number + 1n })
  })

  it('is asked again for what stood at a block that is known already', async () => {
    const block = await chain.latest()
    const before = await readAt(chain, block, [supply(), height], 1)
    await mint()
    mistaken = 3
    expect(await readAt(chain, block, [supply(), height], 1)).toEqual(before)
    expect(mistaken).toBe(0)
    // Only what was of another block is asked again.
    expect(proxy.requests.slice(-3)).toEqual([['eth_call', 'eth_call'], ['eth_call', 'eth_call'], ['eth_call']])
  })

  it.each(ways)('is unavailable when it goes on doing so: %s', async (_, ask) => {
    mintBetweenBlockAndCall()
    mistaken = Number.POSITIVE_INFINITY
    await expect(ask()).rejects.toThrow(ChainUnavailableError)
  })

  it('is asked again for what hostile contracts answer', async () => {
    mintBetweenBlockAndCall()
    mistaken = 1
    const { answers } = await probe(chain, [{ target: cash, data: decimals, maxReturn: 32 }])
    expect(answers).toMatchObject([{ outcome: 'OK' }])
    expect(proxy.requests).toHaveLength(3)
  })
})
