import type { Sql } from '../../platform/db/database.ts'

/** Units with live orders that are past their time. For the operator's role. */
export const listUnitsWithDueOrders = (sql: Sql, now: Date, limit: number) => sql<{ unitId: string }[]>`
  select distinct unit_id as "unitId" from orders
  where expires_at <= ${now} and status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING') limit ${limit}`
