import { createPublicClient, http } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startEmptyChain } from '../chain/prepared-chain.ts'
import type { TestChain } from '../chain/test-chain.ts'
import { wallet } from '../chain/wallet.ts'
import { countingRpc } from './counting-rpc.ts'
import { type LaggingRpc, laggingRpc } from './lagging-rpc.ts'
import { tcpProxy } from './tcp-proxy.ts'

describe('connections that fail on demand', () => {
  let chain: TestChain

  beforeAll(async () => {
    chain = await startEmptyChain()
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

describe('a node that is late', () => {
  let chain: TestChain
  let rpc: LaggingRpc

  beforeAll(async () => {
    chain = await startEmptyChain()
  })
  afterAll(() => chain.stop())
  beforeEach(async () => {
    rpc = await laggingRpc(chain.url)
  })
  afterEach(() => rpc.stop())

  const clientOf = () => createPublicClient({ transport: http(rpc.url, { retryCount: 0 }), cacheTime: 0 })
  const { address } = wallet(0)
  async function mineOne() {
    const hash = await chain.walletClient.sendTransaction({ to: address, value: 1n })
    await chain.publicClient.waitForTransactionReceipt({ hash })
    return hash
  }

  it('answers each kind of question from a past of its own', async () => {
    const client = clientOf()
    const [nonce, height] = [await client.getTransactionCount({ address }), await client.getBlockNumber()]
    rpc.lag = { receiptsMs: 400, transactionsMs: 400, noncesMs: 400, blocksMs: 400 }
    const hash = await mineOne()
    await expect(client.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
    expect(await client.getTransaction({ hash })).toMatchObject({ hash, blockHash: null, nonce })
    expect(await client.getTransactionCount({ address })).toBe(nonce)
    expect(await client.getBlockNumber()).toBe(height)
    expect(await client.getBlock()).toMatchObject({ number: height })
    rpc.lag = { receiptsMs: 400 }
    expect(await client.getTransactionCount({ address })).toBe(nonce + 1)
    expect(await client.getTransaction({ hash })).toMatchObject({ blockNumber: height + 1n })
    await expect(client.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
    await expect.poll(() => client.getTransactionReceipt({ hash }).catch(() => null)).toBeTruthy()
  })

  it('forgets what waits, and takes its time', async () => {
    await chain.testClient.setAutomine(false)
    onTestFinished(() => chain.testClient.setAutomine(true))
    const hash = await chain.walletClient.sendTransaction({ to: address, value: 1n })
    rpc.lag = { isForgetful: true, answerMs: 200 }
    const started = performance.now()
    await expect(clientOf().getTransaction({ hash })).rejects.toThrow('could not be found')
    expect(performance.now() - started).toBeGreaterThan(190)
  })

  it('passes on what the node refuses', async () => {
    await expect(clientOf().request({ method: 'eth_nonsense' } as never)).rejects.toThrow(/nonsense|not found/i)
  })
})
