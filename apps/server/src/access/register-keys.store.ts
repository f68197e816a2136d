import type { Sql } from '../platform/db/database.ts'

export async function insertRegisterKey(
  sql: Sql,
  key: { keyId: string; ref: string; secretSha256: Buffer; name: string; createdAt: Date },
): Promise<void> {
  await sql`
    insert into register_keys (key_id, ref, secret_sha256, name, status, created_at)
    values (${key.keyId}, ${key.ref}, ${key.secretSha256}, ${key.name}, 'ACTIVE', ${key.createdAt})`
}
