import { type Address, parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { startPreparedChain } from './prepared-chain.ts'
import type { TestChain } from './test-chain.ts'

const RICH: Address = '0x00000000000000000000000000000000000000aa'
const DAY = 86_400

async function pay(node: TestChain, to: Address = RICH): Promise<void> {
  const hash = await node.walletClient.sendTransaction({ to, value: parseEther('1') })
  await node.publicClient.waitForTransactionReceipt({ hash })
}

async function prepare(node: TestChain) {
  await pay(node)
  return { paid: [1] }
}

const balance = (node: TestChain) => node.publicClient.getBalance({ address: RICH })
const timeOf = async (node: TestChain) => Number((await node.publicClient.getBlock()).timestamp)

describe('a prepared chain', () => {
  it('is for its next user as it was prepared, whatever the one before did to it', async () => {
    const { node: first, made } = await startPreparedChain('as prepared', prepare)
    made.paid.push(2)
    await pay(first)
    await first.testClient.increaseTime({ seconds: 30 * DAY })
    await pay(first)
    await first.testClient.setAutomine(false)
    await first.walletClient.sendTransaction({ to: RICH, value: 1n })
    await first.stop()

    const { node: second, made: again } = await startPreparedChain('as prepared', prepare)
    expect(again).toEqual({ paid: [1] })
    expect(await balance(second)).toBe(parseEther('1'))
    await pay(second)
    expect(await balance(second)).toBe(parseEther('2'))
    expect(Math.abs((await timeOf(second)) - Date.now() / 1000)).toBeLessThan(DAY)
    await second.stop()
  })

  it('belongs to one user at a time', async () => {
    const [{ node: one }, { node: other }] = await Promise.all([
      startPreparedChain('one at a time', prepare),
      startPreparedChain('one at a time', prepare),
    ])
    expect(one.url).not.toBe(other.url)
    await pay(one)
    expect(await balance(other)).toBe(parseEther('1'))
    await Promise.all([one.stop(), other.stop()])
  })

  it('is another one after it was taken back behind what was prepared, or killed', async () => {
    // The first one, on which the preparation was done: anvil does not go back behind a state that it was given.
    const { node: shortened } = await startPreparedChain('spoiled', prepare)
    await shortened.testClient.request({ method: 'anvil_rollback', params: [1] } as never)
    expect(await balance(shortened)).toBe(0n)
    await shortened.stop()
    const { node: killed } = await startPreparedChain('spoiled', prepare)
    expect(await balance(killed)).toBe(parseEther('1'))
    killed.kill9()
    await killed.stop()
    const { node } = await startPreparedChain('spoiled', prepare)
    expect(await balance(node)).toBe(parseEther('1'))
    await node.stop()
  })
})
