import { gatedTokenAbi } from '@tallystick/abi/testing'
import { deploySafe, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex, parseUnits, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { createRepaymentLife, type RepaymentLife } from '../../../test/lending/repayment-life.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

const HASH = `0x${'1'.repeat(64)}`
const WRONG_CHECKSUM = '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266'
const borrower = wallet(3)
const holder = borrower.address.toLowerCase() as Address

describe('what a token refused to pay out', () => {
  let world: ProxiedWorld
  let life: RepaymentLife
  let custody: LiveMarket
  let gated: LiveMarket
  let cash: Address

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createRepaymentLife(world)
    custody = await life.earning({ mode: 'CUSTODY' })
    const made = await life.gatedMarket()
    gated = made.market
    cash = made.token
    await life.giveCash(borrower, 50_000)
  })
  afterAll(() => world.close())

  const get = (at: LiveMarket, name: string, of: string = holder) => world.deployer.get(life.path(at, `${name}/${of}`))
  const post = (at: LiveMarket, name: string, body: Record<string, unknown> = {}) =>
    world.deployer.post(life.path(at, name), body)
  async function refused(answering: ReturnType<typeof post>, status: number, code: string) {
    const answer = await answering
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  }
  const escrow = async (of: string = holder) => must(await get(custody, 'escrowed-collateral', of)).body.data
  const claim = (body: Record<string, unknown> = {}) => post(custody, 'claim-escrowed-collateral', body)
  const surplus = async () => must(await get(gated, 'escrowed-surplus')).body.data

  it('collateral comes back from custody by itself while the token admits its holder', async () => {
    const loanId = Number(await life.openLoan(custody, borrower, { collateral: 100, amount: 1_000, mode: 'CUSTODY' }))
    const { data } = must(await post(custody, 'repay', { loanId, all: true })).body
    expect(data.gasLimit).toBe('1500000')
    expect(data.collateralRelease).toEqual({
      willEscrow: false,
      verdictUnreadable: false,
      holder,
      amount: '100',
      code: null,
      reason: null,
      message: null,
      adapterAddress: custody.adapter,
      marketId: custody.marketId,
      claimAction: null,
    })
    expect(must(await post(custody, 'repay', { loanId, amount: '1' })).body.data.collateralRelease).toBeNull()
    const had = await life.balanceOf(holder, world.security.token)
    const [, txHash] = await life.sendSteps(borrower, data.steps)
    expect(must(await post(custody, 'repay', { loanId, txHash })).body.data).toMatchObject({
      collateralReturned: '100',
      collateralReturnEscrowed: false,
    })
    expect((await life.balanceOf(holder, world.security.token)) - had).toBe(units(100))
    expect(await escrow()).toMatchObject({ escrowedCollateral: '0', escrowedCollateralRaw: '0' })
  })

  it('collateral is kept for a holder whom the token refuses, and paid out once it no longer does', async () => {
    const open = () => life.openLoan(custody, borrower, { collateral: 50, amount: 1_000, mode: 'CUSTODY' })
    const loans = [Number(await open()), Number(await open())]
    await life.forgetHolder(holder)
    for (const loanId of loans) {
      const { data } = must(await post(custody, 'repay', { loanId, all: true })).body
      expect(data.collateralRelease).toMatchObject({
        willEscrow: true,
        code: 'HOLDER_NOT_VERIFIED',
        reason: 'RecipientNotVerified',
        message: expect.stringContaining('does not know this wallet'),
        claimAction: 'claim-escrowed-collateral',
      })
      expect(data.simulation.success).toBe(true)
      const [approve, pay] = data.steps
      await life.sendSteps(borrower, [approve])
      const txHash = await life.sendWith(borrower, pay, BigInt(data.gasLimit))
      expect(must(await post(custody, 'repay', { loanId, txHash })).body.data).toMatchObject({
        loanClosed: true,
        collateralReturned: '50',
        collateralReturnEscrowed: true,
        claimAction: 'claim-escrowed-collateral',
      })
    }
    expect(await world.roundTrips(escrow)).toBe(1)
    expect(await escrow()).toEqual({
      holderAddress: holder,
      adapterAddress: custody.adapter,
      escrowedCollateral: '100',
      escrowedCollateralRaw: units(100).toString(),
      asset: { address: world.security.token, symbol: 'NORD', decimals: 18 },
    })

    const blocked = must(await claim({ holderAddress: borrower.address })).body.data
    expect(blocked).toMatchObject({
      action: 'SIGN_TRANSACTION',
      functionName: 'claimEscrowedCollateral',
      adapterAddress: custody.adapter,
      escrowedCollateral: '100',
      transaction: { to: custody.adapter, value: '0', chainId: world.node.chainId },
      simulation: { simulated: true, success: false, revert: { code: 'HOLDER_NOT_VERIFIED' } },
    })
    await expect(world.sendRaw(borrower, blocked.transaction)).rejects.toThrow()
    expect((await escrow()).escrowedCollateral).toBe('100')

    await life.knowHolder(holder)
    const free = must(await claim({ holderAddress: holder })).body.data
    expect([free.transaction, free.simulation.success]).toEqual([blocked.transaction, true])
    const had = await life.balanceOf(holder, world.security.token)
    await world.sendRaw(borrower, free.transaction)
    expect((await life.balanceOf(holder, world.security.token)) - had).toBe(units(100))
    await refused(claim({ holderAddress: holder }), 400, 'NO_ESCROWED_COLLATERAL')
  })

  it('collateral of a loan that owes nothing any more is kept the same way when its borrower closes it', async () => {
    await life.travelFresh(custody, 1)
    const loanId = await life.openLoan(custody, borrower, { collateral: 100, amount: 7_000, mode: 'CUSTODY' })
    await life.paysOff(custody, loanId)
    const { collateral } = await life.loan(custody, loanId)
    await life.forgetHolder(holder)
    const { data } = must(await post(custody, 'close-loan', { loanId: Number(loanId) })).body
    expect(data).toMatchObject({ collateralRelease: { willEscrow: true, holder }, simulation: { success: true } })
    const txHash = await world.sendRaw(borrower, data.transaction)
    const confirmed = must(await post(custody, 'close-loan', { loanId: Number(loanId), txHash })).body.data
    expect(confirmed).toMatchObject({ collateralReturnEscrowed: true, claimAction: 'claim-escrowed-collateral' })
    expect(parseUnits(confirmed.collateralReturned, 18)).toBe(collateral)
    expect((await escrow()).escrowedCollateralRaw).toBe(collateral.toString())
    await life.knowHolder(holder)
    await world.sendRaw(borrower, must(await claim()).body.data.transaction)
    expect((await escrow()).escrowedCollateralRaw).toBe('0')
  })

  it('is claimed without naming anybody: then nothing is read and nothing simulated', async () => {
    const { data } = must(await claim()).body
    expect(data).toMatchObject({ escrowedCollateral: null, simulation: { simulated: false, revert: null } })
    expect(must(await world.deployer.call('POST', life.path(custody, 'claim-escrowed-collateral'))).body.data).toEqual(
      data,
    )
    const file = must(await world.deployer.post(`${life.path(custody, 'claim-escrowed-collateral')}?format=safe`, {}))
    expect(file.body.transactions).toMatchObject([{ to: custody.adapter }])
    await world.withBroken(custody.adapter, async () => {
      await refused(get(custody, 'escrowed-collateral'), 503, 'ESCROW_UNREADABLE')
      const { data: broken } = must(await claim({ holderAddress: holder })).body
      expect([broken.transaction, broken.escrowedCollateral]).toEqual([data.transaction, null])
    })
    await world.withoutNode(async () => {
      await refused(get(custody, 'escrowed-collateral'), 503, 'ESCROW_UNREADABLE')
      expect(must(await claim({ holderAddress: holder })).body.data).toEqual(data)
    })
  })

  it('is only ever held by an adapter in custody', async () => {
    await refused(get(gated, 'escrowed-collateral'), 400, 'NOT_CUSTODY_MODE')
    await refused(post(gated, 'claim-escrowed-collateral'), 400, 'NOT_CUSTODY_MODE')
    await refused(get(custody, 'escrowed-collateral', WRONG_CHECKSUM), 400, 'VALIDATION_ERROR')
    await refused(get(custody, 'escrowed-collateral', '0x12'), 400, 'VALIDATION_ERROR')
    await refused(claim({ holderAddress: WRONG_CHECKSUM }), 400, 'VALIDATION_ERROR')
    await refused(claim({ holderAddress: holder, txHash: HASH }), 400, 'VALIDATION_ERROR')
    const record = (adapter: string) =>
      world.superuser`update lending_markets set adapter = ${adapter} where market_address = ${custody.marketAddress}`
    await record(zeroAddress)
    await refused(get(custody, 'escrowed-collateral'), 400, 'NO_ADAPTER')
    await refused(claim({ holderAddress: holder }), 400, 'NO_ADAPTER')
    await record(custody.adapter)
  })

  it('surplus of a liquidation is kept for a borrower whom the money refuses, and paid once it no longer does', async () => {
    const block = (blocked: boolean) => life.call(cash, gatedTokenAbi, 'setBlocked', [holder, blocked])
    await refused(post(gated, 'claim-surplus', { holderAddress: holder }), 409, 'NO_ESCROWED_SURPLUS')
    expect(await surplus()).toMatchObject({ escrowed: '0', claimable: false })
    await life.travelFresh(gated, 1)
    const loanId = await life.openLoan(gated, borrower, { collateral: 100, amount: 7_000 })
    await block(true)
    await life.paysOff(gated, loanId, cash)
    expect(await world.roundTrips(surplus)).toBe(1)
    const kept = await surplus()
    expect(kept).toEqual({
      marketAddress: gated.marketAddress,
      holderAddress: holder,
      escrowed: kept.escrowed,
      escrowedRaw: parseUnits(kept.escrowed, 6).toString(),
      claimable: true,
      asset: { address: cash.toLowerCase(), symbol: 'FREE', decimals: 6 },
    })
    expect(BigInt(kept.escrowedRaw)).toBeGreaterThan(units(1_000, 6))

    const { data } = must(await post(gated, 'claim-surplus', { holderAddress: borrower.address })).body
    expect(data).toMatchObject({
      functionName: 'claimSurplus',
      transaction: { to: gated.marketAddress },
      holderAddress: holder,
      escrowedSurplus: kept.escrowed,
      simulation: { success: false, revert: { error: 'Error', message: 'refused' } },
      confirmWith: { endpoint: life.path(gated, 'claim-surplus'), field: 'txHash' },
    })
    await block(false)
    const had = await life.balanceOf(holder, cash)
    const txHash = await world.sendRaw(borrower, data.transaction)
    const confirmed = must(await post(gated, 'claim-surplus', { holderAddress: holder, txHash })).body.data
    expect(confirmed).toEqual({ txHash, claimedBy: holder, amount: kept.escrowed, amountRaw: kept.escrowedRaw })
    expect((await life.balanceOf(holder, cash)) - had).toBe(BigInt(kept.escrowedRaw))
    expect(must(await post(gated, 'claim-surplus', { txHash })).body.data).toEqual(confirmed)
    expect(await surplus()).toMatchObject({ escrowedRaw: '0', claimable: false })
  })

  it('surplus is claimed by nothing else', async () => {
    const confirm = (txHash: Hex) => post(gated, 'claim-surplus', { txHash })
    await expectTransactionFaults(world, {
      confirm,
      target: gated.marketAddress,
      other: { abi: abis.market, functionName: 'pokeSnapshot' },
    })
    const safe = await deploySafe(world.node, [wallet(4)])
    const data = encodeFunctionData({ abi: abis.market, functionName: 'pokeSnapshot' })
    const { receipt } = await safe.execThroughSafe({ to: gated.marketAddress, data })
    await refused(confirm(receipt.transactionHash), 400, 'TX_NOT_VERIFIED')
    await refused(post(gated, 'claim-surplus'), 400, 'VALIDATION_ERROR')
    await refused(post(gated, 'claim-surplus', { holderAddress: WRONG_CHECKSUM }), 400, 'VALIDATION_ERROR')
    await refused(post(gated, 'claim-surplus', { txHash: '0x' }), 400, 'VALIDATION_ERROR')
    await refused(get(gated, 'escrowed-surplus', WRONG_CHECKSUM), 400, 'VALIDATION_ERROR')
    const body = { holderAddress: holder }
    await world.withBroken(gated.marketAddress, async () => {
      await refused(get(gated, 'escrowed-surplus'), 503, 'SURPLUS_UNREADABLE')
      await refused(post(gated, 'claim-surplus', body), 503, 'SURPLUS_UNREADABLE')
    })
    await world.withoutNode(async () => {
      await refused(get(gated, 'escrowed-surplus'), 503, 'SURPLUS_UNREADABLE')
      await refused(post(gated, 'claim-surplus', body), 503, 'SURPLUS_UNREADABLE')
      await refused(post(gated, 'claim-surplus', { txHash: HASH }), 503, 'CHAIN_UNAVAILABLE')
    })
  })
})
