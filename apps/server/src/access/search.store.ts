import type { Sql } from '../platform/db/database.ts'

export interface FoundRow {
  readonly kind: 'stock' | 'token' | 'market' | 'loan' | 'investor' | 'book' | 'transaction'
  readonly id: string
  readonly title: string
  readonly detail: string
  readonly marketId: string | null
}

export interface Wanted {
  readonly instanceId: string
  readonly chainId: number
  /** Patterns: anywhere in a name, at the start of an id. */
  readonly part: string
  readonly start: string
  readonly loanId: string | null
  /** So many of each kind. */
  readonly each: number
}

/** Everything of the instance that these words name. Only what it has on record: each table is read under its own guard. */
export const findEverything = (sql: Sql, { instanceId, chainId, part, start, loanId, each }: Wanted) => sql<FoundRow[]>`
  (select 'stock' as kind, token_address as id, name as title, symbol || ' ' || isin as detail, null as "marketId" from stock_tokens
   where instance_id = ${instanceId} and chain_id = ${chainId}
     and (lower(name) like ${part} or lower(symbol) like ${part} or lower(isin) like ${start} or token_address like ${start})
   order by recorded_at desc limit ${each})
  union all
  (select 'token', token_address, name, symbol || ' ' || framework, null from token_imports
   where instance_id = ${instanceId} and status = 'ACTIVE'
     and (lower(name) like ${part} or lower(symbol) like ${part} or token_address like ${start})
   order by imported_at desc limit ${each})
  union all
  (select 'market', r.market_id::text, coalesce(m.collateral_name, r.collateral_token),
     coalesce(m.collateral_symbol || ' / ' || m.borrow_symbol, '') || ' ' || r.mode, null
   from market_records r left join lending_markets m on m.chain_id = r.chain_id and m.market_address = r.market_address
   where r.instance_id = ${instanceId} and r.chain_id = ${chainId} and r.archived_at is null
     and (lower(m.collateral_name) like ${part} or lower(m.collateral_symbol) like ${part} or r.market_id::text like ${start}
       or r.market_address like ${start} or r.collateral_token like ${start})
   order by r.created_at desc limit ${each})
  union all
  (select 'loan', f.loan_id::text, m.collateral_name, m.collateral_symbol || ' / ' || m.borrow_symbol || ' ' || m.mode, r.market_id::text
   from market_records r join lending_markets m on m.chain_id = r.chain_id and m.market_address = r.market_address
   join chain_live_facts f on f.chain_id = m.chain_id and f.subject = m.market_address and f.operation = 'market.LoanOpened'
   where r.instance_id = ${instanceId} and r.chain_id = ${chainId} and r.archived_at is null
     and (f.loan_id = ${loanId}::bigint or f.fact_id::text like ${start})
   order by f.block_number desc limit ${each})
  union all
  (select distinct on (wallet) 'investor', wallet, wallet, coalesce(country, ''), null from identity_records
   where instance_id = ${instanceId} and chain_id = ${chainId} and wallet like ${start} order by wallet, recorded_at desc limit ${each})
  union all
  (select 'book', b.book_id::text, b.name, b.symbol || ' ' || b.class || ' ' || b.settlement_mode, null from order_books b
   where b.chain_id = ${chainId} and b.book_id in (select a.book_id from book_access a where a.instance_id = ${instanceId} and a.active)
     and (lower(b.name) like ${part} or lower(b.symbol) like ${part} or b.book_id::text like ${start} or b.token_address like ${start})
   order by b.book_id desc limit ${each})
  union all
  (select 'transaction', transaction_id::text, summary, coalesce(tx_hash, ''), null from built_transactions
   where instance_id = ${instanceId} and (lower(summary) like ${part} or tx_hash like ${start} or transaction_id::text like ${start})
   order by built_at desc limit ${each})`
