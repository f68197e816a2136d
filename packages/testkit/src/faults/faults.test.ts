import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startTestChain, type TestChain } from '../chain/test-chain.ts'
import { countingRpc } from './counting-rpc.ts'
import { tcpProxy } from './tcp-proxy.ts'

describe('connections that fail on demand', () => {
  let chain: TestChain

  beforeAll(async () => {
    chain = await startTestChain()
  })
  afterAll(() => chain.stop())

  const clientOf = (url: string, batch = false) =>
    createPublicClient({ transport: http(url, { retryCount: 0, batch }), cacheTime: 0 })

  it('cuts, restores and delays a connection', async () => {
    const proxy = await tcpProxy(chain.url)
    onTestFinished(() => proxy.stop())
    const client = clientOf(proxy.url)
    expect(await client.getChainId()).toBe(31337)
    await proxy.cut()
    await expect(client.getChainId()).rejects.toThrow('HTTP request failed')
    await proxy.restore()
    expect(await client.getChainId()).toBe(31337)
    expect(proxy.counts.connections).toBeGreaterThanOrEqual(2)
    proxy.delay(150)
    const started = performance.now()
    expect(await client.getChainId()).toBe(31337)
    expect(performance.now() - started).toBeGreaterThan(290)
  })

  it('breaks a request that is under way', async () => {
    const proxy = await tcpProxy(chain.url)
    onTestFinished(() => proxy.stop())
    proxy.delay(5_000)
    const pending = expect(clientOf(proxy.url).getChainId()).rejects.toThrow('HTTP request failed')
    await new Promise((resolve) => setTimeout(resolve, 100))
    await proxy.cut()
    await pending
  })

  it('counts round trips and calls by method', async () => {
    const rpc = await countingRpc(chain.url)
    onTestFinished(() => rpc.stop())
    await clientOf(rpc.url).getBlockNumber()
    const batching = clientOf(rpc.url, true)
    await Promise.all([batching.getBlockNumber(), batching.getChainId(), batching.getGasPrice()])
    expect(rpc.counts).toEqual({ roundTrips: 2, calls: { eth_blockNumber: 2, eth_chainId: 1, eth_gasPrice: 1 } })
    rpc.reset()
    expect(rpc.counts).toEqual({ roundTrips: 0, calls: {} })
  })
})
