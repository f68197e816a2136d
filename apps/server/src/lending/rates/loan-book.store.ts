import type { Sql } from '../../platform/db/database.ts'

/** The loans that our record of the market shows open. */
export interface LoanBook {
  readonly open: number
  /** Open loans that never mature. */
  readonly unbounded: number
  /** The latest maturity of an open loan of its own, before the market's floor. */
  readonly latestDueAt: bigint | null
}

/** A loan matures when it was opened for, or where an extension moved it: maturities only go later. */
export const readLoanBook = (sql: Sql, chainId: number, market: string) => sql<LoanBook[]>`
  with loans as (
    select effect ->> 'loanId' as loan_id, bool_or(operation = 'market.LoanClosed') as is_closed,
      max(case operation when 'market.LoanOpened' then (effect ->> 'dueAt')::bigint
                         when 'market.ExtensionApplied' then (effect ->> 'newDueAt')::bigint end) as due_at
    from chain_live_facts
    where chain_id = ${chainId} and subject = ${market}
      and operation in ('market.LoanOpened', 'market.ExtensionApplied', 'market.LoanClosed')
    group by 1)
  select count(*)::integer as open, (count(*) filter (where due_at = 0))::integer as unbounded, max(due_at) as "latestDueAt"
  from loans where not is_closed`
