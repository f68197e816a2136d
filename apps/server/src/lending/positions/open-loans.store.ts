import type { Sql } from '../../platform/db/database.ts'

export interface OpenLoanRow {
  readonly market: string
  readonly loanId: bigint
}

/** Loans that the records of these markets show open, newest first; one query for all of them. */
export const listOpenLoans = (sql: Sql, chainId: number, markets: readonly string[], limit: number) => sql<
  OpenLoanRow[]
>`
  select f.subject as market, f.loan_id as "loanId" from chain_live_facts f
  where f.chain_id = ${chainId} and f.subject = any(${[...markets]}::text[]) and f.operation in ('market.LoanOpened', 'market.LoanClosed')
  group by f.subject, f.loan_id having not bool_or(f.operation = 'market.LoanClosed')
  order by min(f.block_number) desc, f.subject, f.loan_id desc limit ${limit}`

export interface ShortRow {
  readonly adapter: string
  readonly holder: string
}

/** Wallets that hold less than they pledged, by the adapter that watches them. */
export const listShort = (sql: Sql, chainId: number, adapters: readonly string[]) => sql<ShortRow[]>`
  select adapter, holder from lien_shortfalls
  where chain_id = ${chainId} and adapter = any(${[...adapters]}::text[]) and healed_at is null`
