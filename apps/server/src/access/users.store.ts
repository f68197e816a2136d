import type { Sql } from '../platform/db/database.ts'
import type { UserRow } from './session.rules.ts'

const columns = (sql: Sql) => sql`user_id as "userId", address, email, name, role, created_at as "createdAt"`

export const listUsers = (sql: Sql, instanceId: string) => sql<UserRow[]>`
  select ${columns(sql)} from users where instance_id = ${instanceId} order by created_at, user_id`

/** Serializes everything that counts users of one instance, or its admins. */
export async function lockUsers(sql: Sql, instanceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('users ' || ${instanceId}::text, 0))`
}

export async function insertUser(sql: Sql, instanceId: string, user: UserRow): Promise<void> {
  await sql`
    insert into users (instance_id, user_id, address, email, name, role, created_at)
    values (${instanceId}, ${user.userId}, ${user.address}, ${user.email}, ${user.name}, ${user.role}, ${user.createdAt})`
}

export async function updateUser(sql: Sql, instanceId: string, { userId, name, role }: UserRow): Promise<void> {
  await sql`update users set name = ${name}, role = ${role} where instance_id = ${instanceId} and user_id = ${userId}`
}

export async function deleteUser(sql: Sql, instanceId: string, userId: string): Promise<void> {
  await sql`delete from users where instance_id = ${instanceId} and user_id = ${userId}`
}
