import type { Sql } from '../platform/db/database.ts'
import type { InstanceRow } from './instance.rules.ts'

const columns = (sql: Sql) => sql`
  instance_id as "instanceId", name, chain_id as "chainId", environment, services, lender_approved as "lenderApproved", status,
  created_at as "createdAt"`

export const readInstance = (sql: Sql, instanceId: string) =>
  sql<InstanceRow[]>`select ${columns(sql)} from instances where instance_id = ${instanceId}`

export const listInstances = (sql: Sql) =>
  sql<InstanceRow[]>`select ${columns(sql)} from instances order by created_at, instance_id`

export async function insertInstance(sql: Sql, row: Omit<InstanceRow, 'status'>): Promise<void> {
  await sql`
    insert into instances (instance_id, name, chain_id, environment, services, lender_approved, created_at)
    values (${row.instanceId}, ${row.name}, ${row.chainId.toString()}::bigint, ${row.environment}, ${row.services}, ${row.lenderApproved}, ${row.createdAt})`
}

/** As it is, and stays until the end of this transaction. */
export async function lockInstance(sql: Sql, instanceId: string): Promise<InstanceRow | undefined> {
  const [row] = await sql<InstanceRow[]>`
    select ${columns(sql)} from instances where instance_id = ${instanceId} for no key update`
  return row
}

/** The epoch makes every cached copy stale. */
export async function updateInstance(
  sql: Sql,
  instanceId: string,
  change: Partial<Pick<InstanceRow, 'status' | 'services' | 'lenderApproved'>>,
): Promise<InstanceRow | undefined> {
  const [row] = await sql<InstanceRow[]>`
    update instances set
      status = coalesce(${change.status ?? null}, status),
      services = coalesce(${change.services ?? null}::text[], services),
      lender_approved = coalesce(${change.lenderApproved ?? null}, lender_approved),
      epoch = epoch + 1
    where instance_id = ${instanceId} returning ${columns(sql)}`
  return row
}
