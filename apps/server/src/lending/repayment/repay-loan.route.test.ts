import { demoCashAbi } from '@tallystick/abi'
import { deploySafe, wallet } from '@tallystick/testkit'
import { type Address, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { createRepaymentLife, type RepaymentLife } from '../../../test/lending/repayment-life.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'
import { debtOf } from '../loans/index.rules.ts'
import { closingAmount, measurePayment, offerForAll } from './repayment.rules.ts'

const DAY = 86_400
const HASH = `0x${'1'.repeat(64)}` as Hex
const WRONG_CHECKSUM = '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266'
const REPAY_FEE = units(3, 6)
const borrower = wallet(3)
const raw = (text: string) => parseUnits(text, 6)
const lower = (address: string) => address.toLowerCase() as Address

describe('paying a loan back', () => {
  let world: ProxiedWorld
  let life: RepaymentLife
  let market: LiveMarket

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createRepaymentLife(world)
    await life.flatFees(units(2, 6), REPAY_FEE)
    market = await life.earning()
    await life.giveCash(borrower, 50_000)
  })
  afterAll(() => world.close())

  const post = (name: string, body: Record<string, unknown>, at = market) =>
    world.deployer.post(life.path(at, name), body)
  const repay = (body: Record<string, unknown>, at = market) => post('repay', body, at)
  const quote = (body: Record<string, unknown>, at = market) => post('permit-quote', body, at)
  async function refused(name: string, body: Record<string, unknown>, status: number, code: string, at = market) {
    const answer = await post(name, body, at)
    expect([name, answer.status, answer.body.error?.code]).toEqual([name, status, code])
    return answer.body.error
  }
  async function borrowed(amount = 10_000, days = 30, at = market): Promise<bigint> {
    await life.travelFresh(at, 1)
    const loanId = await life.openLoan(at, borrower, { collateral: 1_000, amount })
    await life.travelFresh(at, days * DAY)
    return loanId
  }
  const permitted = async (body: Record<string, unknown>) => {
    const { typedData, permit, repay: paying } = must(await quote(body)).body.data
    return { typedData, body: { ...paying, permit: { ...permit, ...(await life.sign(borrower, typedData)) } } }
  }

  it('takes a part of it by an approval and a payment, and tells what it did to the unit', async () => {
    const loanId = await borrowed()
    const built = must(await repay({ loanId: Number(loanId), amount: '1000.5' }))
    const { data, metadata } = built.body
    const before = await life.loan(market, loanId, BigInt(metadata.blockNumber))
    const planned = measurePayment(REPAY_FEE, debtOf(before), raw('1000.5'))
    expect(data).toMatchObject({
      success: true,
      action: 'SIGN_TRANSACTIONS',
      steps: [
        { functionName: 'approve', transaction: { to: world.cash, value: '0', chainId: world.node.chainId } },
        { functionName: 'repay', transaction: { to: market.marketAddress } },
      ],
      confirmStepIndex: 1,
      gasLimit: '600000',
      loanId: loanId.toString(),
      fullRepayment: false,
      repayAmount: '1000.5',
      payerAddress: lower(borrower.address),
      permitSupported: true,
      permitUsed: false,
      warning: null,
      collateralRelease: null,
      transactionFee: { kind: 'REPAY', fee: '3', feeRaw: '3000000', debtReduction: '997.5' },
      simulation: { simulated: true, success: true },
      confirmWith: { endpoint: life.path(market, 'repay'), body: { loanId: loanId.toString(), txHash: null } },
    })
    expect(raw(data.outstandingDebt)).toBe(debtOf(before))
    expect(raw(data.closingAmount)).toBe(closingAmount(REPAY_FEE, debtOf(before)))
    expect(raw(data.preview.debt)).toBe(debtOf(before) - planned.discharged)
    expect(data.preview).toMatchObject({ collateral: '1000', price: '100' })

    const had = await life.balanceOf(borrower.address)
    const [approval, txHash] = await life.sendSteps(borrower, data.steps)
    if (!approval || !txHash) throw new Error('two steps were built')
    const confirmed = must(await repay({ ...data.confirmWith.body, txHash })).body.data
    const after = await life.loan(market, loanId)
    const repaid = raw(confirmed.repaidAmount)
    expect(measurePayment(REPAY_FEE, debtOf(after) + repaid, raw('1000.5'))).toEqual({
      paid: had - (await life.balanceOf(borrower.address)),
      discharged: repaid,
      fee: raw(confirmed.fee),
    })
    expect(confirmed).toEqual({
      txHash,
      loanId: loanId.toString(),
      paidBy: lower(borrower.address),
      repaidAmount: '997.5',
      principalPaid: confirmed.principalPaid,
      interestPaid: confirmed.interestPaid,
      fee: '3',
      loanClosed: false,
      collateralReturned: null,
      collateralReturnEscrowed: false,
      claimAction: null,
    })
    expect(after.principal).toBe(units(10_000, 6) - raw(confirmed.principalPaid))
    expect(raw(confirmed.principalPaid) + raw(confirmed.interestPaid)).toBe(repaid)
    // A second confirmation says the same, whatever else the body names.
    expect(must(await repay({ loanId: `00${loanId}`, amount: '7', txHash })).body.data).toEqual(confirmed)
    await refused('repay', { loanId: Number(loanId) + 1, txHash }, 400, 'TX_NOT_VERIFIED')
    await refused('repay', { loanId: Number(loanId), txHash: approval }, 400, 'TX_WRONG_TARGET')
  })

  it('closes it with all, leaves no allowance behind, and gives the collateral back', async () => {
    const loanId = await borrowed()
    const { data, metadata } = must(await repay({ loanId: loanId.toString(), all: true })).body
    const debt = debtOf(await life.loan(market, loanId, BigInt(metadata.blockNumber)))
    expect(data).toMatchObject({
      steps: [{ functionName: 'approve' }, { functionName: 'repay' }, { functionName: 'approve' }],
      confirmStepIndex: 1,
      fullRepayment: true,
      transactionFee: { fee: '3' },
      preview: { collateral: '0', debt: '0', healthFactor: null, maxBorrow: '0' },
      simulation: { success: true },
    })
    expect(raw(data.repayAmount)).toBe(offerForAll(REPAY_FEE, debt))
    // Three days later it still closes: that is what the room is for.
    await life.travel(3 * DAY)
    const had = await life.balanceOf(borrower.address)
    const [approve, pay, after] = data.steps
    await life.sendSteps(borrower, [approve])
    const txHash = await life.sendWith(borrower, pay, BigInt(data.gasLimit))
    const [reset] = await life.sendSteps(borrower, [after])
    const confirmed = must(await repay({ loanId: loanId.toString(), txHash })).body.data
    expect(confirmed).toMatchObject({ principalPaid: '10000', fee: '3', loanClosed: true, collateralReturned: '1000' })
    expect(raw(confirmed.repaidAmount)).toBeGreaterThan(debt)
    expect(raw(confirmed.repaidAmount) + raw(confirmed.fee)).toBe(had - (await life.balanceOf(borrower.address)))
    expect(await life.allowance(borrower.address, market)).toBe(0n)
    await refused('repay', { loanId: loanId.toString(), txHash: reset }, 400, 'TX_WRONG_TARGET')
    for (const name of ['repay', 'permit-quote'])
      await refused(name, { loanId: loanId.toString(), amount: '1' }, 400, 'LOAN_NOT_ACTIVE')
    await refused('close-loan', { loanId: loanId.toString() }, 400, 'LOAN_ALREADY_CLOSED')
  })

  it('takes an amount beyond the debt for everything, and says when the wallet is short', async () => {
    const loanId = Number(await borrowed(1_000, 1))
    const { data } = must(await repay({ loanId, amount: '1000000' })).body
    expect(data).toMatchObject({ fullRepayment: true, repayAmount: '1000000', preview: { debt: '0' } })
    expect(data.steps).toHaveLength(3)
    // The market takes only what closes the loan, and that the wallet has.
    expect(data.simulation.success).toBe(true)
    const poor = must(await repay({ loanId, all: true, payerAddress: wallet(7).address })).body.data
    expect(poor.simulation).toMatchObject({ success: false, revert: { code: 'INSUFFICIENT_BALANCE' } })
    const file = must(await world.deployer.post(`${life.path(market, 'repay')}?format=safe`, { loanId, all: true }))
    expect(file.body.transactions).toHaveLength(3)
  })

  it('lets anybody pay, also a Safe', async () => {
    const loanId = Number(await borrowed())
    const safe = await deploySafe(world.node, [wallet(4)])
    await life.giveCash(safe.address, 500)
    const { data } = must(await repay({ loanId, amount: '500', payerAddress: safe.address })).body
    expect(data).toMatchObject({ payerAddress: lower(safe.address), simulation: { success: true } })
    await safe.execThroughSafe(data.steps[0].transaction)
    const { receipt } = await safe.execThroughSafe(data.steps[1].transaction)
    expect(must(await repay({ loanId, txHash: receipt.transactionHash })).body.data).toMatchObject({
      verifiedBy: 'receipt-log',
      paidBy: lower(safe.address),
      repaidAmount: '497.512438',
      fee: '2.487562',
    })
  })

  it('takes a permit instead of the approval, once', async () => {
    const loanId = Number(await borrowed())
    const asked = { loanId, amount: '250', deadlineSeconds: 600 }
    const { data, metadata } = must(await quote(asked)).body
    expect(data).toMatchObject({
      success: true,
      action: 'SIGN_TYPED_DATA',
      typedData: {
        domain: { name: 'Cash USDX', version: '1', chainId: world.node.chainId, verifyingContract: world.cash },
        primaryType: 'Permit',
        message: { owner: lower(borrower.address), spender: market.marketAddress, value: '250000000', nonce: '0' },
      },
      permit: { value: '250', deadline: metadata.chainTime + 600 },
      repay: { loanId: String(loanId), amount: '250' },
      fullRepayment: false,
      borrowAssetSymbol: 'USDX',
      borrowAssetAddress: world.cash,
      signer: lower(borrower.address),
      nonce: '0',
      warning: null,
    })
    const { body } = await permitted(asked)
    const built = must(await repay(body)).body.data
    expect(built).toMatchObject({
      steps: [{ functionName: 'repayWithPermit' }],
      confirmStepIndex: 0,
      gasLimit: '650000',
      permitUsed: true,
      simulation: { success: true },
    })
    const [txHash] = await life.sendSteps(borrower, built.steps)
    expect(must(await repay({ loanId, txHash })).body.data).toMatchObject({ txHash, repaidAmount: '248.756219' })
    const { details } = await refused('repay', body, 400, 'INVALID_PERMIT')
    expect(details).toEqual({ reason: 'ALREADY_USED', signer: lower(borrower.address) })

    // Somebody who saw the permit may use it first; the allowance then stands, and the payment goes through.
    const seen = await permitted({ loanId, amount: '10' })
    const { v, r, s, deadline } = seen.body.permit
    const args = [borrower.address, market.marketAddress, units(10, 6), BigInt(deadline), v, r, s]
    await life.call(world.cash, demoCashAbi, 'permit', args, wallet(6))
    const late = must(await repay(seen.body)).body.data
    expect(late).toMatchObject({ warning: expect.stringContaining('used already'), simulation: { success: true } })
    const [second] = await life.sendSteps(borrower, late.steps)
    expect(must(await repay({ loanId, txHash: second })).body.data).toMatchObject({ paidBy: lower(borrower.address) })
  })

  it('closes it with a permit for everything, of whoever pays', async () => {
    const loanId = await borrowed()
    const payer = wallet(5)
    await life.giveCash(payer, 20_000)
    const { data } = must(await quote({ loanId: Number(loanId), all: true, payerAddress: payer.address })).body
    expect(data).toMatchObject({ fullRepayment: true, signer: lower(payer.address) })
    expect(data.repay).toEqual({ loanId: loanId.toString(), all: true, payerAddress: lower(payer.address) })
    const permit = { ...data.permit, ...(await life.sign(payer, data.typedData)) }
    const built = must(await repay({ ...data.repay, permit })).body.data
    expect(built).toMatchObject({
      steps: [{ functionName: 'repayWithPermit' }, { functionName: 'approve' }],
      confirmStepIndex: 0,
      repayAmount: data.permit.value,
      warning: null,
    })
    await refused('repay', { ...data.repay, permit: { ...permit, value: undefined } }, 400, 'PERMIT_VALUE_REQUIRED')

    // Signed for less than was quoted: good while it lasts, and refused when it no longer closes the loan.
    const resigned = async (value: bigint) => {
      const { message } = data.typedData
      const typedData = { ...data.typedData, message: { ...message, value: value.toString() } }
      const text = (Number(value) / 1e6).toFixed(6)
      return { ...data.repay, permit: { ...data.permit, value: text, ...(await life.sign(payer, typedData)) } }
    }
    const tight = raw(data.closingAmount) + raw('1')
    expect(must(await repay(await resigned(tight))).body.data.warning).toContain('little room')
    const low = await refused('repay', await resigned(raw(data.closingAmount) - raw('1')), 400, 'INVALID_PERMIT')
    expect(low.details.reason).toBe('VALUE_TOO_LOW')

    const [txHash] = await life.sendSteps(payer, built.steps)
    expect(must(await repay({ loanId: Number(loanId), txHash })).body.data).toMatchObject({
      paidBy: lower(payer.address),
      loanClosed: true,
    })
    expect(await life.allowance(payer.address, market)).toBe(0n)
  })

  it('builds nothing on a permit that the token would refuse', async () => {
    const loanId = Number(await borrowed())
    const { body } = await permitted({ loanId, amount: '10', deadlineSeconds: 60 })
    const reasonFor = async (permit: Record<string, unknown>, more: Record<string, unknown> = {}) => {
      const error = await refused(
        'repay',
        { ...body, ...more, permit: { ...body.permit, ...permit } },
        400,
        'INVALID_PERMIT',
      )
      return error.details.reason
    }
    expect(await reasonFor({}, { amount: '11' })).toBe('VALUE_MISMATCH')
    expect(await reasonFor({ deadline: body.permit.deadline + 1 })).toBe('WRONG_SIGNER')
    expect(await reasonFor({}, { payerAddress: wallet(6).address })).toBe('WRONG_SIGNER')
    expect(await reasonFor({ r: HASH.replace(/1/g, 'f') })).toBe('WRONG_SIGNER')
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const mirrored = { s: `0x${(order - BigInt(body.permit.s)).toString(16).padStart(64, '0')}`, v: 55 - body.permit.v }
    expect(await reasonFor(mirrored)).toBe('NOT_CANONICAL')
    must(await repay(body))
    must(await repay({ ...body, permit: { ...body.permit, value: undefined } }))
    await life.travel(61)
    expect(await reasonFor({})).toBe('EXPIRED')
    for (const wrong of [{ v: 26 }, { r: '0x1' }, { value: '0' }, { more: 1 }])
      await refused('repay', { ...body, permit: { ...body.permit, ...wrong } }, 400, 'VALIDATION_ERROR')
  })

  it('says when the money knows no permits, or not such that we can check them', async () => {
    const permit = { deadline: 2_000_000_000, v: 27, r: HASH, s: HASH, value: '10' }
    const { market: gated } = await life.gatedMarket()
    const salted = await life.saltedMarket()
    for (const [at, code] of [
      [gated, 'PERMIT_UNSUPPORTED'],
      [salted, 'PERMIT_DOMAIN_UNRESOLVED'],
    ] as const) {
      const body = { loanId: Number(await borrowed(1_000, 1, at)), amount: '10' }
      await refused('permit-quote', body, 409, code, at)
      await refused('repay', { ...body, permit }, 409, code, at)
      expect(must(await repay(body, at)).body.data).toMatchObject({ permitSupported: false, permitUsed: false })
    }
  })

  it('refuses requests that make no sense', async () => {
    const loanId = Number(await borrowed(1_000, 1))
    const wrong = [
      { loanId },
      { loanId, all: false },
      { loanId, amount: '1', all: true },
      { loanId, amount: '0' },
      { loanId, amount: '1.0000001' },
      { loanId, amount: '-1' },
      { loanId, amount: '9'.repeat(60) },
      { loanId: 0, amount: '1' },
      { loanId: '1x', amount: '1' },
      { loanId, amount: '1', payerAddress: WRONG_CHECKSUM },
      { loanId, amount: '1', signedPrice: {} },
    ]
    for (const name of ['repay', 'permit-quote'])
      for (const body of wrong) await refused(name, body, 400, 'VALIDATION_ERROR')
    for (const deadlineSeconds of [59, 86_401, 60.5, '60'])
      await refused('permit-quote', { loanId, amount: '1', deadlineSeconds }, 400, 'VALIDATION_ERROR')
    await refused('repay', { loanId, txHash: '0x1' }, 400, 'VALIDATION_ERROR')
    for (const body of [{}, { loanId: -1 }, { loanId, txHash: 'x' }])
      await refused('close-loan', body, 400, 'VALIDATION_ERROR')
    for (const [name, body] of [
      ['repay', { loanId: 4_000, amount: '1' }],
      ['permit-quote', { loanId: '4000', all: true }],
      ['close-loan', { loanId: 4_000 }],
    ] as const)
      await refused(name, body, 404, 'LOAN_NOT_FOUND')
    const owing = await refused('close-loan', { loanId }, 400, 'DEBT_OUTSTANDING')
    expect(raw(owing.outstandingDebt)).toBe(debtOf(await life.loan(market, BigInt(loanId))))
    expect(owing.message).toContain(owing.outstandingDebt)
  })

  it('closes a loan that a liquidation has paid off', async () => {
    const loanId = Number(await life.paidOffByLiquidation(market, borrower))
    const standing = await life.loan(market, BigInt(loanId))
    expect([debtOf(standing), standing.collateral > 0n]).toEqual([0n, true])
    for (const name of ['repay', 'permit-quote']) await refused(name, { loanId, all: true }, 400, 'NO_OUTSTANDING_DEBT')
    const { data } = must(await post('close-loan', { loanId })).body
    expect(data).toMatchObject({
      action: 'SIGN_TRANSACTION',
      functionName: 'closeLoan',
      transaction: { to: market.marketAddress, value: '0', chainId: world.node.chainId },
      requiredSigner: lower(borrower.address),
      preview: { collateral: '0', debt: '0' },
      collateralRelease: null,
      simulation: { success: true },
      confirmWith: { endpoint: life.path(market, 'close-loan'), body: { loanId: String(loanId), txHash: null } },
    })
    const txHash = await world.sendRaw(borrower, data.transaction)
    const confirmed = must(await post('close-loan', { loanId, txHash })).body.data
    expect(confirmed).toEqual({
      txHash,
      loanId: String(loanId),
      collateralReturned: confirmed.collateralReturned,
      collateralReturnEscrowed: false,
      claimAction: null,
    })
    expect(parseUnits(confirmed.collateralReturned, 18)).toBe(standing.collateral)
    await refused('close-loan', { loanId: loanId + 1, txHash }, 400, 'TX_NOT_VERIFIED')
  })

  it('is confirmed by nothing else', async () => {
    for (const name of ['repay', 'close-loan'])
      await expectTransactionFaults(world, {
        confirm: (txHash) => post(name, { loanId: 1, txHash }),
        target: market.marketAddress,
        other: { abi: abis.market, functionName: 'pokeSnapshot' },
      })
  })

  it('is not answered for when the market or the chain does not answer', async () => {
    const legs = [
      ['repay', { loanId: 1, amount: '1' }],
      ['permit-quote', { loanId: 1, all: true }],
      ['close-loan', { loanId: 1 }],
    ] as const
    await world.withBroken(market.marketAddress, async () => {
      for (const [name, body] of legs) await refused(name, body, 503, 'LOAN_STATE_UNAVAILABLE')
    })
    await world.withoutNode(async () => {
      for (const [name, body] of legs) await refused(name, body, 503, 'LOAN_STATE_UNAVAILABLE')
      for (const name of ['repay', 'close-loan'])
        await refused(name, { loanId: 1, txHash: HASH }, 503, 'CHAIN_UNAVAILABLE')
    })
  })

  it('costs a quote one round trip when the payer is named, and one more to find the borrower', async () => {
    const loanId = Number(await borrowed(1_000, 1))
    const named = { loanId, all: true, payerAddress: borrower.address }
    expect(await world.roundTrips(async () => must(await quote(named)))).toBe(1)
    expect(await world.roundTrips(async () => must(await quote({ loanId, all: true })))).toBe(2)
  })
})
