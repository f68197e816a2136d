import { actAs, type Sql, type TenantDatabase } from '../../platform/db/database.ts'

/** Rows of markets that the caller has no access to yet: read by whoever may see the market itself. */
export function readPublicRecords<T>(tenant: TenantDatabase, work: (sql: Sql) => Promise<T>): Promise<T> {
  return tenant.apart(async (sql) => {
    await actAs(sql, 'tally_chain')
    return work(sql)
  })
}
