import type { Sql } from '../../platform/db/database.ts'
import { portions } from './lists.rules.ts'

export interface NewDelivery {
  readonly instanceId: string
  readonly deliveryId: string
  readonly hookId: string
  readonly webhookId: string
  readonly type: string
  readonly body: string
  readonly redeliveryOf: string | null
  readonly createdAt: Date
}

/** Far below the number of values that one statement may carry. */
const ROWS_PER_STATEMENT = 1_000

/** Due at once. */
export async function insertDeliveries(sql: Sql, rows: readonly NewDelivery[]): Promise<void> {
  for (const some of portions(rows, ROWS_PER_STATEMENT))
    await sql`
      insert into hook_deliveries (instance_id, delivery_id, hook_id, webhook_id, type, body, redelivery_of, created_at, due_at, status)
      select "instanceId", "deliveryId", "hookId", "webhookId", type, body, "redeliveryOf", "createdAt", "createdAt", 'PENDING'
      from jsonb_to_recordset(${JSON.stringify(some)}::text::jsonb) as r ("instanceId" uuid, "deliveryId" uuid, "hookId" uuid,
        "webhookId" text, type text, body text, "redeliveryOf" uuid, "createdAt" timestamptz)`
}

export interface DeliveryRow extends Omit<NewDelivery, 'instanceId'> {
  readonly status: 'PENDING' | 'RETRYING' | 'DELIVERED' | 'FAILED'
  readonly attempts: number
  readonly dueAt: Date | null
  readonly responseCode: number | null
  readonly durationMs: number | null
  readonly error: string | null
  readonly attemptedAt: Date | null
  readonly deliveredAt: Date | null
}

const columns = (sql: Sql) => sql`
  delivery_id as "deliveryId", hook_id as "hookId", webhook_id as "webhookId", type, body, status, attempts, due_at as "dueAt",
  response_code as "responseCode", duration_ms as "durationMs", error, redelivery_of as "redeliveryOf", created_at as "createdAt",
  attempted_at as "attemptedAt", delivered_at as "deliveredAt"`

export interface DeliveryPage {
  /** Older than this one. */
  readonly before: string | null
  readonly limit: number
  readonly offset: number
}

export const listDeliveries = (sql: Sql, instanceId: string, hookId: string, page: DeliveryPage) => sql<DeliveryRow[]>`
  select ${columns(sql)} from hook_deliveries
  where instance_id = ${instanceId} and hook_id = ${hookId} and (${page.before}::uuid is null or delivery_id < ${page.before}::uuid)
  order by delivery_id desc limit ${page.limit} offset ${page.offset}`

export const countDeliveries = (sql: Sql, instanceId: string, hookId: string) => sql<{ total: number }[]>`
  select count(*)::integer as total from hook_deliveries where instance_id = ${instanceId} and hook_id = ${hookId}`

export const findDelivery = (sql: Sql, instanceId: string, hookId: string, deliveryId: string) => sql<DeliveryRow[]>`
  select ${columns(sql)} from hook_deliveries
  where instance_id = ${instanceId} and hook_id = ${hookId} and delivery_id = ${deliveryId}`

/** One of this type, or of this message, that still waits. */
export const findWaiting = (
  sql: Sql,
  instanceId: string,
  hookId: string,
  of: { readonly type: string } | { readonly webhookId: string },
) => sql<DeliveryRow[]>`
  select ${columns(sql)} from hook_deliveries
  where instance_id = ${instanceId} and hook_id = ${hookId} and due_at is not null
    and ${'type' in of ? sql`type = ${of.type}` : sql`webhook_id = ${of.webhookId}`}
  order by delivery_id limit 1`

/** What a hook that is off will not send any more. */
export async function endWaiting(sql: Sql, instanceId: string, hookId: string, error: string): Promise<void> {
  await sql`
    update hook_deliveries set status = 'FAILED', due_at = null, error = ${error}
    where instance_id = ${instanceId} and hook_id = ${hookId} and due_at is not null`
}
