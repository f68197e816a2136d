import type { Sql } from '../../platform/db/database.ts'
import {
  type LoanContracts,
  type LoanEvent,
  loanOperations,
  type Rebound,
  realizationOperations,
} from './loan-events.rules.ts'

export type PositionStatus = 'ACTIVE' | 'REPAID' | 'LIQUIDATED'

/** What our record tells of a loan. Amounts in smallest units, times in unix seconds. */
export interface PositionRow {
  readonly positionId: string
  readonly loanId: string
  readonly status: PositionStatus
  readonly opener: string
  /** In the order they happened. */
  readonly rebounds: readonly Rebound[]
  readonly payee: string | null
  readonly openedAt: number
  readonly lastAt: number
  readonly closedAt: number | null
  readonly liquidatedAt: number | null
  readonly collateralAtOpening: string
  readonly pledged: string
  readonly drawn: string
  readonly repaid: string
  readonly surplusReturned: string
  readonly surplusEscrowed: string
  readonly rateBps: number
  /** 0: no maturity. */
  readonly dueAt: string
  /** Null: the record of prices does not reach back. */
  readonly priceAtBorrow: string | null
}

interface PageRequest {
  readonly market: LoanContracts
  readonly instanceId: string
  /** Goes on with loans below this number. */
  readonly below: string
  readonly limit: number
  readonly offset: number
  readonly status: PositionStatus | undefined
}

/** Orders events `e` as they happened. */
const place = (sql: Sql) => sql`(e.block_number * 1000000 + e.block_log_index)`

/** Openings `o` of a market. */
const opened = (sql: Sql, { chainId, address }: LoanContracts) => sql`
  from chain_live_facts o where o.chain_id = ${chainId} and o.subject = ${address} and o.operation = 'market.LoanOpened'`

/**
 * Events `e` of the loan that `o` opened. The list of operations is no condition that an index serves: to a database without
 * statistics of its rows a search for each of them would look cheaper than one for the loan.
 */
const ofLoan = (sql: Sql, { chainId, address }: LoanContracts, operations: readonly string[]) => sql`
  from chain_live_facts e where e.chain_id = ${chainId} and e.subject = ${address} and e.loan_id = o.loan_id
    and array_position(${[...operations]}::text[], e.operation) is not null`

/** An instance recorded event `e` when it recorded anything of its transaction. */
const recorded = (sql: Sql, instanceId: string) => sql`exists (
  select from recordings r where r.instance_id = ${instanceId} and r.chain_id = e.chain_id and r.tx_hash = e.tx_hash)`

/** Closed is what an event says is closed. It was liquidated when nobody paid anything after the last seizure. */
const status = (sql: Sql) => sql`
  case when not bool_or(e.operation = 'market.LoanClosed') then 'ACTIVE'
       when max(${place(sql)}) filter (where e.operation = 'market.LoanLiquidated')
         > coalesce(max(${place(sql)}) filter (where e.operation = 'market.LoanRepaid'), 0) then 'LIQUIDATED'
       else 'REPAID' end`

/** One column for each row of `o`, which opened a loan. */
const columns = (sql: Sql, market: LoanContracts) => sql`
  o.fact_id as "positionId", o.loan_id::text as "loanId", o.effect ->> 'borrower' as opener, o.block_time::double precision as "openedAt",
  o.effect ->> 'collateral' as "collateralAtOpening", (o.effect ->> 'rateBps')::integer as "rateBps", s.*,
  (select p.effect ->> 'newPrice' from chain_live_facts p
   where p.chain_id = ${market.chainId} and p.subject = ${market.oracle} and p.price_time <= o.block_time
     and (p.block_number, p.block_log_index) < (o.block_number, o.block_log_index)
   order by p.price_time desc limit 1) as "priceAtBorrow"`

/** All that is told by the events of a loan together. */
const sums = (sql: Sql) => sql`
  ${status(sql)} as status, max(e.block_time)::double precision as "lastAt",
  (max(e.block_time) filter (where e.operation = 'market.LoanClosed'))::double precision as "closedAt",
  (min(e.block_time) filter (where e.operation = 'market.LoanLiquidated'))::double precision as "liquidatedAt",
  max(e.effect ->> 'payee') filter (where e.operation = 'market.LoanPayeeSet') as payee,
  coalesce(json_agg(json_build_object('wallet', e.effect ->> 'newWallet', 'place', ${place(sql)}::text) order by ${place(sql)})
    filter (where e.operation = 'market.LoanRebound'), '[]') as rebounds,
  sum(case e.operation when 'market.LoanOpened' then (e.effect ->> 'principal')::numeric
    when 'market.LoanIncreased' then (e.effect ->> 'amount')::numeric else 0 end)::text as drawn,
  sum(case e.operation when 'market.LoanRepaid' then (e.effect ->> 'principal')::numeric + (e.effect ->> 'interest')::numeric
    else 0 end)::text as repaid,
  sum(case e.operation when 'market.LoanOpened' then (e.effect ->> 'collateral')::numeric
    when 'market.CollateralAdded' then (e.effect ->> 'amount')::numeric
    when 'market.CollateralWithdrawn' then -(e.effect ->> 'amount')::numeric
    when 'market.CollateralSplit' then (e.effect ->> 'amount')::numeric - (e.effect ->> 'before')::numeric
    when 'market.LoanLiquidated' then -(e.effect ->> 'collateral')::numeric
    when 'market.LoanClosed' then -(e.effect ->> 'collateralReturned')::numeric else 0 end)::text as pledged,
  sum(case e.operation when 'market.SurplusReturned' then (e.effect ->> 'amount')::numeric else 0 end)::text as "surplusReturned",
  sum(case e.operation when 'market.SurplusEscrowed' then (e.effect ->> 'amount')::numeric else 0 end)::text as "surplusEscrowed",
  max(case e.operation when 'market.LoanOpened' then (e.effect ->> 'dueAt')::numeric
    when 'market.ExtensionApplied' then (e.effect ->> 'newDueAt')::numeric end)::text as "dueAt"`

