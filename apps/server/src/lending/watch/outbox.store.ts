import type { Sql } from '../../platform/db/database.ts'

/** A message that this worker took, and what is needed to send it. */
export interface ClaimedDelivery {
  readonly instanceId: string
  readonly deliveryId: string
  readonly hookId: string
  readonly webhookId: string
  readonly body: string
  /** Counts this attempt; also proves, when it is over, that nobody took it over meanwhile. */
  readonly attempts: number
  readonly url: string
  readonly secret: string
  /** The one before it, and until when it signs too. */
  readonly previousSecret: string | null
  readonly previousSecretUntil: Date | null
}

/**
 * Takes due messages, the oldest of each hook, until `until`: a worker that dies leaves them to the others. `busy` are hooks that
 * this worker already speaks to, so that a slow receiver delays only itself.
 */
export async function claimDue(
  sql: Sql,
  { now, until, busy, limit }: { now: Date; until: Date; busy: readonly string[]; limit: number },
): Promise<ClaimedDelivery[]> {
  const rows = await sql<ClaimedDelivery[]>`
    with due as (
      select d.instance_id, d.delivery_id from hook_deliveries d
      where d.due_at <= ${now} and not d.hook_id = any(${[...busy]}::text[]::uuid[])
        and not exists (select from hook_deliveries e where e.instance_id = d.instance_id and e.hook_id = d.hook_id
          and e.due_at <= ${now} and e.delivery_id < d.delivery_id)
      order by d.due_at limit ${limit} for update of d skip locked)
    update hook_deliveries d set attempts = d.attempts + 1, attempted_at = ${now}, due_at = ${until}
    from due join hooks h using (instance_id)
    where d.instance_id = due.instance_id and d.delivery_id = due.delivery_id and h.hook_id = d.hook_id
    returning d.instance_id as "instanceId", d.delivery_id as "deliveryId", d.hook_id as "hookId", d.webhook_id as "webhookId", d.body,
      d.attempts, h.url, h.secret, h.previous_secret as "previousSecret", h.previous_secret_until as "previousSecretUntil"`
  return [...rows]
}

export interface AttemptResult {
  readonly status: 'RETRYING' | 'DELIVERED' | 'FAILED'
  readonly dueAt: Date | null
  readonly responseCode: number | null
  readonly durationMs: number
  readonly error: string | null
  readonly now: Date
}

/** Leaves alone what another worker took over, or its owner ended. */
export async function recordAttempt(sql: Sql, claimed: ClaimedDelivery, result: AttemptResult): Promise<boolean> {
  const rows = await sql`
    update hook_deliveries set status = ${result.status}, due_at = ${result.dueAt}, response_code = ${result.responseCode},
      duration_ms = ${result.durationMs}, error = ${result.error},
      delivered_at = ${result.status === 'DELIVERED' ? result.now : null}::timestamptz
    where instance_id = ${claimed.instanceId} and delivery_id = ${claimed.deliveryId} and attempts = ${claimed.attempts}
      and due_at is not null returning 1`
  return rows.length === 1
}

/** Its receiver is gone for good. */
export async function switchOff(sql: Sql, { instanceId, hookId }: ClaimedDelivery, now: Date): Promise<void> {
  await sql`
    update hooks set active = false, gone_at = ${now}, updated_at = ${now}
    where instance_id = ${instanceId} and hook_id = ${hookId} and active`
  await sql`delete from hook_states where instance_id = ${instanceId} and hook_id = ${hookId}`
}

/** The log of what is over and older than this. */
export async function purgeDeliveries(sql: Sql, before: Date): Promise<number> {
  const rows = await sql`delete from hook_deliveries where due_at is null and created_at < ${before} returning 1`
  return rows.length
}
