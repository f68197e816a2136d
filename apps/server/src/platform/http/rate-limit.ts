import type { TenantDatabase } from '../db/database.ts'

const WINDOW_SECONDS = 60

export interface RateVerdict {
  readonly headers: Readonly<Record<string, string>>
  /** Null while the key is within its limit. */
  readonly retryAfterSeconds: number | null
}

/** Counts one request in the key's current clock minute, across all replicas. */
export async function takeToken(tenant: TenantDatabase, keyId: string, limit: number, now: Date): Promise<RateVerdict> {
  const windowStart = new Date(Math.floor(now.getTime() / 1000 / WINDOW_SECONDS) * WINDOW_SECONDS * 1000)
  const secondsLeft = Math.max(1, Math.ceil((windowStart.getTime() + WINDOW_SECONDS * 1000 - now.getTime()) / 1000))
  const used = await tenant.transaction(async (sql) => {
    const [row] = await sql<{ used: number }[]>`
      insert into rate_counters as c (instance_id, key_id, window_start, used) values (${tenant.instanceId}, ${keyId}, ${windowStart}, 1)
      on conflict (instance_id, key_id) do update
        set used = case when c.window_start = excluded.window_start then c.used + 1 else 1 end, window_start = excluded.window_start
      returning used`
    return row?.used ?? 1
  })
  const headers = {
    'ratelimit-policy': `"key";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"key";r=${Math.max(0, limit - used)};t=${secondsLeft}`,
  }
  return { headers, retryAfterSeconds: used > limit ? secondsLeft : null }
}