/** The newest events, as JSON. */
const newest = (sql: Sql, instanceId: string, count: number) => sql`
  to_json((array_agg(json_build_object(
    'operation', e.operation, 'effect', e.effect, 'txHash', e.tx_hash, 'logIndex', e.log_index, 'blockTime', e.block_time,
    'place', ${place(sql)}::text, 'sender', e.tx_from, 'recorded', ${recorded(sql, instanceId)})
    order by e.block_number desc, e.block_log_index desc))[1:${count}::integer]) as events`

const standing = ['market.LoanOpened', 'market.LoanClosed', 'market.LoanLiquidated', 'market.LoanRepaid']
/** The events among which closed loans are looked for: never among all loans of the market. Their index is of these words only. */
const closings = (sql: Sql, wanted: 'REPAID' | 'LIQUIDATED') =>
  wanted === 'REPAID' ? sql`'market.LoanClosed'` : sql`'market.LoanLiquidated'`

/** Loans are counted in the order they are opened, so their numbers are the order of the list: no page has to be sorted. */
function page(sql: Sql, { market, below, limit, offset, status: wanted }: PageRequest) {
  if (wanted === undefined)
    return sql`
      select * ${opened(sql, market)} and o.loan_id < ${below}::bigint order by o.loan_id desc limit ${limit} offset ${offset}`
  if (wanted === 'ACTIVE')
    return sql`
      select o.* from (
        select loan_id from open_loans where chain_id = ${market.chainId} and market_address = ${market.address} and loan_id < ${below}::bigint
        order by loan_id desc limit ${limit} offset ${offset}) d
      cross join lateral (select * ${opened(sql, market)} and o.loan_id = d.loan_id offset 0) o`
  const isWanted = sql`(select ${status(sql)} ${ofLoan(sql, market, standing)}) = ${wanted}`
  return sql`
    select o.* from (
      select distinct d.loan_id from chain_live_facts d where d.chain_id = ${market.chainId} and d.subject = ${market.address}
        and d.operation = ${closings(sql, wanted)} and d.loan_id < ${below}::bigint order by d.loan_id desc) d
    cross join lateral (select * ${opened(sql, market)} and o.loan_id = d.loan_id offset 0) o
    where ${isWanted} order by d.loan_id desc limit ${limit} offset ${offset}`
}

/** A page of loans, each with its newest events. */
export const listRows = (sql: Sql, request: PageRequest, events: number) => sql<
  (PositionRow & { events: LoanEvent[] })[]
>`
  with page as materialized (${page(sql, request)})
  select ${columns(sql, request.market)} from page o cross join lateral (
    select ${sums(sql)}, ${newest(sql, request.instanceId, events)} ${ofLoan(sql, request.market, loanOperations)}) s
  order by o.loan_id desc`

/** One loan, by what it is called here or by its number on the market. */
export const findRow = (sql: Sql, market: LoanContracts, by: { positionId: string } | { loanId: string }) => sql<
  PositionRow[]
>`
  with page as materialized (
    select * ${opened(sql, market)} and ${'loanId' in by ? sql`o.loan_id = ${by.loanId}::bigint` : sql`o.fact_id = ${by.positionId}`})
  select ${columns(sql, market)} from page o cross join lateral (select ${sums(sql)} ${ofLoan(sql, market, loanOperations)}) s`

interface StoryRequest {
  readonly market: LoanContracts
  readonly instanceId: string
  readonly positionId: string
  readonly limit: number
}

/**
 * Everything that happened on a loan, newest first: its own events, those of its realizations on market and router, and
 * what custody kept back, which stands right behind the release that was refused. Only the loan's own events can be many.
 */
export const listStory = (sql: Sql, { market, instanceId, positionId, limit }: StoryRequest) => sql<LoanEvent[]>`
  with o as materialized (select * ${opened(sql, market)} and o.fact_id = ${positionId}),
  seized as materialized (select e.* from o cross join lateral (select e.* ${ofLoan(sql, market, ['market.LoanLiquidated'])}) e),
  released as (
    select e.* from o cross join lateral (
      select e.* ${ofLoan(sql, { ...market, address: market.adapter }, ['custodyAdapter.Released', 'custodyAdapter.Decreased'])}) e),
  told as (
    (select e.* from o cross join lateral (select e.* ${ofLoan(sql, market, loanOperations)}) e
     where e.operation <> 'market.LoanLiquidated' order by e.block_number desc, e.block_log_index desc limit ${limit})
    union all select * from seized
    union all select e.* from seized s cross join unnest(${[market.address, market.router]}::text[]) as contract(address) cross join lateral (
      select e.* from chain_live_facts e where e.chain_id = s.chain_id and e.subject = contract.address and e.realization_id = s.realization_id
        and array_position(${realizationOperations}::text[], e.operation) is not null) e
    union all select e.* from released r cross join lateral (
      select e.* from chain_live_facts e where e.chain_id = r.chain_id and e.tx_hash = r.tx_hash and e.log_index = r.log_index + 1
        and e.subject = r.subject and e.operation = 'custodyAdapter.CollateralEscrowed') e)
  select e.operation, e.effect, e.tx_hash as "txHash", e.log_index as "logIndex", e.block_time::double precision as "blockTime",
    ${place(sql)}::text as place, e.tx_from as sender, ${recorded(sql, instanceId)} as recorded
  from told e order by e.block_number desc, e.block_log_index desc`
