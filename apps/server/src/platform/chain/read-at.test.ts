import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { deploy, startEmptyChain, type TestChain } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { systemClock } from '../clock.ts'
import { type Chain, createChain } from './chain.ts'
import { contractRead } from './contract-read.ts'
import { readListsAt } from './read-at.ts'
import { ChainUnavailableError, createRpc } from './rpc.ts'

describe('lists of reads that have nothing to do with each other', () => {
  let node: TestChain
  let proxy: RpcProxy
  let chain: Chain
  let cash: Address
  const burner: Address = `0x${'bb'.repeat(20)}`
  const nobody: Address = `0x${'cc'.repeat(20)}`

  beforeAll(async () => {
    node = await startEmptyChain()
    proxy = await rpcProxy(node.url)
    chain = createChain(31_337, createRpc([proxy.url], { timeoutMs: 5_000, clock: systemClock }))
    const args = ['Demo Euro', 'dEUR', 6, node.walletClient.account.address]
    cash = await deploy(node, { abi: demoCashAbi, bytecode: demoCashBytecode, args })
    // An invalid instruction takes everything that a call may spend.
    await node.testClient.setCode({ address: burner, bytecode: '0xfe' })
  })
  afterAll(async () => {
    await chain.rpc.close()
    await proxy.stop()
    await node.stop()
  })
  beforeEach(() => {
    proxy.requests.length = 0
    proxy.replaceAnswer = undefined
  })

  const decimals = (of: Address) => contractRead(of, demoCashAbi, 'decimals', [])
  const six = { ok: true, value: 6 }
  const nothing = { ok: false, revert: '0x' }
  const read = async (...lists: Address[][]) =>
    readListsAt(
      chain,
      await chain.latest(),
      lists.map((list) => list.map(decimals)),
      4,
    )

  it('share calls, and tell of each what it answered', async () => {
    expect(await read([cash, cash], [nobody], [cash, cash, cash])).toEqual([[six, six], [nothing], [six, six, six]])
    expect(await read()).toEqual([])
    expect(proxy.requests).toEqual([['eth_getBlockByNumber'], ['eth_call', 'eth_call'], ['eth_getBlockByNumber']])
  })

  it.each([1, 3])('are spoiled by none that spends everything: %i times', async (times) => {
    const greedy = Array.from({ length: times }, () => burner)
    expect(await read([cash], greedy, [cash, cash])).toEqual([[six], greedy.map(() => nothing), [six, six]])
    expect(proxy.requests.slice(1)).toEqual([
      Array.from({ length: Math.ceil((3 + times) / 4) }, () => 'eth_call'),
      ['eth_call', 'eth_call', 'eth_call'],
    ])
  })

  it('are not read when the node answers none of them', async () => {
    proxy.replaceAnswer = ({ method }) =>
      method === 'eth_call' ? { error: { code: -32_000, message: 'no such state' } } : undefined
    await expect(read([cash], [cash])).rejects.toThrow(ChainUnavailableError)
  })
})
