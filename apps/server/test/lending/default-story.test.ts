import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, units } from './lending-world.ts'
import { cast } from './story-birth.ts'
import { expectAgreement, expectRealizations } from './story-checks.ts'
import { createSelling, type Selling } from './story-sale.ts'
import { raiseMarket, type Stage } from './story-stage.ts'

const DAY = 86_400

/** A borrower who does not pay in time, and a sale that takes too long. */
describe('the story of defaults', () => {
  let world: LendingWorld
  let stage: Stage
  let selling: Selling

  beforeAll(async () => {
    world = await createLendingWorld()
    stage = await raiseMarket(world, { maxLoanDurationDays: 30, config: { protocolFeeRate: 1_000 } })
    selling = createSelling(stage)
    const request = { maxLoanDurationDays: 30, termPenaltyBps: 200 }
    const { at } = await stage.act(world.lender, stage.ofMarket('term-config'), request)
    const terms = { gracePeriod: BigInt(3 * DAY), terminalDueAt: 0n, termPenaltyBps: 200n }
    stage.shadow.take('setTermConfig', 'admin', { terms: { maxLoanDuration: BigInt(30 * DAY), ...terms } }, at)
  })
  afterAll(() => world.close())

  const agree = async () => {
    await expectAgreement(stage)
    await expectRealizations(stage)
  }
  const term = async () => (await stage.read(stage.position('loan/1'))).data.term
  const refusedToSeize = async () => {
    const path = stage.liquidation(`${stage.record}/liquidate/1`)
    return (await world.lender.post(path, { signerAddress: cast.liquidator.address })).body.error
  }
  const timeout = (id: number) =>
    world.lender.post(stage.liquidation(`handle-timeout/${id}`), { marketId: stage.record })

  describe('of the term', () => {
    it('stamps the day of maturity into the loan', async () => {
      const { data, at, built } = await stage.open('borrower', 1_000, 40_000)
      expect(built.offering).toMatchObject({ termGracePeriodSeconds: 3 * DAY, termPenaltyBps: 200 })
      expect(data.dueAt).toBe(at + 30 * DAY)
      expect(await term()).toMatchObject({ dueAt: at + 30 * DAY, graceEnd: at + 33 * DAY, enforceable: false })
      await agree()
    })

    it('cannot be enforced before the days of grace are over', async () => {
      await stage.travel(32 * DAY)
      await stage.price(100)
      expect(await refusedToSeize()).toMatchObject({ code: 'LOAN_NOT_LIQUIDATABLE' })
      const { termedLoans } = (await stage.read(stage.liquidation(`${stage.record}/liquidatable-loans`))).data
      expect(termedLoans).toMatchObject([{ loanId: '1', enforceable: false }])
      await stage.travel(DAY + 60)
      expect(await term()).toMatchObject({ enforceable: true })
      expect(await refusedToSeize()).toMatchObject({ code: 'PRICE_STALE' })
    })

    it('takes the whole debt with the penalty of the term, and gives the rest of the collateral back', async () => {
      await stage.price(100)
      const { built, data } = await stage.liquidate(1)
      expect(built.forecast).toMatchObject({ trigger: 'TERM', penaltyBps: 200, closesLoan: true })
      expect(data).toMatchObject({ termRealization: true, liquidationId: '1' })
      const { collateralAmount } = stage.shadow.routed(1)
      expect(await stage.balanceOf(cast.borrower.address, stage.collateralToken)).toBe(units(1_000) - collateralAmount)
      expect(await stage.balanceOf(stage.market.router, stage.collateralToken)).toBe(collateralAmount)
      await agree()
    })

    it('pays the borrower what the sale brings beyond debt and penalty', async () => {
      await selling.takeOut(1)
      const { data } = await selling.settle(1, 45_000)
      expect(data.settlement).toMatchObject({ shortfall: '0', debtApplied: '0' })
      await agree()
      expect(await stage.balanceOf(cast.borrower.address)).toBe(stage.shadow.assetOf('borrower'))
      const [row] = (await stage.read(stage.position('positions'))).data.positions
      expect(row).toMatchObject({ status: 'LIQUIDATED', liquidated: true, borrowedAmount: '0' })
    })
  })

  describe('of a sale', () => {
    it('leaves the claim open while nothing is sold', async () => {
      await selling.topUpFund(6_000)
      await stage.open('otherBorrower', 1_000, 70_000)
      await stage.price(80)
      await stage.liquidate(2)
      await selling.takeOut(2)
      await stage.travel(6 * DAY)
      const early = await timeout(2)
      expect([early.status, early.body.error.code]).toEqual([400, 'LIQUIDATION_NOT_TIMED_OUT'])
      const { seizedAt } = stage.shadow.realization(2)
      expect(Date.parse(early.body.error.eligibleAt) / 1_000).toBe(Number(seizedAt) + 7 * DAY + 1)
      await agree()
    })

    it('is written off after seven days: the fund pays first, the pool bears the rest', async () => {
      await stage.travel(DAY + 60)
      const { data, built } = await selling.writeOff(2)
      expect(data.reserve).toMatchObject({ requested: data.claim, covered: '6000' })
      expect(built.preview.poolLoss).toBe(stage.shadow.asset(stage.shadow.state.arrears.get(2n)?.lost ?? 0n))
      await agree()
      const { database } = (await stage.read(stage.liquidation(`${stage.record}/liquidation-stats`))).data
      expect(database).toMatchObject({ pending: 0, settled: 1, writtenOff: 1 })
      expect((await timeout(2)).body.error.code).toBe('ALREADY_SETTLED')
    })

    it('brings cash in the end, which makes the pool whole before the fund', async () => {
      const lost = stage.shadow.state.arrears.get(2n)?.lost ?? 0n
      const { data } = await selling.settle(2, 32_000)
      expect(data.settlement).toMatchObject({
        late: true,
        reserveReimbursed: stage.shadow.asset(units(32_000, 6) - lost),
        shortfall: null,
      })
      expect(stage.shadow.state.arrears.get(2n)?.lost).toBe(0n)
      await agree()
    })

    it('gives the fund its part with the next sweep', async () => {
      const { at } = await stage.act(world.lender, stage.ofMarket('protocol-fees/sweep'))
      stage.shadow.take('sweepProtocolFees', 'admin', {}, at)
      await agree()
      const cashflows = must(await world.lender.get(stage.ofMarket('cashflows'))).body.data
      for (const one of Object.values(cashflows.reconciliation) as { balanced: boolean }[])
        expect(one.balanced).toBe(true)
    })
  })
})
