import { signAndConfirm } from '@tallystick/sdk'
import type { Demo } from '../demo/demo.ts'

const generous = { collateralFactor: 9_000, liquidationThreshold: 9_500 }
const usual = { collateralFactor: 7_500, liquidationThreshold: 8_500 }
const NOTES = 10

/** Opens a loan under generous settings, which are then taken back. Those that the demo shows stay as they are. */
export async function openUnhealthyLoan(demo: Demo, marketLabel: string): Promise<{ repayRest(): Promise<void> }> {
  const { lending } = demo.tally('lender')
  const params = { marketId: demo.market(marketLabel, 'lender') }
  const [lender, borrower] = [demo.wallet('Lender of record'), demo.wallet('Borrower')]
  const { data: book } = await lending.listLiquidatableLoans({ params })
  const { data: config } = await lending.getConfig({ params })
  const configure = (settings: typeof usual) =>
    signAndConfirm(lending.setConfig, { params, body: { config: { ...config, ...settings } } }, lender)
  // 89 % of what the notes are worth.
  const borrowAmount = String(Math.floor(Number(book.price) * NOTES * 0.89))
  const pledge = { collateralAmount: String(NOTES), borrowerAddress: borrower.account.address }
  await configure(generous)
  try {
    const request = { params, body: { ...pledge, borrowAmount } }
    const { confirmed } = await signAndConfirm(lending.openLoan, request, borrower)
    const rest = { loanId: confirmed.loanId, all: true, payerAddress: borrower.account.address }
    return {
      async repayRest() {
        await signAndConfirm(lending.repayLoan, { params, body: rest }, borrower)
      },
    }
  } finally {
    await configure(usual)
  }
}
