import type { KeptMarket } from './kept-market.ts'
import { ofMarket, ofPositions, type Stage } from './market-stage.ts'

const INSTALMENT = '1'

/** The borrower pays a little interest whenever all fees are swept: there is always something to sweep. */
export async function keepFees(stage: Stage, { marketId, market }: KeptMarket): Promise<void> {
  const { lender, borrower, act } = stage
  const path = ofMarket(marketId, '/metrics')
  const { infrastructureFeesPayableRaw } = await lender.call<{ infrastructureFeesPayableRaw: string | null }>(
    'GET',
    path,
  )
  if (infrastructureFeesPayableRaw !== '0' || market.loans.healthy === undefined) return
  const body = { loanId: market.loans.healthy, amount: INSTALMENT, payerAddress: borrower.address }
  await act(lender.call, ofPositions(marketId, '/repay'), { body, by: borrower })
}
