import type { Scope, UserRole } from '@tallystick/wire'
import type { Sql } from '../platform/db/database.ts'
import type { InstanceRow } from './instance.rules.ts'
import type { UserRow } from './session.rules.ts'

export interface SessionRow {
  readonly user: UserRow | null
  readonly parentKeyId: string | null
  readonly createdAt: Date
  readonly endsAt: Date
}

export interface NewSession {
  readonly instanceId: string
  readonly sessionId: string
  readonly ref: string
  readonly secretSha256: Buffer
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly rateLimitPerMinute: number | null
  readonly userId: string | null
  readonly parentKeyId: string | null
  readonly userAgent: string | null
  readonly createdAt: Date
  readonly idleUntil: Date
  readonly endsAt: Date
}

interface JoinedRow extends Omit<SessionRow, 'user'> {
  readonly userId: string | null
  readonly address: string | null
  readonly email: string | null
  readonly userName: string | null
  readonly role: UserRole | null
  readonly userCreatedAt: Date | null
}

function userOf({ userId, address, email, userName, role, userCreatedAt }: JoinedRow): UserRow | null {
  if (userId === null || userName === null || role === null || userCreatedAt === null) return null
  return { userId, address, email, name: userName, role, createdAt: userCreatedAt }
}

const joinedColumns = (sql: Sql) => sql`
  s.parent_key_id as "parentKeyId", s.created_at as "createdAt", s.ends_at as "endsAt", u.user_id as "userId", u.address, u.email,
  u.name as "userName", u.role, u.created_at as "userCreatedAt"`

export const findSession = (sql: Sql, sessionId: string) => sql<JoinedRow[]>`
  select ${joinedColumns(sql)} from sessions s left join users u using (user_id) where s.session_id = ${sessionId}`

export const asSessionRow = (row: JoinedRow): SessionRow => ({
  user: userOf(row),
  parentKeyId: row.parentKeyId,
  createdAt: row.createdAt,
  endsAt: row.endsAt,
})

export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  await sql`
    insert into api_keys (instance_id, key_id, ref, secret_sha256, name, scopes, rate_limit_per_minute, status, created_at, expires_at, is_session)
    values (${session.instanceId}, ${session.sessionId}, ${session.ref}, ${session.secretSha256}, ${session.name}, ${[...session.scopes]},
            ${session.rateLimitPerMinute}, 'ACTIVE', ${session.createdAt}, ${session.idleUntil}, true)`
  await sql`
    insert into sessions (instance_id, session_id, user_id, parent_key_id, user_agent, created_at, seen_at, ends_at)
    values (${session.instanceId}, ${session.sessionId}, ${session.userId}, ${session.parentKeyId}, ${session.userAgent},
            ${session.createdAt}, ${session.createdAt}, ${session.endsAt})`
}

/**
 * The end of an idle session moves; its epoch stays, since it is the same session. In the order in which a user is removed, whose sessions end:
 * otherwise each would wait for the other.
 */
export async function noteUse(sql: Sql, sessionId: string, now: Date, until: Date): Promise<void> {
  await sql`update api_keys set expires_at = ${until} where key_id = ${sessionId} and is_session`
  await sql`update sessions set seen_at = ${now} where session_id = ${sessionId}`
}

export interface ListedSessionRow extends JoinedRow {
  readonly sessionId: string
  readonly keyName: string
  readonly seenAt: Date
  readonly idleUntil: Date
  readonly userAgent: string | null
}

export const listOpenSessions = (sql: Sql, instanceId: string) => sql<ListedSessionRow[]>`
  select s.session_id as "sessionId", k.name as "keyName", s.seen_at as "seenAt", k.expires_at as "idleUntil", s.user_agent as "userAgent",
         ${joinedColumns(sql)}
  from sessions s join api_keys k on k.key_id = s.session_id left join users u using (user_id)
  where s.instance_id = ${instanceId} and k.status <> 'REVOKED' and k.expires_at > now()
  order by s.created_at desc, s.session_id desc`

/** Which of them: one, those of a user, those of a key, or all. */
export interface SessionsWanted {
  readonly sessionId?: string
  readonly userId?: string
  readonly parentKeyId?: string
}

/** Answers those that were open until now. */
export async function endSessions(
  sql: Sql,
  instanceId: string,
  { sessionId = undefined, userId, parentKeyId }: SessionsWanted,
  now: Date,
): Promise<string[]> {
  const rows = await sql<{ sessionId: string }[]>`
    update api_keys k set status = 'REVOKED', revoked_at = ${now}, epoch = k.epoch + 1 from sessions s
    where k.instance_id = ${instanceId} and s.session_id = k.key_id and k.status <> 'REVOKED' and k.expires_at > now()
      and (${sessionId ?? null}::uuid is null or s.session_id = ${sessionId ?? null})
      and (${userId ?? null}::uuid is null or s.user_id = ${userId ?? null})
      and (${parentKeyId ?? null}::uuid is null or s.parent_key_id = ${parentKeyId ?? null})
    returning k.key_id as "sessionId"`
  return rows.map((row) => row.sessionId)
}

/** The rights of a user in the sessions that are open: a cached copy of them is stale from this commit on. */
export async function changeSessionsOfUser(
  sql: Sql,
  userId: string,
  { name, scopes }: { name: string; scopes: readonly Scope[] },
): Promise<void> {
  await sql`
    update api_keys k set name = ${name}, scopes = ${[...scopes]}, epoch = k.epoch + 1 from sessions s
    where s.user_id = ${userId} and s.session_id = k.key_id and k.status <> 'REVOKED'`
}

export interface OpenSessionRow extends InstanceRow {
  readonly idleUntil: Date
}

/** How long a session is still open, and its instance. */
export const readOpenSession = (sql: Sql, instanceId: string, sessionId: string) => sql<OpenSessionRow[]>`
  select i.instance_id as "instanceId", i.name, i.chain_id as "chainId", i.environment, i.services, i.lender_approved as "lenderApproved",
         i.status, i.created_at as "createdAt", k.expires_at as "idleUntil"
  from instances i join api_keys k using (instance_id) where instance_id = ${instanceId} and k.key_id = ${sessionId}`
