import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { type CountingRpc, countingRpc, deploy, send, startTestChain, type TestChain } from '@tallystick/testkit'
import { type Hex, hexToBigInt } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rpcProxy } from '../../test/rpc-proxy.ts'
import { type Chain, createChain } from '../platform/chain/chain.ts'
import { createRpc } from '../platform/chain/rpc.ts'
import { systemClock } from '../platform/clock.ts'
import { questionToken } from './detection.reads.ts'
import { questions } from './detection.rules.ts'

const connect = (url: string): Chain => createChain(31_337, createRpc([url], { timeoutMs: 5_000, clock: systemClock }))

describe('questioning a token', () => {
  let node: TestChain
  let counter: CountingRpc
  let token: Hex

  beforeAll(async () => {
    node = await startTestChain()
    counter = await countingRpc(node.url)
    const args = ['Demo Euro', 'dEUR', 6, node.walletClient.account.address]
    token = await deploy(node, { abi: demoCashAbi, bytecode: demoCashBytecode, args })
  })
  afterAll(async () => {
    await counter.stop()
    await node.stop()
  })

  it('costs one round trip for all questions', async () => {
    const chain = connect(counter.url)
    const { answers } = await questionToken(chain, token)
    expect(Object.keys(answers)).toEqual(questions)
    expect(counter.counts).toEqual({ roundTrips: 1, calls: { eth_getBlockByNumber: 1, eth_call: 1 } })
    await chain.rpc.close()
  })

  it('costs a second one when a block arrives in between, and then answers as of the first block', async () => {
    const proxy = await rpcProxy(node.url)
    const chain = connect(proxy.url)
    const named = await node.publicClient.getBlock()
    proxy.afterCall = async () => {
      proxy.afterCall = undefined
      const args = [node.walletClient.account.address, 1_000n]
      await send(node, { address: token, abi: demoCashAbi, functionName: 'mint', args })
    }
    const { block, answers } = await questionToken(chain, token)
    expect(block.hash).toBe(named.hash)
    expect(hexToBigInt(answers['totalSupply()'].data as Hex)).toBe(0n)
    expect(proxy.requests).toEqual([['eth_getBlockByNumber', 'eth_call'], ['eth_call']])
    await chain.rpc.close()
    await proxy.stop()
  })
})
