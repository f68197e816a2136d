import type { Database, Sql, TenantDatabase } from '../../platform/db/database.ts'
import { nameUnit } from './unit.store.ts'

/**
 * A transaction of the venue on the rows of one unit. Where the caller's own transaction is open already it is not one of the venue's
 * connections: that transaction may hold the lock of a unit, and all of the venue's may be held by groups that wait for just such locks.
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
