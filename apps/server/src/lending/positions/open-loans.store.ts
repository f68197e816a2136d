import type { Sql } from '../../platform/db/database.ts'

export interface OpenLoanRow {
  readonly market: string
  readonly loanId: bigint
}

/** Loans that the records of these markets show open, newest first; one query for all of them. */
export const listOpenLoans = (sql: Sql, chainId: number, markets: readonly string[], limit: number) => sql<
  OpenLoanRow[]
>`
  select market_address as market, loan_id as "loanId" from open_loans
  where chain_id = ${chainId} and market_address = any(${[...markets]}::text[])
  order by opened_block desc, market_address, loan_id desc limit ${limit}`

export interface ShortRow {
  readonly adapter: string
  readonly holder: string
}

/** Wallets that hold less than they pledged, by the adapter that watches them. */
export const listShort = (sql: Sql, chainId: number, adapters: readonly string[]) => sql<ShortRow[]>`
  select adapter, holder from lien_shortfalls
  where chain_id = ${chainId} and adapter = any(${[...adapters]}::text[]) and healed_at is null`
