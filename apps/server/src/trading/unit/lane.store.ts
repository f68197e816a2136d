import type { Grant, Sql } from '../../platform/db/database.ts'
import { asJson } from './json-rows.rules.ts'
import {
  balanceChangesText,
  type FoundKey,
  type KeyName,
  keysText,
  type LaneGroup,
  orderChangesText,
  orderRowsText,
  tradeRowsText,
} from './lane-rows.rules.ts'

/** A process that matches in memory, and where others can ask it. */
export interface Owner {
  readonly name: string
  readonly url: string | undefined
}

/** How long others leave a lane to its owner. */
export const LEASE_MS = 3_500
const LEASE = `${LEASE_MS} milliseconds`
/** A server that has said nothing for so long is not there. Shorter than a lease: nobody leaves a lane to one that has lost its own. */
export const HERE_FOR_MS = 2_500
const HERE_FOR = `${HERE_FOR_MS} milliseconds`

/**
 * Every row is found by a look into an index: a plan that was made while the tables were young may not read all of one. So there is one plan
 * for each statement, and nothing to be gained by another one for the numbers at hand.
 */
export const nameLane = (sql: Sql, laneId: string) => sql`
  select set_config('role', 'tally_lane', true), set_config('tally.lane', ${laneId}, true), set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('plan_cache_mode', 'force_generic_plan', true)`

/** The instance whose ledger backs a unit, and whether the answer holds for good. As the venue, in the unit. */
export const findLane = (sql: Sql, unitId: string) => sql<{ laneId: string | null; isFinal: boolean }[]>`
  select case when settlement_mode = 'OFF_CHAIN' then instance_id end as "laneId",
    settlement_mode = 'OFF_CHAIN' or book_id <> unit_id as "isFinal"
  from order_books where unit_id = ${unitId} limit 1`

export const readRole = (sql: Sql) => sql<{ role: string; laneId: string | null }[]>`
  select current_user as role, current_setting('tally.lane', true) as "laneId"`
export const takeRole = (sql: Sql, role: string) => sql`select set_config('role', ${role}, true)`

/** Holds the lane until the transaction ends: all groups are rows, and what its owner remembers is no more. */
export const enterLane = (sql: Sql) => sql`select tally_enter_lane()`

/** The same for whoever will match in memory; no row: another process does. */
export const ownLane = (sql: Sql, { name, url }: Owner) => sql<{ epoch: bigint; sequence: bigint }[]>`
  select epoch, sequence from tally_own_lane(${name}, ${url ?? null}::text, ${LEASE}::interval)`

/** Who has the lane, and for how long at least. */
export const readOwner = (sql: Sql, laneId: string) => sql<{ name: string; url: string | null; leaseMs: number }[]>`
  select owner as name, owner_url as url, extract(epoch from lease_until - clock_timestamp())::float8 * 1000 as "leaseMs"
  from lanes where lane_id = ${laneId} and owner is not null and lease_until > clock_timestamp()`

/** Whoever has it gives it up: the next one need not wait for the end of the lease. In the lane. */
export const leaveLane = (sql: Sql, name: string) => sql`
  update lanes set lease_until = clock_timestamp() where lane_id = tally_lane() and owner = ${name}`

/** Says that a server is there, if others can reach it, and answers who else is. Nobody needs to have it on disk. */
export const meetServers = (sql: Sql, { name, url }: Owner) => sql<{ url: string }[]>`
  with gone as (delete from lane_servers where here_until < clock_timestamp() - interval '1 minute'),
  here as (
    insert into lane_servers (name, url, here_until)
    select ${name}, u, clock_timestamp() + ${HERE_FOR}::interval from (select ${url ?? null}::text as u) given where u is not null
    on conflict (name) do update set url = excluded.url, here_until = excluded.here_until)
  select distinct url from lane_servers, set_config('synchronous_commit', 'off', true)
  where here_until > clock_timestamp() and name <> ${name}`

/** It is there no longer. */
export const quitServers = (sql: Sql, name: string) => sql`delete from lane_servers where name = ${name}`

