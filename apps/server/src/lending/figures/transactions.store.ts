import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'
import type { LineKind } from './transactions.rules.ts'

export interface Line {
  readonly txHash: string
  readonly logIndex: number
  readonly blockNumber: string
  readonly blockLogIndex: number
  readonly blockTime: number
  /** The place of its kind in the table of kinds. */
  readonly kind: number
  /** In smallest units. */
  readonly amount: string
  readonly loanId: string | null
  readonly account: Address
  readonly recorded: boolean
}

export interface Lines {
  /** Lines from the cursor on, one more than the window at most. */
  readonly found: number
  readonly page: readonly Line[]
}

export interface LinesRequest {
  readonly instanceId: string
  readonly chainId: number
  readonly market: Address
  readonly contracts: readonly Address[]
  readonly kinds: readonly LineKind[]
  /** First topics of the events that make lines. */
  readonly selectors: readonly string[]
  readonly window: number
  readonly limit: number
  readonly offset: number
  /** The last line that was shown: goes on behind it. */
  readonly after: { readonly blockNumber: string; readonly blockLogIndex: string; readonly kind: string }
}

/** Venues that the market ever named. */
const venues = (sql: Sql, chainId: number, market: Address) => sql`
  select distinct effect ->> 'newModule' from chain_live_facts
  where chain_id = ${chainId} and subject = ${market} and operation = 'market.AuctionModuleUpdated'`

/** Only the newest events of each kind are looked at: what is shown never costs much more than a window of each. */
const newest = (sql: Sql, { chainId, contracts, selectors, window, after, ...request }: LinesRequest) => sql`
  select l.* from (select unnest(${[...contracts]}::text[]) as address union ${venues(sql, chainId, request.market)}) contract(address)
  cross join unnest(${[...selectors]}::text[]) as selector cross join lateral (
    select l.tx_hash, l.log_index, l.block_number, l.block_log_index, l.block_time, l.tx_from from chain_logs l
    where l.chain_id = ${chainId} and l.address = contract.address and l.finality <> 'ORPHANED' and l.topics[1] = selector
      and (l.block_number, l.block_log_index) <= (${after.blockNumber}::numeric, ${after.blockLogIndex}::integer)
    order by l.block_number desc, l.block_log_index desc limit ${window + 1}) l
  order by l.block_number desc, l.block_log_index desc limit ${window + 1}`

const kindTable = (sql: Sql, kinds: readonly LineKind[]) => {
  const rows = kinds.map(({ operation, amounts, account, ofLoan, fixed, when }, kind) => ({
    ...{ kind, operation, amounts, account, fixed },
    loan: ofLoan ? 'loanId' : null,
    ...{ field: when?.field ?? null, value: when?.value ?? null, is: when?.is ?? null },
  }))
  return sql`
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as k(kind integer, operation text, amounts jsonb, account text, fixed text, loan text, field text, value text, "is" boolean)`
}

/** The lines of a market's ledger, newest first. Without an account of its own a line is the borrower's, or the sender's. */
export const listLines = (sql: Sql, request: LinesRequest) => sql<Lines[]>`
  with kinds as (${kindTable(sql, request.kinds)}), newest as materialized (${newest(sql, request)}),
  lines as materialized (
    select n.*, f.effect, k.kind, k.amounts, k.fixed, f.effect ->> k.loan as loan_id, f.effect ->> k.account as account
    from newest n join chain_facts f on f.chain_id = ${request.chainId} and f.tx_hash = n.tx_hash and f.log_index = n.log_index
      join kinds k on k.operation = f.operation
    where (k.field is null or (f.effect ->> k.field = k.value) = k."is")
      and (n.block_number, n.block_log_index, k.kind)
        < (${request.after.blockNumber}::numeric, ${request.after.blockLogIndex}::integer, ${request.after.kind}::integer)
    order by n.block_number desc, n.block_log_index desc, k.kind desc limit ${request.window + 1}),
  page as materialized (
    select * from lines order by block_number desc, block_log_index desc, kind desc limit ${request.limit} offset ${request.offset}),
  holders as materialized (
    select effect ->> 'loanId' as loan_id, coalesce(effect ->> 'newWallet', effect ->> 'borrower') as holder, block_number, block_log_index
    from (select distinct case when loan_id ~ '^[0-9]{1,15}$' then loan_id::bigint end as loan_id from page where account is null) shown
    cross join lateral (
      select f.effect, f.block_number, f.block_log_index from chain_live_facts f
      where f.chain_id = ${request.chainId} and f.subject = ${request.market} and f.loan_id = shown.loan_id
        and array_position('{market.LoanOpened,market.LoanRebound}'::text[], f.operation) is not null offset 0) f)
  select (select count(*)::integer from lines) as found, coalesce(json_agg(json_build_object(
    'txHash', p.tx_hash, 'logIndex', p.log_index, 'blockNumber', p.block_number::text, 'blockLogIndex', p.block_log_index,
    'blockTime', p.block_time, 'kind', p.kind, 'loanId', p.loan_id,
    'amount', coalesce((select sum((p.effect ->> name)::numeric)::text from jsonb_array_elements_text(p.amounts) name), p.fixed),
    'account', coalesce(p.account, (select h.holder from holders h where h.loan_id = p.loan_id
      and (h.block_number, h.block_log_index) <= (p.block_number, p.block_log_index)
      order by h.block_number desc, h.block_log_index desc limit 1), p.tx_from),
    'recorded', exists (select from recordings r where r.instance_id = ${request.instanceId} and r.chain_id = ${request.chainId}
      and r.tx_hash = p.tx_hash))
    order by p.block_number desc, p.block_log_index desc, p.kind desc), '[]') as page
  from page p`
