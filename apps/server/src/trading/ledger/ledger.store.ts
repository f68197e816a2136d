import type { Sql } from '../../platform/db/database.ts'

export interface TokenRow {
  readonly tokenAddress: string
  readonly symbol: string
  readonly name: string | null
  readonly registeredAt: Date
}

export interface BalanceRow {
  readonly holder: string
  readonly tokenAddress: string
  readonly available: bigint
  readonly reserved: bigint
  readonly updatedAt: Date
}

export interface EntryView {
  readonly entryId: string
  readonly kind: 'CREDIT' | 'DEBIT' | 'TRADE' | 'FEE' | 'REBATE'
  readonly tokenAddress: string
  readonly fromHolder: string
  readonly toHolder: string
  readonly amount: bigint
  readonly tradeId: string | null
  readonly reference: string | null
  readonly createdAt: Date
}

const tokenColumns = (sql: Sql) => sql`token_address as "tokenAddress", symbol, name, registered_at as "registeredAt"`
const balanceColumns = (sql: Sql) => sql`
  holder, token_address as "tokenAddress", available, reserved, updated_at as "updatedAt"`
const entryColumns = (sql: Sql) => sql`
  entry_id as "entryId", kind, token_address as "tokenAddress", from_holder as "fromHolder", to_holder as "toHolder", amount,
  trade_id as "tradeId", reference, created_at as "createdAt"`

export async function insertToken(sql: Sql, instanceId: string, token: TokenRow): Promise<void> {
  await sql`
    insert into ledger_tokens (instance_id, token_address, symbol, name, registered_at)
    values (${instanceId}, ${token.tokenAddress}, ${token.symbol}, ${token.name}, ${token.registeredAt}) on conflict do nothing`
}

export const readToken = (sql: Sql, instanceId: string, tokenAddress: string) => sql<TokenRow[]>`
  select ${tokenColumns(sql)} from ledger_tokens where instance_id = ${instanceId} and token_address = ${tokenAddress}`

export const listTokens = (sql: Sql, instanceId: string) => sql<TokenRow[]>`
  select ${tokenColumns(sql)} from ledger_tokens where instance_id = ${instanceId} order by registered_at, token_address`

export interface Move {
  readonly holder: string
  readonly tokenAddress: string
  /** Negative takes away. */
  readonly amount: bigint
  readonly now: Date
}

/** No row: it would have gone below zero. */
export async function moveAvailable(sql: Sql, instanceId: string, move: Move): Promise<BalanceRow | undefined> {
  const { holder, tokenAddress, now } = move
  const amount = move.amount.toString()
  await sql`
    insert into ledger_balances (instance_id, holder, token_address, updated_at)
    values (${instanceId}, ${holder}, ${tokenAddress}, ${now}) on conflict do nothing`
  const [row] = await sql<BalanceRow[]>`
    update ledger_balances set available = available + ${amount}::numeric, updated_at = ${now}
    where instance_id = ${instanceId} and holder = ${holder} and token_address = ${tokenAddress} and available + ${amount}::numeric >= 0
    returning ${balanceColumns(sql)}`
  return row
}

export const readBalance = (sql: Sql, instanceId: string, holder: string, tokenAddress: string) => sql<BalanceRow[]>`
  select ${balanceColumns(sql)} from ledger_balances
  where instance_id = ${instanceId} and holder = ${holder} and token_address = ${tokenAddress}`

export async function insertEntry(sql: Sql, instanceId: string, entry: EntryView): Promise<void> {
  await sql`
    insert into ledger_bookings (instance_id, entry_id, kind, token_address, from_holder, to_holder, amount, trade_id, reference, created_at)
    values (${instanceId}, ${entry.entryId}, ${entry.kind}, ${entry.tokenAddress}, ${entry.fromHolder}, ${entry.toHolder},
      ${entry.amount.toString()}::numeric, ${entry.tradeId}, ${entry.reference}, ${entry.createdAt})`
}

export interface LedgerFilter {
  readonly holder: string | null
  readonly tokenAddress: string | null
}

export const listBalances = (
  sql: Sql,
  instanceId: string,
  { holder, tokenAddress }: LedgerFilter,
  page: { limit: number; offset: number },
) => sql<BalanceRow[]>`
  select ${balanceColumns(sql)} from ledger_balances
  where instance_id = ${instanceId} and (${holder}::text is null or holder = ${holder})
    and (${tokenAddress}::text is null or token_address = ${tokenAddress})
  order by holder, token_address limit ${page.limit} offset ${page.offset}`

export const countBalances = (sql: Sql, instanceId: string, { holder, tokenAddress }: LedgerFilter) => sql<
  { total: number }[]
>`
  select count(*)::int as total from ledger_balances
  where instance_id = ${instanceId} and (${holder}::text is null or holder = ${holder})
    and (${tokenAddress}::text is null or token_address = ${tokenAddress})`

export const listEntries = (
  sql: Sql,
  instanceId: string,
  { holder, tokenAddress }: LedgerFilter,
  page: { limit: number; before: string | null },
) => sql<EntryView[]>`
  (select ${entryColumns(sql)} from ledger_bookings
   where instance_id = ${instanceId} and (${holder}::text is null or from_holder = ${holder} or to_holder = ${holder})
     and (${tokenAddress}::text is null or token_address = ${tokenAddress})
     and (${page.before}::uuid is null or entry_id < ${page.before}::uuid)
   order by entry_id desc limit ${page.limit})
  union all
  (select entry_id, kind, token_address, from_holder, to_holder, amount, trade_id, null, created_at from trade_lines
   where instance_id = ${instanceId} and (${holder}::text is null or from_holder = ${holder} or to_holder = ${holder})
     -- What trades and their indexes know, of what was said above.
     and (${holder}::text is null or ${holder} = 'fees' or maker_holder = ${holder} or taker_holder = ${holder})
     and (${page.before}::uuid is null or trade_id <= overlay(${page.before}::text placing 'f' from 36)::uuid)
     and (${tokenAddress}::text is null or token_address = ${tokenAddress})
     and (${page.before}::uuid is null or entry_id < ${page.before}::uuid)
   order by trade_id desc, entry_id desc limit ${page.limit})
  order by "entryId" desc limit ${page.limit}`
