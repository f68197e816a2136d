import type { Scope, Service } from '@tallystick/wire'
import type { Database, Sql } from '../platform/db/database.ts'

export type KeyStatus = 'ACTIVE' | 'PENDING_ROTATION' | 'REVOKED'

export interface ApiKeyRow {
  readonly keyId: string
  readonly ref: string
  readonly name: string
  readonly scopes: Scope[]
  readonly status: KeyStatus
  readonly rateLimitPerMinute: number | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
}

export interface NewApiKey extends Omit<ApiKeyRow, 'lastUsedAt'> {
  readonly instanceId: string
  readonly secretSha256: Buffer
}

export interface FoundKey {
  readonly keyId: string
  readonly keyEpoch: bigint
  readonly secretSha256: Uint8Array
  readonly keyName: string
  readonly scopes: Scope[]
  readonly rateLimitPerMinute: number | null
  readonly instanceId: string
  readonly instanceEpoch: bigint
  readonly instanceName: string
  readonly chainId: bigint
  readonly environment: 'DEVELOPMENT' | 'PRODUCTION'
  readonly services: Service[]
  readonly lenderApproved: boolean
  readonly instanceCreatedAt: Date
}

const columns = (sql: Sql) => sql`
  key_id as "keyId", ref, name, scopes, status, rate_limit_per_minute as "rateLimitPerMinute",
  created_at as "createdAt", expires_at as "expiresAt",
  (select max(r.requested_at) from key_requests r where r.instance_id = api_keys.instance_id and r.key_id = api_keys.key_id) as "lastUsedAt"`

export async function findKey(database: Database, ref: string): Promise<FoundKey | undefined> {
  const [row] = await database.lookUp<FoundKey>(
    (sql) => sql<FoundKey[]>`
      select key_id as "keyId", key_epoch as "keyEpoch", secret_sha256 as "secretSha256", key_name as "keyName", scopes,
             rate_limit_per_minute as "rateLimitPerMinute", instance_id as "instanceId", instance_epoch as "instanceEpoch",
             instance_name as "instanceName", chain_id as "chainId", environment, services,
             lender_approved as "lenderApproved", instance_created_at as "instanceCreatedAt"
      from tally_find_key(${ref})`,
  )
  return row
}

/** A key that would open the door if its instance were not archived. */
export async function findKeyOfGoneInstance(
  database: Database,
  ref: string,
): Promise<Pick<FoundKey, 'secretSha256'> | undefined> {
  const [row] = await database.lookUp<Pick<FoundKey, 'secretSha256'>>(
    (sql) => sql<Pick<FoundKey, 'secretSha256'>[]>`
      select secret_sha256 as "secretSha256" from tally_find_key_of_gone_instance(${ref})`,
  )
  return row
}

export interface FoundRegisterKey {
  readonly keyId: string
  readonly secretSha256: Uint8Array
}

export async function findRegisterKey(database: Database, ref: string): Promise<FoundRegisterKey | undefined> {
  const [row] = await database.lookUp<FoundRegisterKey>(
    (sql) => sql<FoundRegisterKey[]>`
      select key_id as "keyId", secret_sha256 as "secretSha256" from tally_find_register_key(${ref})`,
  )
  return row
}

export const listKeys = (sql: Sql, instanceId: string) => sql<ApiKeyRow[]>`
  select ${columns(sql)} from api_keys where instance_id = ${instanceId} and not is_session order by created_at desc, key_id desc`

/** Serializes everything that counts keys of one instance. */
export async function lockKeys(sql: Sql, instanceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('api_keys ' || ${instanceId}::text, 0))`
}

/** Keys that open the door now: a rotated key counts until it lapses. */
export async function countOpenKeys(sql: Sql, instanceId: string, now: Date): Promise<number> {
  const [row] = await sql<{ open: number }[]>`
    select count(*)::int as open from api_keys
    where instance_id = ${instanceId} and not is_session and status <> 'REVOKED' and (expires_at is null or expires_at > ${now})`
  return row?.open ?? 0
}

export async function insertKey(sql: Sql, key: NewApiKey): Promise<ApiKeyRow> {
  const [row] = await sql<ApiKeyRow[]>`
    insert into api_keys (instance_id, key_id, ref, secret_sha256, name, scopes, rate_limit_per_minute, status, created_at, expires_at)
    values (${key.instanceId}, ${key.keyId}, ${key.ref}, ${key.secretSha256}, ${key.name}, ${key.scopes}, ${key.rateLimitPerMinute},
            ${key.status}, ${key.createdAt}, ${key.expiresAt})
    returning ${columns(sql)}`
  if (!row) throw new Error('an inserted key was not returned')
  return row
}

export async function findOwnKey(sql: Sql, instanceId: string, keyId: string): Promise<ApiKeyRow | undefined> {
  const [row] = await sql<ApiKeyRow[]>`
    select ${columns(sql)} from api_keys where instance_id = ${instanceId} and key_id = ${keyId} and not is_session for update`
  return row
}

/** Answers undefined when the key was not active any more. */
export async function startRotation(
  sql: Sql,
  instanceId: string,
  keyId: string,
  expiresAt: Date,
): Promise<ApiKeyRow | undefined> {
  const [row] = await sql<ApiKeyRow[]>`
    update api_keys set status = 'PENDING_ROTATION', expires_at = least(coalesce(expires_at, ${expiresAt}), ${expiresAt}), epoch = epoch + 1
    where instance_id = ${instanceId} and key_id = ${keyId} and status = 'ACTIVE'
    returning ${columns(sql)}`
  return row
}

export async function revokeKey(
  sql: Sql,
  instanceId: string,
  keyId: string,
  now: Date,
): Promise<ApiKeyRow | undefined> {
  const [row] = await sql<ApiKeyRow[]>`
    update api_keys set status = 'REVOKED', revoked_at = ${now}, epoch = epoch + 1
    where instance_id = ${instanceId} and key_id = ${keyId} and status <> 'REVOKED'
    returning ${columns(sql)}`
  return row
}
