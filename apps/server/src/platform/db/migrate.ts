import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'

const folder = fileURLToPath(new URL('../../../migrations', import.meta.url))
/** Any constant serves, as long as every process takes the same lock. */
const MIGRATION_LOCK = 7_201_443

export interface Migration {
  readonly version: number
  readonly name: string
  readonly text: string
  readonly sha256: string
}

export function listMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-.+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return {
        version: Number(file.slice(0, 4)),
        name: file,
        text,
        sha256: createHash('sha256').update(text).digest('hex'),
      }
    })
}

/** The newest version this code knows. */
export function currentVersion(): number {
  return listMigrations().at(-1)?.version ?? 0
}

/**
 * Brings a database up to `upTo` (default: the newest). Each migration runs in a transaction of its own, so a crash leaves a
 * whole version; several processes may call this at once.
 */
export async function migrate(url: string, upTo = Number.POSITIVE_INFINITY): Promise<number> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 5 })
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`
    await sql`create table if not exists schema_migrations (
      version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`
    const applied = await sql<
      { version: number; sha256: string }[]
    >`select version, sha256 from schema_migrations order by version`
    const migrations = listMigrations()
    for (const row of applied) {
      const known = migrations.find((migration) => migration.version === row.version)
      if (!known)
        throw new Error(
          `The database is at version ${row.version}, which this release does not know. Use a newer release.`,
        )
      if (known.sha256 !== row.sha256) throw new Error(`Migration ${known.name} was changed after it had been applied.`)
    }
    const done = applied.at(-1)?.version ?? 0
    for (const migration of migrations.filter(({ version }) => version > done && version <= upTo)) {
      await sql.begin(async (tx) => {
        await tx.unsafe(migration.text)
        await tx`insert into schema_migrations (version, name, sha256) values (${migration.version}, ${migration.name}, ${migration.sha256})`
      })
    }
    return Math.min(currentVersion(), upTo)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
