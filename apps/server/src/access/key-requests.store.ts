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
  const keys = [...new Set(requests.map(({ keyId }) => keyId))]
  await sql`
    delete from key_requests old using (select one::uuid as key_id from unnest(${keys}::text[]) as u (one)) k
    cross join lateral (select requested_at from key_requests r where r.key_id = k.key_id
      order by requested_at desc, request_id desc offset ${kept} limit 1) last
    where old.key_id = k.key_id and old.requested_at <= last.requested_at`
}

export const listRequests = (sql: Sql, instanceId: string, keyId: string, limit: number) => sql<
  Omit<KeyRequest, 'instanceId' | 'keyId'>[]
>`
  select request_id as "requestId", requested_at as at, method, path, status, duration_ms as "durationMs"
  from key_requests where instance_id = ${instanceId} and key_id = ${keyId}
  order by requested_at desc, request_id desc limit ${limit}`

export const isOwnKey = (sql: Sql, instanceId: string, keyId: string) => sql<{ keyId: string }[]>`
  select key_id as "keyId" from api_keys where instance_id = ${instanceId} and key_id = ${keyId} and not is_session`
