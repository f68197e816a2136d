import { type Address, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestChain, type TestChain } from '../chain/test-chain.ts'
import { wallet } from '../chain/wallet.ts'
import { deployEntryPoint } from './entry-point.ts'
import { deploySafe, safeAbi } from './safe.ts'
import { deployTrex, type Trex, trexTokenAbi } from './trex.ts'

describe('accounts that are contracts', () => {
  const receiver = wallet(5)
  let chain: TestChain
  let trex: Trex

  beforeAll(async () => {
    chain = await startTestChain()
    trex = await deployTrex(chain)
    await trex.registerHolder(receiver.address)
  })
  afterAll(() => chain.stop())

  const balanceOf = (holder: Address) =>
    chain.publicClient.readContract({
      address: trex.token,
      abi: trexTokenAbi,
      functionName: 'balanceOf',
      args: [holder],
    })
  const transfer = (amount: bigint) => ({
    to: trex.token,
    data: encodeFunctionData({ abi: trexTokenAbi, functionName: 'transfer', args: [receiver.address, amount] }),
  })

  it('moves tokens through a Safe with three owners, and reports a failing call of a successful transaction', async () => {
    const safe = await deploySafe(chain, [wallet(1), wallet(2), wallet(3)])
    const read = { address: safe.address, abi: safeAbi } as const
    expect(await chain.publicClient.readContract({ ...read, functionName: 'VERSION' })).toBe('1.4.1')
    await trex.registerHolder(safe.address)
    await trex.mint(safe.address, 10n)
    const before = await balanceOf(receiver.address)

    expect(await safe.execThroughSafe(transfer(4n))).toMatchObject({ innerSucceeded: true })
    expect(await balanceOf(receiver.address)).toBe(before + 4n)

    const tooMuch = await safe.execThroughSafe(transfer(1000n))
    expect(tooMuch).toMatchObject({ innerSucceeded: false, receipt: { status: 'success' } })
    const forced = await safe.execThroughSafe(transfer(1n), { failInner: true })
    expect(forced).toMatchObject({ innerSucceeded: false, receipt: { status: 'success' } })
    expect(await balanceOf(safe.address)).toBe(6n)
    expect(await chain.publicClient.readContract({ ...read, functionName: 'nonce' })).toBe(3n)
  })

  it('moves tokens by user operations, and reports a failing call of a successful transaction', async () => {
    const account = await (await deployEntryPoint(chain)).createAccount(wallet(6))
    expect(await chain.publicClient.getCode({ address: account.address })).toBeUndefined()
    await trex.registerHolder(account.address)
    await trex.mint(account.address, 10n)
    const before = await balanceOf(receiver.address)

    expect(await account.execThroughAccount(transfer(4n))).toMatchObject({ innerSucceeded: true })
    expect(await balanceOf(receiver.address)).toBe(before + 4n)

    const tooMuch = await account.execThroughAccount(transfer(1000n))
    expect(tooMuch).toMatchObject({ innerSucceeded: false, receipt: { status: 'success' } })
    const forced = await account.execThroughAccount(transfer(1n), { failInner: true })
    expect(forced).toMatchObject({ innerSucceeded: false, receipt: { status: 'success' } })
    expect(await balanceOf(account.address)).toBe(6n)
  })
})
