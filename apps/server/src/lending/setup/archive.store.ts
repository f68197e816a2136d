import type { Sql } from '../../platform/db/database.ts'

/** The first archiving counts; the record keeps its time. */
export async function archiveRecord(sql: Sql, instanceId: string, marketId: string, now: Date): Promise<Date> {
  const [row] = await sql<{ archivedAt: Date }[]>`
    update market_records set archived_at = coalesce(archived_at, ${now})
    where instance_id = ${instanceId} and market_id = ${marketId} returning archived_at as "archivedAt"`
  if (!row) throw new Error('a market that was found has no record')
  return row.archivedAt
}
