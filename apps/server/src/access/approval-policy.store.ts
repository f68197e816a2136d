import type { Sql } from '../platform/db/database.ts'

export interface PolicyRow {
  readonly secondPerson: boolean
  readonly endAskedBy: string | null
  readonly endAskedByName: string | null
  readonly endAskedAt: Date | null
}

export const OPEN_POLICY: PolicyRow = { secondPerson: false, endAskedBy: null, endAskedByName: null, endAskedAt: null }

export async function readPolicy(sql: Sql, instanceId: string): Promise<PolicyRow> {
  const [row] = await sql<PolicyRow[]>`
    select p.second_person as "secondPerson", u.user_id as "endAskedBy", u.name as "endAskedByName",
           case when u.user_id is not null then p.end_asked_at end as "endAskedAt"
    from approval_policies p left join users u on u.user_id = p.end_asked_by where p.instance_id = ${instanceId}`
  return row ?? OPEN_POLICY
}

export async function writePolicy(sql: Sql, instanceId: string, policy: PolicyRow, now: Date): Promise<void> {
  await sql`
    insert into approval_policies (instance_id, second_person, end_asked_by, end_asked_at, changed_at)
    values (${instanceId}, ${policy.secondPerson}, ${policy.endAskedBy}, ${policy.endAskedAt}, ${now})
    on conflict (instance_id) do update set second_person = excluded.second_person, end_asked_by = excluded.end_asked_by,
      end_asked_at = excluded.end_asked_at, changed_at = excluded.changed_at`
}

/** A build and a change of the policy follow one another. */
export async function holdPolicy(sql: Sql, instanceId: string, how: 'build' | 'change'): Promise<void> {
  const name = sql`hashtextextended('approvals ' || ${instanceId}::text, 0)`
  await (how === 'build'
    ? sql`select pg_advisory_xact_lock_shared(${name})`
    : sql`select pg_advisory_xact_lock(${name})`)
}

export interface SessionHolder {
  readonly userId: string | null
  readonly keyId: string | null
}

/** Who signed in; nothing: it is a key. */
export const findHolder = (sql: Sql, sessionId: string) => sql<SessionHolder[]>`
  select user_id as "userId", parent_key_id as "keyId" from sessions where session_id = ${sessionId}`
