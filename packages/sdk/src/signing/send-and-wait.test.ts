import { type LaggingRpc, laggingRpc, startEmptyChain, type TestChain, wallet } from '@tallystick/testkit'
import { type Address, createWalletClient, http, parseEther, parseGwei } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Hex } from '../operation.ts'
import { sendAndWait } from './send-and-wait.ts'

const LATE_MS = 500

describe('sending a call through a node that lags', () => {
  let chain: TestChain
  let rpc: LaggingRpc
  let to: Address

  beforeAll(async () => {
    chain = await startEmptyChain()
  })
  afterAll(() => chain.stop())
  beforeEach(async () => {
    rpc = await laggingRpc(chain.url)
    to = privateKeyToAccount(generatePrivateKey()).address
  })
  afterEach(async () => {
    await chain.testClient.setAutomine(true)
    await rpc.stop()
  })

  const walletOf = (account = wallet(0) as ReturnType<typeof privateKeyToAccount>) =>
    createWalletClient({
      ...{ account, chain: chain.walletClient.chain, pollingInterval: 30 },
      transport: http(rpc.url, { retryCount: 0 }),
    })
  const received = () => chain.publicClient.getBalance({ address: to })
  const mine = () => chain.testClient.mine({ blocks: 1 })

  it('sends each of several calls once, although the nonce that the node names is used', async () => {
    rpc.lag = { noncesMs: LATE_MS, blocksMs: 200 }
    const client = walletOf()
    for (const value of [1n, 2n, 4n]) await sendAndWait(client, { to, value })
    expect(await received()).toBe(7n)
  })

  it('sends after somebody else with the same key, whose transaction waits', async () => {
    await chain.testClient.setAutomine(false)
    const fees = { maxFeePerGas: parseGwei('90'), maxPriorityFeePerGas: parseGwei('40') }
    await chain.walletClient.sendTransaction({ to, value: 1n, ...fees })
    rpc.lag = { noncesMs: 60_000 }
    const sent = sendAndWait(walletOf(), { to, value: 2n })
    await expect.poll(async () => (await chain.testClient.getTxpoolStatus()).pending).toBe(2)
    await mine()
    expect(await sent).toMatchObject({ status: 'success' })
    expect(await received()).toBe(3n)
  })

  it('sends once when the answer to it is lost', async () => {
    const hashes: Hex[] = []
    for (const lost of [1, 2, 9]) {
      rpc.lostAnswers = lost
      const { transactionHash } = await sendAndWait(
        walletOf(),
        { to, value: 1n },
        { onSent: (hash) => void hashes.push(hash) },
      )
      expect(hashes.at(-1)).toBe(transactionHash)
      rpc.lostAnswers = 0
    }
    expect(await received()).toBe(3n)
    expect(hashes).toHaveLength(3)
  })

  it('offers again what the node lost from its pool', async () => {
    await chain.testClient.setAutomine(false)
    const held: Hex[] = []
    const sent = sendAndWait(walletOf(), { to, value: 1n }, { onSent: (hash) => void held.push(hash) })
    await expect.poll(() => held.length).toBe(1)
    await chain.testClient.request({ method: 'anvil_dropAllTransactions' } as never)
    await expect.poll(async () => (await chain.testClient.getTxpoolStatus()).pending).toBe(1)
    await mine()
    expect(await sent).toMatchObject({ status: 'success', transactionHash: held[0] })
  })

  it('waits until the node has seen what the call builds on', async () => {
    rpc.lag = { stateMs: LATE_MS, receiptsMs: 100, answerMs: 20 }
    const client = walletOf(privateKeyToAccount(generatePrivateKey()))
    await sendAndWait(walletOf(), { to: client.account.address, value: parseEther('1') })
    await sendAndWait(client, { to, value: 5n })
    expect(await received()).toBe(5n)
  })

  it('passes on what the node refuses, and sends nothing', async () => {
    const poor = walletOf(privateKeyToAccount(generatePrivateKey()))
    await expect(sendAndWait(poor, { to, value: 1n, gas: 21_000n })).rejects.toMatchObject({
      name: 'TransactionExecutionError',
    })
    expect(await chain.publicClient.getTransactionCount({ ...poor.account, blockTag: 'pending' })).toBe(0)
  })

  it('keeps the hash when the call fails on chain, is not mined in time, or is given up', async () => {
    // Creates a contract whose code reverts at once.
    const failing = { data: '0x60006000fd', gas: 100_000n } as const
    const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/)
    await expect(sendAndWait(walletOf(), failing)).rejects.toMatchObject({ fault: 'REVERTED', hashes: [hash] })
    await chain.testClient.setAutomine(false)
    const late = sendAndWait(walletOf(), { to, value: 1n }, { minedWithinMs: 200 })
    await expect(late).rejects.toMatchObject({ fault: 'NOT_KNOWN_YET', hashes: [hash] })
    const givenUp = sendAndWait(walletOf(), { to, value: 1n }, { signal: AbortSignal.timeout(200) })
    await expect(givenUp).rejects.toMatchObject({
      fault: 'NOT_KNOWN_YET',
      hashes: [hash],
      cause: { name: 'TimeoutError' },
    })
  })
})
