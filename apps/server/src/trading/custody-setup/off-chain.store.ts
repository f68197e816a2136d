import type { Sql } from '../../platform/db/database.ts'

/** Ask as the venue, with the unit locked: the orders of importers count too. */
export const isInFlight = (sql: Sql, bookId: string) => sql<{ isInFlight: boolean }[]>`
  select exists (select from orders where book_id = ${bookId} and status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING'))
    or exists (select from trades where ${bookId} in (maker_book_id, taker_book_id) and settlement_status = 'PROCESSING')
    as "isInFlight"`

/** An off-chain book can be traded by its owner alone. As the venue. */
export async function endImports(sql: Sql, bookId: string, now: Date): Promise<void> {
  await sql`
    update book_access set active = false, updated_at = ${now} where book_id = ${bookId} and via = 'IMPORT' and active`
}

export async function moveOffChain(
  sql: Sql,
  instanceId: string,
  row: { readonly bookId: string; readonly status: string },
  now: Date,
): Promise<void> {
  await sql`
    update order_books set settlement_mode = 'OFF_CHAIN', custody_contract = null, allow_import = false, allow_shared_liquidity = false,
      base_decimals = null, quote_decimals = null, unit_id = book_id, status = ${row.status}, updated_at = ${now}
    where instance_id = ${instanceId} and book_id = ${row.bookId}`
}
