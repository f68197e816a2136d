import { ofPositions, type Stage } from './market-stage.ts'
import { configure } from './set-up-market.ts'

const generous = { collateralFactor: 9_000, liquidationThreshold: 9_500 }
const usual = { collateralFactor: 7_500, liquidationThreshold: 8_500 }
const PLEDGED = 500

/** A loan that is unhealthy from its first minute: opened under generous settings, which are then taken back. */
export async function openDoomedLoan(stage: Stage, marketId: string, price: string): Promise<number> {
  const { lender, borrower, act } = stage
  // 89 % of the value, in whole units.
  const borrowAmount = String((BigInt(PLEDGED) * BigInt(price.split('.')[0] ?? 0) * 89n) / 100n)
  const body = { collateralAmount: String(PLEDGED), borrowAmount, borrowerAddress: borrower.address }
  await configure(stage, marketId, generous)
  try {
    const path = ofPositions(marketId, '/open-loan')
    const { loanId } = await act<{ loanId: string }>(lender.call, path, { body, by: borrower })
    return Number(loanId)
  } finally {
    await configure(stage, marketId, usual)
  }
}
