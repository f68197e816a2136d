import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, units } from './lending-world.ts'
import { cast } from './story-birth.ts'
import { expectAgreement, expectRealizations } from './story-checks.ts'
import { createSelling, type Selling } from './story-sale.ts'
import { raiseMarket, type Stage } from './story-stage.ts'

/** The price falls, three times: a sale that leaves something over, one that the insurance fund pays for, and one that the pool does. */
describe('the story of liquidations that are sold by hand', () => {
  let world: LendingWorld
  let stage: Stage
  let selling: Selling

  beforeAll(async () => {
    world = await createLendingWorld()
    stage = await raiseMarket(world, { config: { protocolFeeRate: 1_000 } })
    selling = createSelling(stage)
  })
  afterAll(() => world.close())

  const liquidatable = async () =>
    (await stage.read(stage.liquidation(`${stage.record}/liquidatable-loans`))).data.liquidatableLoans
  const agree = async () => {
    await expectAgreement(stage)
    await expectRealizations(stage)
  }
  const paidOut = async (who: 'borrower' | 'otherBorrower') => {
    expect(await stage.balanceOf(cast[who].address)).toBe(stage.shadow.assetOf(who))
  }

  it('begins with a loan that nobody may seize', async () => {
    await stage.open('borrower', 1_000, 70_000)
    expect(await liquidatable()).toEqual([])
    const path = stage.liquidation(`${stage.record}/liquidate/1`)
    const refused = await world.lender.post(path, { signerAddress: cast.liquidator.address })
    expect(refused.body.error.code).toBe('LOAN_NOT_LIQUIDATABLE')
  })

  it('seizes half of it when the price falls', async () => {
    await stage.price(80)
    expect(await liquidatable()).toMatchObject([{ loanId: '1', trigger: 'HEALTH' }])
    const { data, built } = await stage.liquidate(1)
    expect(built.forecast).toMatchObject({ trigger: 'HEALTH', path: 'ROUTER', closesLoan: false, penaltyBps: 500 })
    expect(data).toMatchObject({
      liquidationId: '1',
      status: 'PENDING',
      collateralSeized: stage.shadow.collateral(stage.shadow.routed(1).collateralAmount),
    })
    // What the router said was taken down with the seizure: nothing waits for the follower.
    const pending = stage.liquidation(`${stage.record}/pending-liquidations`)
    const [row] = (await stage.read(pending)).data.pendingLiquidations
    expect(row).toMatchObject({ liquidationId: '1', realization: 'ROUTER', marketLiquidationId: '1' })
    await agree()
  })

  it('is sold in three tranches, whose cash waits on the router', async () => {
    await selling.takeOut(1, 150)
    await selling.report(1, '150', 26_000)
    await agree()
    await selling.takeOut(1, 200)
    await selling.report(1, '200', 34_000)
    const rest = stage.shadow.collateral(stage.shadow.routed(1).collateralRemaining)
    await selling.takeOut(1)
    await selling.report(1, rest, 20_000)
    await agree()
  })

  it('pays the whole loan from it, and the borrower what is over', async () => {
    const { data } = await selling.settle(1, 0)
    expect(data).toMatchObject({ usdcProceeds: '80000', finalLegProceeds: '0' })
    expect(data.surplus).toMatchObject([{ kind: 'SURPLUS_RETURNED', loanId: '1' }])
    await agree()
    await paidOut('borrower')
    const { at } = await stage.act(world.lender, stage.position('close-loan'), { loanId: 1 }, { by: cast.borrower })
    stage.shadow.take('closeLoan', 'borrower', { loanId: 1n }, at)
    await agree()
  })

  it('sells another one too cheap, and the fund pays what is missing', async () => {
    await selling.topUpFund(10_000)
    await stage.price(100)
    await stage.open('otherBorrower', 1_000, 70_000)
    await stage.price(80)
    await stage.liquidate(2)
    await selling.takeOut(2)
    await selling.countersign(2)
    const { data } = await selling.settle(2, 30_000)
    expect(data.settlement).toMatchObject({ shortfall: '0', debtApplied: '0', reserve: { uncovered: '0' } })
    expect(stage.shadow.realization(2).covered).toBeGreaterThan(units(5_000, 6))
    await agree()
  })

  it('sells the rest so badly that the fund is emptied and the pool bears the loss', async () => {
    await stage.price(60)
    await stage.liquidate(2)
    await selling.takeOut(3)
    await selling.countersign(3)
    const before = stage.shadow.provider('lenderA', 0).value
    const { data } = await selling.settle(3, 5_000)
    expect(Number(data.settlement.reserve.uncovered)).toBeGreaterThan(7_000)
    expect(Number(data.settlement.shortfall)).toBeGreaterThan(7_000)
    expect(Number(stage.shadow.provider('lenderA', 0).value)).toBeLessThan(Number(before))
    expect(stage.shadow.state.assets.get('fund')).toBe(0n)
    await agree()
    await paidOut('otherBorrower')
  })

  it('tells the deployer the same story', async () => {
    const path = (record: string) => stage.liquidation(`${record}/settled-liquidations`)
    const [ours, theirs] = [
      (await stage.read(path(stage.record))).data.settledLiquidations,
      (await world.deployer.get(path(stage.deployerRecord))).body.data.settledLiquidations,
    ]
    const facts = (rows: Record<string, unknown>[]) =>
      rows.map(({ id: _, marketId: __, recordedByThisInstance: ___, ...rest }) => rest)
    expect(facts(theirs)).toEqual(facts(ours))
  })
})
