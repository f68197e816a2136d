import { expect } from 'vitest'
import type { Stage } from './story-stage.ts'

/** What the model says of a loan in the words of a position. */
function positionOf({ shadow }: Stage, loanId: number, at: number) {
  const { principal, accruedInterest, collateralAmount, healthFactor } = shadow.loan(loanId, at)
  return { collateralAmount, borrowedAmount: principal, interestAccrued: accruedInterest, healthFactor }
}

async function expectLoans(stage: Stage): Promise<void> {
  const { shadow, read, position } = stage
  for (const id of shadow.state.loans.keys()) {
    const { data, metadata } = await read(position(`loan/${id}`))
    expect(data, `loan ${id}`).toMatchObject(shadow.loan(Number(id), metadata.chainTime))
  }
  const listed = await read(position('positions'))
  // Without an open loan the chain is not asked, and time does not matter.
  const { chainTime = 0 } = listed.metadata
  const told = listed.data.positions.map((row: Record<string, unknown>) => ({
    loan: row.onChainLoanId,
    collateralAmount: row.collateralAmount,
    borrowedAmount: row.borrowedAmount,
    interestAccrued: row.interestAccrued,
    healthFactor: row.healthFactor,
  }))
  const expected = [...shadow.state.loans.keys()]
    .map((id) => ({ loan: String(id), ...positionOf(stage, Number(id), chainTime) }))
    .toReversed()
  expect(told).toEqual(expected)
}

async function expectPool({ shadow, read, ofMarket }: Stage): Promise<void> {
  const { data, metadata } = await read(ofMarket('metrics'))
  const pool = shadow.pool(metadata.chainTime)
  expect(data).toMatchObject({
    totalDeposits: shadow.asset(pool.totalLiquidity),
    totalBorrows: shadow.asset(pool.totalBorrowed),
    availableLiquidity: shadow.asset(pool.cash),
    borrowableLiquidity: shadow.asset(pool.borrowable),
    totalCollateral: shadow.collateral(pool.totalCollateral),
    activeLoans: pool.activeLoans.toString(),
    totalLoansCreated: pool.loanCounter.toString(),
    activeAuctions: pool.openAuctions.toString(),
    pendingLiquidationDebt: shadow.asset(pool.carriedClaims),
    operatorFeesPayableRaw: pool.operatorFees.toString(),
    distributorFeesPayableRaw: pool.distributorFees.toString(),
    protocolFeesPayableRaw: pool.protocolFees.toString(),
    infrastructureFeesPayableRaw: pool.infrastructureFees.toString(),
  })
}

async function expectProvider({ shadow, read, position, world }: Stage): Promise<void> {
  const { data, metadata } = await read(position(`provider-balance/${world.lender.wallet.address}`))
  const { shares, value, fees } = shadow.provider('lenderA', metadata.chainTime)
  expect(data).toMatchObject({ shares, currentValue: value, distributorFees: fees, source: 'onchain' })
}

/** Everything that the interface tells of the market, at the second of which it tells it, is what the model says. */
export async function expectAgreement(stage: Stage): Promise<void> {
  await expectLoans(stage)
  await expectPool(stage)
  await expectProvider(stage)
}

/** What was seized, what became of it, and who bears what it did not bring. */
export async function expectRealizations(stage: Stage): Promise<void> {
  const { shadow, read, position, liquidation, ofMarket, record, world } = stage
  // Which number the router gave a seizure is told by an event that nobody confirms.
  await world.follow()
  const { state } = shadow
  const pending = (await read(liquidation(`${record}/pending-liquidations`))).data.pendingLiquidations
  const settled = (await read(liquidation(`${record}/settled-liquidations`))).data.settledLiquidations
  const told = new Map<string, Record<string, unknown>>(
    [...pending, ...settled].map((row) => [row.marketLiquidationId, row]),
  )
  expect([told.size, pending.length + settled.length]).toEqual([state.realizations.size, state.realizations.size])
  for (const [id, one] of state.realizations)
    expect(told.get(String(id)), `realization ${id}`).toMatchObject({
      loanId: String(one.loanId),
      status: one.status === 'OPEN' ? 'PENDING' : one.status,
      debtOwed: shadow.asset(one.claim),
      totalDebtAtSeizure: shadow.asset(one.totalDebt),
      proceedsHeld: shadow.asset(one.held),
      termRealization: one.isTerm,
      ...(one.status === 'OPEN'
        ? {}
        : { principalOwed: shadow.asset(one.principalOwed), reserveCovered: shadow.asset(one.covered) }),
    })
  for (const [id, one] of state.routed)
    expect(told.get(String(one.realizationId)), `liquidation ${id}`).toMatchObject({
      liquidationId: String(id),
      onChainData: {
        collateralAmount: shadow.collateral(one.collateralAmount),
        collateralRemaining: shadow.collateral(one.collateralRemaining),
        proceedsCollected: shadow.asset(one.proceedsCollected),
        settled: one.isSettled,
      },
    })
  const rows: { id: string; onChainLoanId: string }[] = (await read(position('positions'))).data.positions
  for (const [loanId, { lost }] of state.arrears) {
    const row = rows.find(({ onChainLoanId }) => onChainLoanId === String(loanId))
    const { realizationLoss } = (await read(position(`positions/${row?.id}`))).data
    expect(realizationLoss, `loan ${loanId}`).toMatchObject({ poolLoss: shadow.asset(lost) })
  }
  const { stats } = (await read(ofMarket('insurance/status'))).data
  expect(stats.currentBalance).toBe(shadow.asset(state.assets.get('fund') ?? 0n))
}
