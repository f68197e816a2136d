import type { Sql } from '../../platform/db/database.ts'
import type { StatementRow } from './statement.rules.ts'

export interface StatementFilter {
  readonly holder: string
  readonly tokenAddress: string | null
  readonly from: Date
  readonly to: Date
  readonly most: number
}

/**
 * What an account had when the period began, as one row per token without an id, and every entry of it since, oldest first. One statement,
 * so that all of it is of one moment.
 */
export const readStatement = (sql: Sql, instanceId: string, filter: StatementFilter) => sql<StatementRow[]>`
  with own as materialized (
    select entry_id, kind, token_address, case when to_holder = ${filter.holder} then amount else -amount end as amount,
      case when to_holder = ${filter.holder} then from_holder else to_holder end as other, trade_id, reference, created_at
    from (
      select entry_id, kind, token_address, from_holder, to_holder, amount, trade_id, reference, created_at from ledger_bookings
      where instance_id = ${instanceId} and (from_holder = ${filter.holder} or to_holder = ${filter.holder})
      union all
      select entry_id, kind, token_address, from_holder, to_holder, amount, trade_id, null, created_at from trade_lines
      where instance_id = ${instanceId} and (from_holder = ${filter.holder} or to_holder = ${filter.holder})
        and (maker_holder = ${filter.holder} or taker_holder = ${filter.holder})) e
    where (${filter.tokenAddress}::text is null or token_address = ${filter.tokenAddress}) and created_at < ${filter.to})
  select null::uuid as "entryId", 'OPENING' as kind, token_address as "tokenAddress", sum(amount) as amount, null as other,
    null::uuid as "tradeId", null as reference, ${filter.from}::timestamptz as "createdAt"
  from own where created_at < ${filter.from} group by token_address
  union all
  (select entry_id, kind, token_address, amount, other, trade_id, reference, created_at
   from own where created_at >= ${filter.from} order by created_at, entry_id limit ${filter.most})
  order by "createdAt", "entryId" nulls first`
