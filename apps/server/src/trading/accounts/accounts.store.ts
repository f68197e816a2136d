import type { Sql } from '../../platform/db/database.ts'

export interface AccountRow {
  readonly accountId: string
  readonly holder: string
  readonly name: string | null
  readonly isMarketMaker: boolean
  readonly canQuote: boolean
  readonly permittedBooks: string[] | null
  readonly status: 'ACTIVE' | 'SUSPENDED'
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = (sql: Sql) => sql`
  account_id as "accountId", holder, name, is_market_maker as "isMarketMaker", can_quote as "canQuote",
  permitted_books as "permittedBooks", status, created_at as "createdAt", updated_at as "updatedAt"`

/** The plainest account, unless the holder has one. */
export async function openAccount(
  sql: Sql,
  instanceId: string,
  { accountId, holder, now }: { accountId: string; holder: string; now: Date },
): Promise<void> {
  await sql`
    insert into trading_accounts (instance_id, account_id, holder, created_at, updated_at)
    values (${instanceId}, ${accountId}, ${holder}, ${now}, ${now}) on conflict (instance_id, holder) do nothing`
}

export type NewAccount = Omit<AccountRow, 'createdAt' | 'updatedAt' | 'status'>

/** No row: the holder has one already. */
export const insertAccount = (sql: Sql, instanceId: string, account: NewAccount, now: Date) => sql<AccountRow[]>`
  insert into trading_accounts (instance_id, account_id, holder, name, is_market_maker, can_quote, permitted_books, created_at, updated_at)
  values (${instanceId}, ${account.accountId}, ${account.holder}, ${account.name}, ${account.isMarketMaker}, ${account.canQuote},
    ${account.permittedBooks}::text[], ${now}, ${now})
  on conflict (instance_id, holder) do nothing returning ${columns(sql)}`

export const findByHolder = (sql: Sql, instanceId: string, holder: string) => sql<AccountRow[]>`
  select ${columns(sql)} from trading_accounts where instance_id = ${instanceId} and holder = ${holder}`

export const readAccount = (sql: Sql, instanceId: string, accountId: string) => sql<AccountRow[]>`
  select ${columns(sql)} from trading_accounts where instance_id = ${instanceId} and account_id = ${accountId}`

export const listAccounts = (
  sql: Sql,
  instanceId: string,
  holder: string | null,
  page: { limit: number; offset: number },
) => sql<AccountRow[]>`
  select ${columns(sql)} from trading_accounts
  where instance_id = ${instanceId} and (${holder}::text is null or holder = ${holder})
  order by account_id desc limit ${page.limit} offset ${page.offset}`

export const countAccounts = (sql: Sql, instanceId: string, holder: string | null) => sql<{ total: number }[]>`
  select count(*)::int as total from trading_accounts where instance_id = ${instanceId} and (${holder}::text is null or holder = ${holder})`

export const changeAccount = (
  sql: Sql,
  instanceId: string,
  account: Pick<AccountRow, 'accountId' | 'name' | 'isMarketMaker' | 'canQuote' | 'permittedBooks' | 'status'>,
  now: Date,
) => sql<AccountRow[]>`
  update trading_accounts set name = ${account.name}, is_market_maker = ${account.isMarketMaker}, can_quote = ${account.canQuote},
    permitted_books = ${account.permittedBooks}::text[], status = ${account.status}, updated_at = ${now}
  where instance_id = ${instanceId} and account_id = ${account.accountId} returning ${columns(sql)}`

/** So that two changes at once do not lose one another. */
export const lockAccount = (sql: Sql, instanceId: string, accountId: string) => sql<AccountRow[]>`
  select ${columns(sql)} from trading_accounts where instance_id = ${instanceId} and account_id = ${accountId} for update`
