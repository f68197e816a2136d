/** Bodies of the right form, by operation. */
export const loansBodies: Record<string, Record<string, unknown>> = {
  openLoan: { collateralAmount: '10', borrowAmount: '500', borrowerAddress: `0x${'5'.repeat(40)}` },
  borrowMore: { loanId: 1, amount: '100' },
  addCollateral: { loanId: 1, amount: '1' },
  withdrawCollateral: { loanId: 1, amount: '1' },
}
