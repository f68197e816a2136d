import { type LaggingRpc, laggingRpc, startEmptyChain, type TestChain, wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDemoSigning } from './demo-signing.ts'

const account = wallet(0)
/** A contract without code. */
const call = { data: '0x00' } as const

describe('the signatures of the demo', () => {
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

  const counted = () => chain.publicClient.getTransactionCount({ address: account.address })

  it('follow each other on a node whose nonces and receipts come late', async () => {
    rpc.lag = { noncesMs: 60_000, receiptsMs: 400, answerMs: 20 }
    const { sendAll } = createDemoSigning(rpc.url)
    const before = await counted()
    const all = [await sendAll(account, [call, call]), await sendAll(account, [call])].flat()
    expect(new Set(all.map(({ contractAddress }) => contractAddress)).size).toBe(3)
    expect(await counted()).toBe(before + 3)
  })

  it('make room for others that sign with the same key', async () => {
    rpc.lag = { noncesMs: 60_000 }
    const { sendAll } = createDemoSigning(rpc.url)
    const before = await counted()
    for (let others = 0; others < 2; others += 1) {
      const to: Address = privateKeyToAccount(generatePrivateKey()).address
      const hash = await chain.walletClient.sendTransaction({ to, value: 1n })
      await chain.publicClient.waitForTransactionReceipt({ hash })
    }
    expect(await sendAll(account, [call, call])).toHaveLength(2)
    expect(await counted()).toBe(before + 4)
  })

  it('go on from the node after a reorganization has undone them', async () => {
    const { sendAll } = createDemoSigning(chain.url)
    const [before, block] = [await counted(), await chain.publicClient.getBlockNumber()]
    const undone = await sendAll(account, [call, call])
    const depth = Number((await chain.publicClient.getBlockNumber()) - block)
    await chain.testClient.request({ method: 'anvil_rollback', params: [depth] } as never)
    expect(await counted()).toBe(before)
    const again = await sendAll(account, [call, { data: '0x0000' }])
    expect(again[0]?.contractAddress).toBe(undone[0]?.contractAddress)
    expect(await counted()).toBe(before + 2)
  })

  it('send once what an answer was lost to', async () => {
    const { sendAll } = createDemoSigning(rpc.url)
    const before = await counted()
    rpc.lostAnswers = 2
    await sendAll(account, [call, call])
    expect(await counted()).toBe(before + 2)
  })
})
