import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

export interface KnownLoans {
  /** Loans that our record shows open. */
  readonly open: readonly string[]
  /** The record holds the opening of every loan up to this one. */
  readonly knownTo: string
}

export const findKnownLoans = (sql: Sql, chainId: number, market: Address) => sql<KnownLoans[]>`
  with loans as (
    select loan_id, bool_or(operation = 'market.LoanClosed') as is_closed, row_number() over (order by loan_id) as place
    from chain_live_facts
    where chain_id = ${chainId} and subject = ${market} and operation in ('market.LoanOpened', 'market.LoanClosed') and loan_id is not null
    group by loan_id having bool_or(operation = 'market.LoanOpened'))
  select coalesce(max(loan_id) filter (where loan_id = place), 0)::text as "knownTo",
         coalesce(json_agg(loan_id::text order by loan_id) filter (where not is_closed), '[]') as open
  from loans`

/** What our record knows of one loan before the chain is asked. */
export interface LoanHistory {
  readonly borrower: Address | null
  /** The smallest loan that the market made when this one was opened; null: our record does not tell. */
  readonly minBorrowAtOpening: string | null
}

export const findLoanHistory = (sql: Sql, chainId: number, market: Address, loanId: string) => sql<LoanHistory[]>`
  with opened as (
    select block_number, block_log_index from chain_live_facts
    where chain_id = ${chainId} and subject = ${market} and operation = 'market.LoanOpened' and loan_id = ${loanId}::numeric limit 1)
  select
    (select loan_wallet from chain_live_facts where chain_id = ${chainId} and subject = ${market}
       and operation in ('market.LoanOpened', 'market.LoanRebound') and loan_id = ${loanId}::numeric
     order by block_number desc, block_log_index desc limit 1) as borrower,
    (select c.effect ->> 'minBorrowAmount' from chain_live_facts c, opened o
     where c.chain_id = ${chainId} and c.subject = ${market} and c.operation = 'market.ConfigUpdated'
       and (c.block_number, c.block_log_index) < (o.block_number, o.block_log_index)
     order by c.block_number desc, c.block_log_index desc limit 1) as "minBorrowAtOpening"`
