import type { Sql } from '../../platform/db/database.ts'
import type { LoanContracts } from './loan-events.rules.ts'

/** Loans of which a wallet is, or once was, the borrower, or whose money it receives; the chain tells which of them still are. */
export const listLoanIds = (
  sql: Sql,
  { chainId, address }: LoanContracts,
  request: { wallet: string; as: 'borrower' | 'payee'; below: string; limit: number },
) => sql<{ loanId: bigint }[]>`
  select distinct loan_id as "loanId" from chain_live_facts
  where chain_id = ${chainId} and subject = ${address} and loan_wallet = ${request.wallet} and loan_id < ${request.below}::bigint
    and ${request.as === 'payee' ? sql`operation = 'market.LoanPayeeSet'` : sql`operation in ('market.LoanOpened', 'market.LoanRebound')`}
  order by loan_id desc limit ${request.limit}`
