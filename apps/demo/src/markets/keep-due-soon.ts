import type { KeptMarket } from './kept-market.ts'
import { marketPlans, shortTermDays, usualTermDays } from './market-plan.ts'
import { ofMarket, ofPositions, type Stage } from './market-stage.ts'

/** A loan that fell due is paid back, and another one takes its place and its label. */
export async function keepDueSoon(stage: Stage, { marketId, market, book }: KeptMarket): Promise<void> {
  const { lender, borrower, act, signing } = stage
  if (market.loans.dueSoon === undefined) return
  const { timestamp } = await signing.client.getBlock()
  const loan = book.termedLoans.find(({ loanId }) => loanId === String(market.loans.dueSoon))
  if (loan && loan.effectiveDueAt > Number(timestamp)) return
  const plan = marketPlans[0]?.loans.find(({ label }) => label === 'dueSoon')
  if (!plan) return
  if (loan) {
    const body = { loanId: Number(loan.loanId), all: true, payerAddress: borrower.address }
    await act(lender.call, ofPositions(marketId, '/repay'), { body, by: borrower })
  }
  const setTerm = (maxLoanDurationDays: number) =>
    act(lender.call, ofMarket(marketId, '/term-config'), { body: { maxLoanDurationDays }, by: lender.account })
  await setTerm(shortTermDays)
  try {
    const { collateralAmount, borrowAmount } = plan
    const body = { collateralAmount, borrowAmount, borrowerAddress: borrower.address }
    const path = ofPositions(marketId, '/open-loan')
    const { loanId } = await act<{ loanId: string }>(lender.call, path, { body, by: borrower })
    market.loans.dueSoon = Number(loanId)
  } finally {
    await setTerm(usualTermDays)
  }
}
