import type { BookRow } from '../books/index.rules.ts'

/** Where a book of external securities settles, and by whom: it was not created without. */
export function securityPlace(row: BookRow) {
  const {
    custodyContract: settlement,
    settlementOperator: operator,
    tokenAddress: token,
    quoteTokenAddress: quote,
  } = row
  if (settlement === null || operator === null)
    throw new Error(`book ${row.bookId} is of an external security, but it is not known where it settles`)
  return { settlement, token, quote, operator }
}
