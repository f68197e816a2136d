import type { Database, Sql } from '../platform/db/database.ts'
import { BackupError } from './backup.rules.ts'

const BATCH = 500

/** The version that a database is at; 0: no migration ever ran on it. */
export async function readVersion(database: Database): Promise<number> {
  const [found] = await database.owner<{ made: boolean }[]>`select to_regclass('schema_migrations') is not null as made`
  if (!found?.made) return 0
  const [row] = await database.owner<
    { version: number | null }[]
  >`select max(version) as version from schema_migrations`
  return row?.version ?? 0
}

/** Every table that holds data, parents before children, so that a reload meets no missing reference. */
async function listTables(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and c.relname <> 'schema_migrations' order by c.relname`
  const references = await sql<{ child: string; parent: string }[]>`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint where contype = 'f' and conrelid <> confrelid`
  const ordered: string[] = []
  const visit = (name: string) => {
    if (ordered.includes(name)) return
    for (const { child, parent } of references) if (child === name) visit(parent)
    ordered.push(name)
  }
  for (const { name } of tables) visit(name)
  return ordered
}

/** The columns that a row brings along; generated ones make themselves. */
async function listColumns(sql: Sql, table: string): Promise<string[]> {
  const columns = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`
  return columns.map(({ name }) => name)
}

/** All rows as of one moment. A row travels as the text of its JSON, so no number is ever rounded on the way. */
export async function snapshot(
  database: Database,
  onRows: (table: string, rows: string[]) => Promise<void>,
): Promise<void> {
  await database.as(
    'tally_operator',
    async (sql) => {
      for (const table of await listTables(sql)) {
        const cursor = sql<{ row: string }[]>`select to_jsonb(t)::text as row from ${sql(table)} t`.cursor(BATCH)
        for await (const batch of cursor)
          await onRows(
            table,
            batch.map(({ row }) => row),
          )
      }
    },
    'repeatable read',
  )
}

/** One transaction: all rows, or an empty database as before. */
export async function load(
  database: Database,
  fill: (insert: (table: string, rows: string[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  await database.as('tally_operator', async (sql) => {
    const tables = await listTables(sql)
    for (const table of tables) {
      const [filled] = await sql`select 1 from ${sql(table)} limit 1`
      if (filled) throw new BackupError(`The database is not empty: ${table} has rows. Restore into an empty one.`)
    }
    // What tables derive from one another is in the backup too.
    await sql`select set_config('tally.restoring', 'on', true)`
    await fill(async (table, rows) => {
      if (!tables.includes(table))
        throw new BackupError(`The backup has a table that this release does not know: ${table}`)
      const columns = sql(await listColumns(sql, table))
      await sql`
        insert into ${sql(table)} (${columns})
        select ${columns} from jsonb_populate_recordset(null::${sql(table)}, ${`[${rows.join(',')}]`}::text::jsonb)`
    })
  })
}
