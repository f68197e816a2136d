import { parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestChain, type TestChain } from '../chain/test-chain.ts'
import { send } from '../chain/transactions.ts'
import { type Wallet, wallet } from '../chain/wallet.ts'
import { deployTrex, type Trex, trexTokenAbi } from './trex.ts'

describe('the ERC-3643 suite', () => {
  const [alice, bob, stranger, agent] = [wallet(1), wallet(2), wallet(3), wallet(4)]
  let chain: TestChain
  let trex: Trex

  beforeAll(async () => {
    chain = await startTestChain()
    trex = await deployTrex(chain)
    await trex.registerHolder(alice.address, { manager: alice })
    await trex.registerHolder(bob.address)
    await trex.mint(alice.address, 100n)
  })
  afterAll(() => chain.stop())

  const onToken = (account: Wallet, functionName: string, ...args: unknown[]) =>
    send(chain, { address: trex.token, abi: trexTokenAbi, functionName, args, account })
  const amount = (functionName: 'balanceOf' | 'getFrozenTokens', holder: Wallet) =>
    chain.publicClient.readContract({ address: trex.token, abi: trexTokenAbi, functionName, args: [holder.address] })

  it('lets verified holders transfer and nobody else receive', async () => {
    await onToken(alice, 'transfer', bob.address, 10n)
    expect(await amount('balanceOf', bob)).toBe(10n)
    await expect(onToken(alice, 'transfer', stranger.address, 10n)).rejects.toThrow('Transfer not possible')
  })

  it('keeps frozen tokens where they are', async () => {
    await onToken(trex.owner, 'freezePartialTokens', alice.address, 85n)
    expect(await amount('getFrozenTokens', alice)).toBe(85n)
    await expect(onToken(alice, 'transfer', bob.address, 6n)).rejects.toThrow('Insufficient Balance')
  })

  it('lets an agent force a transfer, which unfreezes what it needs', async () => {
    await expect(onToken(agent, 'forcedTransfer', alice.address, bob.address, 20n)).rejects.toThrow('Agent role')
    await trex.addAgent(agent.address)
    const { logs } = await onToken(agent, 'forcedTransfer', alice.address, bob.address, 20n)
    const events = parseEventLogs({ abi: trexTokenAbi, logs }).map(({ eventName }) => eventName)
    expect(events).toEqual(['TokensUnfrozen', 'Transfer'])
    expect(await amount('balanceOf', bob)).toBe(30n)
    expect(await amount('getFrozenTokens', alice)).toBe(70n)
  })

  it('stops transfers to a holder whose identity was removed', async () => {
    await trex.mint(alice.address, 1n)
    await trex.unregisterHolder(bob.address)
    await expect(onToken(alice, 'transfer', bob.address, 1n)).rejects.toThrow('Transfer not possible')
  })
})
