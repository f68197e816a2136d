// #region imports
import { openDemo } from '@tallystick/e2e'
import { signAndConfirm } from '@tallystick/sdk'
// #endregion

/** A holder of notes borrows against them, changes the loan while it runs, and pays it back. */
export async function borrower(): Promise<void> {
  // #region who
  const demo = openDemo() // the one that `npm start` runs
  const { lending } = demo.tally('issuer') // the platform whose customer the borrower is
  const params = { marketId: demo.market('freeze', 'issuer') }
  const wallet = demo.wallet('Borrower')
  // #endregion

  demo.step('What would 100 notes carry?')
  // #region max-borrow
  const { data: most } = await lending.getMaxBorrow({ params, query: { collateralAmount: '100' } })
  demo.show('100 NORD carry at most', `${most.maxBorrow} dEUR`)
  // #endregion

  demo.step('Open a loan: the notes are frozen in the wallet, the money is paid out')
  // #region open-loan
  const terms = { collateralAmount: '100', borrowAmount: '4000', borrowerAddress: wallet.account.address }
  const { confirmed: loan, built } = await signAndConfirm(lending.openLoan, { params, body: terms }, wallet)
  const loanId = Number(loan.loanId)
  demo.show(`loan ${loanId} paid out`, `${loan.netDisbursed} dEUR, health factor ${built.preview.healthFactor}`)
  // #endregion

  demo.step('Borrow a little more')
  // #region borrow-more
  const more = await signAndConfirm(lending.borrowMore, { params, body: { loanId, amount: '500' } }, wallet)
  demo.show('debt afterwards', `${more.built.preview?.debt} dEUR`)
  // #endregion

  demo.step('Pay half of it back, and take out the notes that it frees')
  // #region repay-part
  const half = { loanId, amount: '2250', payerAddress: wallet.account.address }
  const { confirmed: paid } = await signAndConfirm(lending.repayLoan, { params, body: half }, wallet)
  demo.show('paid', `${paid.principalPaid} of the principal, ${paid.interestPaid} of interest`)

  const freed = { loanId, amount: '40' }
  const { confirmed: out } = await signAndConfirm(lending.withdrawCollateral, { params, body: freed }, wallet)
  demo.show('notes still pledged', out.collateralAmount)
  // #endregion

  demo.step('See how the loan stands')
  // #region look
  const { data: now } = await lending.getLoan({ params: { ...params, loanId: String(loanId) } })
  demo.show('the loan', `${now.principal} dEUR against ${now.collateralAmount} NORD, health factor ${now.healthFactor}`)
  // #endregion

  demo.step('Pay everything: the loan closes and the notes are free')
  // #region repay-all
  const all = { loanId, all: true, payerAddress: wallet.account.address }
  const { confirmed: last } = await signAndConfirm(lending.repayLoan, { params, body: all }, wallet)
  demo.show('closed', `${last.loanClosed}, ${last.collateralReturned} NORD came back`)
  // #endregion
}
