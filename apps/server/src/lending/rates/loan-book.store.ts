import type { Sql } from '../../platform/db/database.ts'

/** The loans that our record of the market shows open. */
export interface LoanBook {
  readonly open: number
  /** Open loans that never mature. */
  readonly unbounded: number
  /** The latest maturity of an open loan of its own, before the market's floor. */
  readonly latestDueAt: bigint | null
}

export const readLoanBook = (sql: Sql, chainId: number, market: string) => sql<LoanBook[]>`
  select count(*)::integer as open, (count(*) filter (where due_at = 0))::integer as unbounded, max(due_at) as "latestDueAt"
  from open_loans where chain_id = ${chainId} and market_address = ${market}`
