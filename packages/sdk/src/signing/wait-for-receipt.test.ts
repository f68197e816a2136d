import {
  type Lag,
  type LaggingRpc,
  laggingRpc,
  startEmptyChain,
  type TestChain,
  tcpProxy,
  wallet,
} from '@tallystick/testkit'
import { type Address, createWalletClient, http, parseGwei } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Hex } from '../operation.ts'
import { TallySigningError } from './signing-error.ts'
import { waitForReceipt } from './wait-for-receipt.ts'

const LATE_MS = 600
const to: Address = wallet(9).address

describe('waiting for a receipt', () => {
  let chain: TestChain
  let rpc: LaggingRpc

  beforeAll(async () => {
    chain = await startEmptyChain()
  })
  afterAll(() => chain.stop())
  beforeEach(async () => {
    rpc = await laggingRpc(chain.url)
  })
  afterEach(async () => {
    await chain.testClient.setAutomine(true)
    await rpc.stop()
  })

  const walletAt = (url: string, index = 0) =>
    createWalletClient({
      ...{ account: wallet(index), chain: chain.walletClient.chain, pollingInterval: 30 },
      transport: http(url, { retryCount: 0 }),
    })
  const sent = (index = 0, more: { nonce?: number; maxFeePerGas?: bigint; maxPriorityFeePerGas?: bigint } = {}) =>
    chain.walletClient.sendTransaction({ account: wallet(index), to, value: 1n, ...more })
  const stopMining = () => chain.testClient.setAutomine(false)
  const mine = () => chain.testClient.mine({ blocks: 1 })
  const faultOf = async (work: Promise<unknown>): Promise<TallySigningError> => {
    const fault = await work.then(
      () => undefined,
      (error: unknown) => error,
    )
    if (!(fault instanceof TallySigningError)) throw new Error('it did not fail as it should', { cause: fault })
    return fault
  }
  /** The same with more to pay, so that it takes the place of the first. */
  async function sentInPlaceOf(hash: Hex, index = 0): Promise<Hex> {
    const { nonce } = await chain.publicClient.getTransaction({ hash })
    return sent(index, { nonce, maxFeePerGas: parseGwei('90'), maxPriorityFeePerGas: parseGwei('40') })
  }

  it.each<[string, Lag]>([
    ['receipts come late', { receiptsMs: LATE_MS }],
    ['the nonce has moved and all else comes late', { receiptsMs: LATE_MS, transactionsMs: LATE_MS }],
    ['only the nonce comes late', { noncesMs: LATE_MS }],
    ['blocks come later than the nonce', { receiptsMs: LATE_MS, blocksMs: LATE_MS / 2, isForgetful: true }],
    ['the node is slow as well', { answerMs: 150, receiptsMs: LATE_MS, transactionsMs: LATE_MS, noncesMs: 100 }],
  ])('finds a mined transaction when %s', async (_, lag) => {
    rpc.lag = lag
    const client = walletAt(rpc.url)
    for (let times = 0; times < 2; times += 1) {
      const hash = await sent()
      const receipt = await waitForReceipt(client, hash)
      expect(receipt).toMatchObject({ transactionHash: hash, status: 'success' })
    }
  })

  it('names the transaction that took the place of another', async () => {
    rpc.lag = { receiptsMs: LATE_MS, transactionsMs: LATE_MS, blocksMs: 200 }
    await stopMining()
    const hash = await sent()
    const waiting = faultOf(waitForReceipt(walletAt(rpc.url), hash))
    // Whoever waits has seen it in the pool by then.
    await new Promise((resolve) => setTimeout(resolve, 200))
    const winner = await sentInPlaceOf(hash)
    await mine()
    await chain.testClient.mine({ blocks: 5 })
    const fault = await waiting
    expect(fault).toMatchObject({ fault: 'REPLACED', replacedBy: winner })
    expect(fault.message).toContain(winner)
  })

  it('finds what took its place also where that happened many blocks ago, and the node forgot it', async () => {
    await stopMining()
    const hash = await sent()
    const { from, nonce } = await chain.publicClient.getTransaction({ hash })
    const winner = await sentInPlaceOf(hash)
    await mine()
    await chain.testClient.mine({ blocks: 21 })
    const waiting = waitForReceipt(walletAt(rpc.url), hash, { place: { from, nonce } })
    expect(await faultOf(waiting)).toMatchObject({ fault: 'REPLACED', replacedBy: winner })
  })

  it('says after a while that nothing is known of what was dropped, and not to send it again', async () => {
    await stopMining()
    const hash = await sent()
    await chain.testClient.dropTransaction({ hash })
    const startedAt = performance.now()
    const fault = await faultOf(waitForReceipt(walletAt(rpc.url), hash, { minedWithinMs: 500 }))
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    expect(fault).toMatchObject({
      fault: 'NOT_KNOWN_YET',
      message: expect.stringContaining('send nothing in its place'),
    })
  })

  it('says the same when the node took the nonce for used and shows no transaction that used it', async () => {
    const account = wallet(5)
    await stopMining()
    const hash = await sent(5)
    const { nonce } = await chain.publicClient.getTransaction({ hash })
    const waiting = faultOf(waitForReceipt(walletAt(rpc.url, 5), hash, { minedWithinMs: 600 }))
    await new Promise((resolve) => setTimeout(resolve, 100))
    await chain.testClient.dropTransaction({ hash })
    await chain.testClient.setNonce({ address: account.address, nonce: nonce + 1 })
    await mine()
    expect(await waiting).toMatchObject({ fault: 'NOT_KNOWN_YET', replacedBy: undefined })
  })

  it('offers what a reorganization took away again, until it is mined', async () => {
    rpc.lag = { receiptsMs: 60_000 }
    const client = walletAt(rpc.url, 1)
    const signed = await client.signTransaction(await client.prepareTransactionRequest({ to, value: 1n }))
    const hash = await client.sendRawTransaction({ serializedTransaction: signed })
    await chain.publicClient.waitForTransactionReceipt({ hash })
    const waiting = waitForReceipt(client, hash, {
      offerAgain: () => client.sendRawTransaction({ serializedTransaction: signed }),
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    await stopMining()
    await chain.testClient.request({ method: 'anvil_reorg', params: [1, []] } as never)
    rpc.lag = {}
    await expect.poll(() => chain.publicClient.getTransaction({ hash }).catch(() => null)).toMatchObject({ hash })
    await mine()
    expect(await waiting).toMatchObject({ transactionHash: hash, status: 'success' })
  })

  it('goes on when the node is away for a while', async () => {
    const connection = await tcpProxy(chain.url)
    await stopMining()
    const hash = await sent(2)
    const waiting = waitForReceipt(walletAt(connection.url), hash)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await connection.cut()
    await mine()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await connection.restore()
    expect(await waiting).toMatchObject({ transactionHash: hash, status: 'success' })
    await connection.stop()
  })

  it('says what it was told last when the node stays away', async () => {
    const connection = await tcpProxy(chain.url)
    const hash = await sent(2)
    await connection.cut()
    const fault = await faultOf(waitForReceipt(walletAt(connection.url), hash, { minedWithinMs: 300 }))
    expect(fault).toMatchObject({ fault: 'NOT_KNOWN_YET', cause: { name: 'HttpRequestError' } })
  })

  it('ends when it is told to', async () => {
    await stopMining()
    const hash = await sent(3)
    const waiting = waitForReceipt(walletAt(rpc.url), hash, { signal: AbortSignal.timeout(100) })
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
