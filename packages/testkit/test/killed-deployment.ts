import { type Carrier, carryOut, missingSteps, planLendingSuite, type Step } from '@tallystick/deployer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEmptyChain } from '../src/chain/prepared-chain.ts'
import type { TestChain } from '../src/chain/test-chain.ts'
import { wallet } from '../src/chain/wallet.ts'
import { testCarrier } from '../src/lending/deploy-suite.ts'

const owner = wallet(3)
const plan = planLendingSuite({ owner: owner.address, platformWallet: wallet(4).address })

/** Ends like a process that is killed, before its step number `count`. */
function killedAfter(carrier: Carrier, count: number): Carrier & { sent: Step[] } {
  const sent: Step[] = []
  const send = async (step: Step) => {
    if (sent.length === count) throw new Error('killed')
    sent.push(step)
    await carrier.send(step)
  }
  return { ...carrier, sent, send }
}

export const describeKilledBehind = (counts: readonly number[]) =>
  describe('carrying out the plan of the lending contracts', () => {
    let chain: TestChain
    let carrier: Carrier

    beforeEach(async () => {
      chain = await startEmptyChain()
      carrier = testCarrier(chain, owner)
    })
    afterEach(() => chain.stop())

    it.each(counts)('goes on after it was killed behind step %i, with another sender', async (count) => {
      const killed = killedAfter(carrier, count)
      await expect(carryOut(plan, killed)).rejects.toThrow('had no effect')
      expect(await missingSteps(plan, carrier)).toEqual(plan.steps.slice(count))
      await carryOut(
        plan,
        testCarrier({ ...chain, walletClient: { ...chain.walletClient, account: wallet(7) } }, owner),
      )
      expect(await missingSteps(plan, carrier)).toEqual([])
      expect(await chain.publicClient.getBlockNumber()).toBe(BigInt(plan.steps.length))
    })
  })
