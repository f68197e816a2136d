import type { Database, Sql } from '../platform/db/database.ts'

const BATCH = 500

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
      if (filled) throw new Error(`The database is not empty: ${table} has rows. Restore into an empty one.`)
    }
    await fill(async (table, rows) => {
      if (!tables.includes(table)) throw new Error(`The backup has a table that this release does not know: ${table}`)
      await sql`insert into ${sql(table)} select * from jsonb_populate_recordset(null::${sql(table)}, ${`[${rows.join(',')}]`}::text::jsonb)`
    })
  })
}
