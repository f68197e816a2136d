import type { Sql } from '../platform/db/database.ts'

export interface KeyRequest {
  readonly instanceId: string
  readonly keyId: string
  readonly requestId: string
  readonly at: Date
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
}

/** Needs the role tally_operator, since it crosses tenants. Of each key the newest are kept. */
export async function insertRequests(sql: Sql, requests: readonly KeyRequest[], kept: number): Promise<void> {
  await sql`
    insert into key_requests (instance_id, key_id, request_id, requested_at, method, path, status, duration_ms)
    select r."instanceId", r."keyId", r."requestId", r.at, r.method, r.path, r.status, r."durationMs"
    from jsonb_to_recordset(${sql.json(requests as never)}) as r ("instanceId" uuid, "keyId" uuid, "requestId" text, at timestamptz,
      method text, path text, status integer, "durationMs" integer)
    join instances i on i.instance_id = r."instanceId"
    on conflict do nothing`
  const owners = new Map(requests.map(({ keyId, instanceId }) => [keyId, instanceId]))
  // The newest that is not kept is found once for each key, with the instance by which the index begins; not again for each row.
  await sql`
    with last as materialized (
      select k.instance_id, k.key_id, l.requested_at
      from (select i::uuid as instance_id, k::uuid as key_id
        from unnest(${[...owners.values()]}::text[], ${[...owners.keys()]}::text[]) as u (i, k)) k
      cross join lateral (select r.requested_at from key_requests r where r.instance_id = k.instance_id and r.key_id = k.key_id
        order by r.requested_at desc, r.request_id desc offset ${kept} limit 1) l)
    delete from key_requests old using last
    where old.instance_id = last.instance_id and old.key_id = last.key_id and old.requested_at <= last.requested_at`
}

export const listRequests = (sql: Sql, instanceId: string, keyId: string, limit: number) => sql<
  Omit<KeyRequest, 'instanceId' | 'keyId'>[]
>`
  select request_id as "requestId", requested_at as at, method, path, status, duration_ms as "durationMs"
  from key_requests where instance_id = ${instanceId} and key_id = ${keyId}
  order by requested_at desc, request_id desc limit ${limit}`

export const isOwnKey = (sql: Sql, instanceId: string, keyId: string) => sql<{ keyId: string }[]>`
  select key_id as "keyId" from api_keys where instance_id = ${instanceId} and key_id = ${keyId} and not is_session`
