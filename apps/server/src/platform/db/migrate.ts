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
  /**
   * The version that a release has to know to run on this one. A migration that only adds needs nothing; one that takes away what an older
   * release uses says so in a line of its own, `-- needs: 0041`, a release after the code stopped using it.
   */
  readonly needs: number
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
        needs: Number(/^-- needs: (\d{4})$/m.exec(text)?.[1] ?? 0),
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
    await sql`alter table schema_migrations add column if not exists needs integer not null default 0`
    const applied = await sql<
      { version: number; sha256: string; needs: number }[]
    >`select version, sha256, needs from schema_migrations order by version`
    const migrations = listMigrations()
    for (const row of applied) {
      const known = migrations.find((migration) => migration.version === row.version)
      if (!known && row.needs > currentVersion())
        throw new Error(`The database is at version ${row.version}, which this release cannot run on. Use a newer one.`)
      if (known && known.sha256 !== row.sha256)
        throw new Error(`Migration ${known.name} was changed after it had been applied.`)
    }
    const done = applied.at(-1)?.version ?? 0
    for (const migration of migrations.filter(({ version }) => version > done && version <= upTo)) {
      await sql.begin(async (tx) => {
        await tx.unsafe(migration.text)
        await tx`
          insert into schema_migrations (version, name, sha256, needs)
          values (${migration.version}, ${migration.name}, ${migration.sha256}, ${migration.needs})`
      })
    }
    return Math.min(Math.max(currentVersion(), done), upTo)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** For whoever only reads: what it cannot read is told, and left as it is. */
export async function requireSchema(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 5 })
  try {
    const [table] = await sql<{ exists: boolean }[]>`select to_regclass('schema_migrations') is not null as exists`
    const [row] = table?.exists
      ? await sql<{ version: number | null }[]>`select max(version) as version from schema_migrations`
      : []
    const version = row?.version ?? 0
    if (version < currentVersion())
      throw new Error(
        `The database is at version ${version}, this release needs ${currentVersion()}. Run \`tally migrate\`.`,
      )
  } finally {
    await sql.end({ timeout: 5 })
  }
}