const grantArrays = (sql: Sql, grants: readonly Grant[]) => sql`
  ${grants.map(({ keyId }) => keyId)}::text[]::uuid[], ${grants.map(({ keyEpoch }) => String(keyEpoch))}::text[]::bigint[],
  ${grants.map(({ instanceId }) => instanceId)}::text[]::uuid[],
  ${grants.map(({ instanceEpoch }) => String(instanceEpoch))}::text[]::bigint[]`

/** Compare-and-set and journal in one statement, in lean form: without movements, which follow from trades. */
export const commitGroup = (sql: Sql, epoch: bigint, grants: readonly Grant[], group: LaneGroup) => sql<
  { outcome: 'COMMITTED' | 'MOVED' | 'STALE' }[]
>`
  select tally_commit_group(${epoch.toString()}::bigint, ${LEASE}::interval, ${grantArrays(sql, grants)},
    row(${group.laneId}::uuid, ${group.sequence.toString()}::bigint, ${epoch.toString()}::bigint, ${group.groupId}::uuid,
      ${group.unit?.unitId ?? null}::uuid, ${group.unit?.version.toString() ?? null}::bigint,
      ${group.entries[0]?.number ?? null}::bigint, ${group.entries.at(-1)?.number ?? null}::bigint,
      ${group.unit?.headHash ?? null}::text, ${group.at}::timestamptz,
      ${group.entries.map(({ body }) => body).join('\n')}::text, ${group.entries.map(({ hash }) => hash).join('\n')}::text,
      ${orderRowsText(group.orders)}::text, ${orderChangesText(group.changes)}::text, ${tradeRowsText(group.trades)}::text,
      ${asJson(group.days)}::text, ${balanceChangesText(group.balances)}::text, '', ${group.usedIds.length > 0 ? 'of orders' : ''}::text,
      ${keysText(group.keys)}::text)::lane_groups) as outcome`

/** Which of these keys of an instance were used in the last day, or are in use: then there is no answer. */
export const findKeys = (sql: Sql, instanceId: string, asked: readonly KeyName[], now: Date) => sql<FoundKey[]>`
  select a.operation, a.key, f.fingerprint, f.status, f.body
  from unnest(${asked.map(({ operation }) => operation)}::text[], ${asked.map(({ key }) => key)}::text[]) as a(operation, key)
  cross join lateral (
    select encode(k.request_sha256, 'hex') as fingerprint, k.status, convert_from(k.answer, 'UTF8') as body
    from idempotency_keys k where k.instance_id = ${instanceId} and k.operation = a.operation and k.idempotency_key = a.key
      and k.created_at > ${now}::timestamptz - interval '24 hours'
    union all
    select null, null, null
    from idempotency_claims c where c.instance_id = ${instanceId} and c.operation = a.operation and c.idempotency_key = a.key
      and c.claimed_until >= ${now} offset 0) f`

/** For a group that wrote nothing: whether what it was refused on still holds, and every key still is what it was. */
export const confirmSeen = (
  sql: Sql,
  seen: { laneId: string; epoch: bigint; sequence: bigint },
  grants: readonly Grant[],
) => sql<{ holds: boolean }[]>`
  select tally_stale_keys(${grantArrays(sql, grants)}) = '{}' as holds from lanes
  where lane_id = ${seen.laneId} and epoch = ${seen.epoch.toString()}::bigint and sequence = ${seen.sequence.toString()}::bigint`

export const findGroup = (sql: Sql, laneId: string, sequence: bigint) => sql<{ groupId: string }[]>`
  select group_id as "groupId" from lane_groups where lane_id = ${laneId} and sequence = ${sequence.toString()}::bigint`

export const readPositions = (sql: Sql, laneId: string) => sql<{ sequence: bigint; projected: bigint }[]>`
  select l.sequence, p.sequence as projected from lanes l join lane_projections p using (lane_id) where lane_id = ${laneId}`

/** Rows follow from groups that are durable already: this commit may be lost, and would be made again. */
export const projectSome = (sql: Sql, most: number) => sql<{ position: bigint }[]>`
  select tally_project(${most}) as position, set_config('synchronous_commit', 'off', true)`

/** Lanes with groups that are no rows yet. For the operator's jobs, across instances. */
export const listBehind = (sql: Sql) => sql<{ laneId: string; left: number }[]>`
  select lane_id as "laneId", (l.sequence - p.sequence)::int as left from lanes l join lane_projections p using (lane_id) where p.sequence < l.sequence`
