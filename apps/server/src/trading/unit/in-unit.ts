import type { Database, Sql, TenantDatabase } from '../../platform/db/database.ts'
import { nameUnit } from './unit.store.ts'

/**
 * A transaction of the venue on the rows of one unit. Where the caller's own transaction is open already it has connections to itself: all
 * of the pool may be held by requests that wait for one more.
 */
export function inUnit<T>(
  database: Database,
  unitId: string,
  work: (sql: Sql) => Promise<T>,
  caller: Pick<TenantDatabase, 'joined'> = {},
): Promise<T> {
  const open = caller.joined ? database.aside : database.as
  return open('tally_venue', async (sql) => {
    await nameUnit(sql, unitId)
    return work(sql)
  })
}
