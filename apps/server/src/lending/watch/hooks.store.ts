import type { Sql } from '../../platform/db/database.ts'
import type { HookKind } from './hook.rules.ts'

export interface HookRow {
  readonly hookId: string
  readonly marketId: string
  readonly name: string
  readonly kind: HookKind
  readonly threshold: bigint | null
  readonly url: string
  readonly active: boolean
  readonly goneAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** What it has told of and still holds. */
  readonly holding: number
}

const columns = (sql: Sql) => sql`
  h.hook_id as "hookId", h.market_id as "marketId", h.name, h.kind, h.threshold, h.url, h.active, h.gone_at as "goneAt",
  h.created_at as "createdAt", h.updated_at as "updatedAt",
  (select count(*)::integer from hook_states s where s.instance_id = h.instance_id and s.hook_id = h.hook_id) as holding`

export const listHooks = (sql: Sql, instanceId: string, marketId: string) => sql<HookRow[]>`
  select ${columns(sql)} from hooks h where h.instance_id = ${instanceId} and h.market_id = ${marketId}
  order by h.created_at, h.hook_id`

export const findHook = (sql: Sql, instanceId: string, marketId: string, hookId: string) => sql<HookRow[]>`
  select ${columns(sql)} from hooks h
  where h.instance_id = ${instanceId} and h.market_id = ${marketId} and h.hook_id = ${hookId}`

/** Until the end of this transaction nothing is told by it and nothing changes it. */
export async function lockHook(sql: Sql, instanceId: string, marketId: string, hookId: string): Promise<boolean> {
  const rows = await sql`
    select from hooks where instance_id = ${instanceId} and market_id = ${marketId} and hook_id = ${hookId} for update`
  return rows.length === 1
}

/** Serializes what decides whether there is room for one more. */
export async function lockMarketHooks(sql: Sql, instanceId: string, marketId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('hooks ' || ${instanceId}::text || ${marketId}::text, 0))`
  const [row] = await sql<{ total: number }[]>`
    select count(*)::integer as total from hooks where instance_id = ${instanceId} and market_id = ${marketId}`
  return row?.total ?? 0
}

export interface NewHook
  extends Pick<HookRow, 'hookId' | 'marketId' | 'name' | 'kind' | 'threshold' | 'url' | 'active'> {
  readonly secret: string
  readonly now: Date
}

/** Where the record of the market's chain stands now: what lies before is no news. */
const standing = (sql: Sql, instanceId: string, marketId: string) => sql`
  coalesce((select c.block_number from chain_cursors c join market_records r using (chain_id)
    where r.instance_id = ${instanceId} and r.market_id = ${marketId}), 0)`

export async function insertHook(sql: Sql, instanceId: string, row: NewHook): Promise<void> {
  await sql`
    insert into hooks (instance_id, hook_id, market_id, name, kind, threshold, url, secret, active, armed_at, armed_block, created_at, updated_at)
    values (${instanceId}, ${row.hookId}, ${row.marketId}, ${row.name}, ${row.kind}, ${row.threshold?.toString() ?? null}::numeric, ${row.url},
            ${row.secret}, ${row.active}, ${row.now}, ${standing(sql, instanceId, row.marketId)}, ${row.now}, ${row.now})`
}

export async function changeHook(
  sql: Sql,
  instanceId: string,
  hookId: string,
  { name, kind, threshold, url, now }: Pick<HookRow, 'name' | 'kind' | 'threshold' | 'url'> & { now: Date },
): Promise<void> {
  await sql`
    update hooks set name = ${name}, kind = ${kind}, threshold = ${threshold?.toString() ?? null}::numeric, url = ${url}, updated_at = ${now}
    where instance_id = ${instanceId} and hook_id = ${hookId}`
}

export async function switchHook(
  sql: Sql,
  instanceId: string,
  hookId: string,
  active: boolean,
  now: Date,
): Promise<void> {
  await sql`
    update hooks set active = ${active}, gone_at = null, updated_at = ${now}
    where instance_id = ${instanceId} and hook_id = ${hookId}`
}

/** From now on: forgets what it told, and what happened before. */
export async function rearmHook(sql: Sql, instanceId: string, { hookId, marketId }: HookRow, now: Date): Promise<void> {
  await sql`delete from hook_states where instance_id = ${instanceId} and hook_id = ${hookId}`
  await sql`
    update hooks set armed_at = ${now}, armed_block = ${standing(sql, instanceId, marketId)}
    where instance_id = ${instanceId} and hook_id = ${hookId}`
}

/** Of two rotations within the overlap, the secret before the last one is the one that still signs. */
export async function setSecret(
  sql: Sql,
  instanceId: string,
  hookId: string,
  { secret, previousUntil, now }: { secret: string; previousUntil: Date; now: Date },
): Promise<void> {
  await sql`
    update hooks set previous_secret = secret, previous_secret_until = ${previousUntil}, secret = ${secret}, updated_at = ${now}
    where instance_id = ${instanceId} and hook_id = ${hookId}`
}

/** Its states and its log go with it. */
export async function deleteHook(sql: Sql, instanceId: string, hookId: string): Promise<void> {
  await sql`delete from hooks where instance_id = ${instanceId} and hook_id = ${hookId}`
}
