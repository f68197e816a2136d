import { demoSecurityAbi } from '@tallystick/abi'
import { parseSignature, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFeesLife } from './fees-life.ts'
import { createLendingWorld, type LendingWorld, must, units } from './lending-world.ts'
import { cast } from './story-birth.ts'
import { expectAgreement } from './story-checks.ts'
import { raiseMarket, type Stage } from './story-stage.ts'

const DAY = 86_400

/** A loan that ends well. The lender's instance builds, the borrower's wallet signs, the model keeps books of its own. */
describe('the story of a loan, from its opening to its repayment', () => {
  const { borrower } = cast
  let world: LendingWorld
  let stage: Stage

  beforeAll(async () => {
    world = await createLendingWorld()
    // What the platform charges is fixed before any market is deployed.
    await createFeesLife(world).flatFees(units(2, 6), units(3, 6))
    stage = await raiseMarket(world, { config: { protocolFeeRate: 1_000 } })
  })
  afterAll(() => world.close())

  const frozen = () =>
    world.node.publicClient.readContract({
      address: world.security.token,
      abi: demoSecurityAbi,
      functionName: 'getFrozenTokens',
      args: [borrower.address],
    })

  it('begins with a pool that has nothing lent', async () => {
    await expectAgreement(stage)
  })

  it('is opened by a wallet whose own instance knows nothing of the market', async () => {
    const own = await world.createParty(borrower)
    const opened = await stage.open('borrower', 1_000, 50_000)
    expect(opened.built.preview).toMatchObject({ collateral: '1000', debt: '50000', availableToBorrow: '25000' })
    expect(opened.data).toMatchObject({ loanId: '1', borrowAmount: '50000', netDisbursed: '49998' })
    expect((await own.get(stage.position('loan/1'))).body.error.code).toBe('MARKET_NOT_FOUND')
    await expectAgreement(stage)
    expect(await frozen()).toBe(units(1_000))
    expect(await stage.balanceOf(borrower.address)).toBe(stage.shadow.assetOf('borrower'))
  })

  it('draws more after ten days, at interest that nobody has paid', async () => {
    await stage.travel(10 * DAY)
    await expectAgreement(stage)
    await stage.price(100)
    const body = { loanId: 1, amount: '10000' }
    const { at, data } = await stage.act(world.lender, stage.position('borrow-more'), body, { by: borrower })
    stage.shadow.take('borrowMore', 'borrower', { loanId: 1n, amount: units(10_000, 6) }, at)
    expect(data).toMatchObject({ loanId: 1, additionalBorrow: '10000' })
    await expectAgreement(stage)
    expect(await stage.balanceOf(borrower.address)).toBe(stage.shadow.assetOf('borrower'))
  })

  it('gets more collateral', async () => {
    await stage.giveCollateral(borrower, 200)
    const body = { loanId: 1, amount: '200.5' }
    expect((await world.lender.post(stage.position('add-collateral'), body)).body.error.code).toBe(
      'INSUFFICIENT_FREE_COLLATERAL',
    )
    const { at, data } = await stage.act(
      world.lender,
      stage.position('add-collateral'),
      { ...body, amount: '200' },
      { by: borrower },
    )
    stage.shadow.take('addCollateral', 'borrower', { loanId: 1n, amount: units(200) }, at)
    expect(data.collateralAmount).toBe('1200')
    await expectAgreement(stage)
    expect(await frozen()).toBe(units(1_200))
  })

  it('is paid back in part: interest first, then principal', async () => {
    await stage.travel(30 * DAY)
    const body = { loanId: 1, amount: '20000' }
    const { at, data } = await stage.act(world.lender, stage.position('repay'), body, { by: borrower })
    const before = stage.shadow.state.loans.get(1n)?.principal ?? 0n
    stage.shadow.take('repay', 'borrower', { loanId: 1n, amount: units(20_000, 6) }, at)
    const after = stage.shadow.state.loans.get(1n)?.principal ?? 0n
    expect(data).toMatchObject({
      fee: '3',
      principalPaid: stage.shadow.asset(before - after),
      interestPaid: stage.shadow.asset(units(19_997, 6) - (before - after)),
      loanClosed: false,
    })
    await expectAgreement(stage)
    expect(await stage.balanceOf(borrower.address)).toBe(stage.shadow.assetOf('borrower'))
  })

  it('gives back the collateral that it does not need any more', async () => {
    await stage.price(100)
    const body = { loanId: 1, amount: '300' }
    const { at, data } = await stage.act(world.lender, stage.position('withdraw-collateral'), body, { by: borrower })
    stage.shadow.take('withdrawCollateral', 'borrower', { loanId: 1n, amount: units(300) }, at)
    expect(data).toMatchObject({ collateralAmount: '900', delivered: true })
    await expectAgreement(stage)
    expect(await frozen()).toBe(units(900))
  })

  it('is paid off with a permit, in one transaction that frees everything', async () => {
    await stage.travel(DAY)
    await stage.giveCash(borrower, 1_000)
    const quote = must(await world.lender.post(stage.position('permit-quote'), { loanId: 1, all: true })).body.data
    const { EIP712Domain: _, ...types } = quote.typedData.types
    const signature = parseSignature(await borrower.signTypedData({ ...quote.typedData, types } as never))
    const permit = { ...quote.permit, r: signature.r, s: signature.s, v: 27 + signature.yParity }
    const { at, data, built } = await stage.act(
      world.lender,
      stage.position('repay'),
      { ...quote.repay, permit },
      { by: borrower },
    )
    const owed = stage.shadow.loan(1, at)
    expect(built).toMatchObject({ permitUsed: true, fullRepayment: true })
    expect(data).toMatchObject({
      principalPaid: owed.principal,
      interestPaid: owed.accruedInterest,
      loanClosed: true,
      collateralReturned: '900',
    })
    stage.shadow.take('repay', 'borrower', { loanId: 1n, amount: BigInt(quote.typedData.message.value) }, at)
    await expectAgreement(stage)
    expect(await frozen()).toBe(0n)
    expect(await stage.balanceOf(borrower.address)).toBe(stage.shadow.assetOf('borrower') + units(1_000, 6))
  })

  it('has a history that adds up once the record has caught up with the chain', async () => {
    await world.follow()
    const [row] = (await stage.read(stage.position('positions'))).data.positions
    expect(row).toMatchObject({ status: 'REPAID', totalBorrowed: '60000', liquidated: false, priceAtBorrow: '100' })
    const { data } = await stage.read(stage.position(`positions/${row.id}`))
    const told: { txType: string; amount: string }[] = data.transactions.toReversed()
    expect(told.map(({ txType }) => txType).join(' ')).toBe(
      'DEPOSIT BORROW OPEN_FEE BORROW OPEN_FEE COLLATERAL_ADDED REPAY REPAY_FEE COLLATERAL_WITHDRAWN REPAY REPAY_FEE CLOSE',
    )
    const sum = (type: string) =>
      told.filter(({ txType }) => txType === type).reduce((all, { amount }) => all + parseUnits(amount, 6), 0n)
    expect(stage.shadow.asset(sum('REPAY'))).toBe(row.totalRepaid)
    // What the borrower got and paid in all is what his wallet has left.
    const net = sum('BORROW') - sum('OPEN_FEE') - sum('REPAY') - sum('REPAY_FEE')
    expect(net).toBe(stage.shadow.assetOf('borrower'))
  })

  it('leaves the lender with what it earned', async () => {
    const { shares } = stage.shadow.provider('lenderA', 0)
    const body = { shares, provider: world.lender.wallet.address }
    const { at, data } = await stage.act(world.lender, stage.position('remove-liquidity'), body)
    const { value } = stage.shadow.provider('lenderA', at)
    stage.shadow.take('removeLiquidity', 'lenderA', { shares: parseUnits(data.sharesRedeemed, 18) }, at)
    expect(data).toMatchObject({ amount: value })
    await expectAgreement(stage)
  })
})
