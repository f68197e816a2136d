/** Bodies of the right form, by operation. */
export const repaymentBodies: Record<string, Record<string, unknown>> = {
  repayLoan: { loanId: 1, amount: '100' },
  quotePermit: { loanId: 1, amount: '100' },
  closeLoan: { loanId: 1 },
}
