import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'

/** Connects to the database of a running embedded stack past every policy. */
export function connectEmbedded(folder: string): Sql {
  const { databaseUrl } = JSON.parse(readFileSync(join(folder, 'stack.json'), 'utf8')) as { databaseUrl: string }
  const url = new URL(databaseUrl)
  url.username = 'postgres'
  url.password = readFileSync(join(folder, 'postgres.password'), 'utf8').trim()
  return postgres(url.toString(), { max: 1, onnotice: () => undefined })
}

/** Every row of every table as PostgreSQL writes it: exact for any number and any point in time. */
export async function allRows(sql: Sql): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations' order by 1`
  const rows: Record<string, string[]> = {}
  for (const { name } of tables) {
    const found = await sql<{ row: string }[]>`select t::text as row from ${sql(name)} t order by 1`
    rows[name] = found.map(({ row }) => row)
  }
  return rows
}

/** Rows with the values that are most easily damaged on the way. */
export async function insertDelicateRows(sql: Sql): Promise<void> {
  const biggest = '9'.repeat(78)
  const [instance] = await sql<{ id: string }[]>`select instance_id as id from instances limit 1`
  await sql`insert into chain_blocks (chain_id, block_number, block_hash) values (9007199254740993, ${biggest}::text::numeric, ${'0xabc'})`
  await sql`
    insert into token_imports (instance_id, import_id, chain_id, token_address, name, symbol, decimals, framework, total_supply_raw,
      facts, evidence, asset_type, image_uri, profile, status, imported_at, updated_at)
    values (${instance?.id ?? ''}, gen_random_uuid(), 31337, ${`0x${'e'.repeat(40)}`}, ${'Ünïcode "quoted" \\ back\nline\ttab 中 😀'}, ${'\\x00'}, 77, 'erc20',
      ${biggest}::text::numeric, '{"big": 123456789012345678901234567890.123456789, "none": null, "list": []}'::jsonb, '[]'::jsonb, 'ART',
      ${''}, null, 'ACTIVE', '2026-01-02 03:04:05.123456+00', '1969-12-31 23:59:59.000001+00')`
  await sql`
    insert into api_keys (instance_id, key_id, ref, secret_sha256, name, scopes, status, epoch, created_at, expires_at)
    values (${instance?.id ?? ''}, gen_random_uuid(), 'Zz00Zz00', decode(repeat('00ff5c22', 8), 'hex'), ${'{a,b} "c" NULL'},
      array['a,b', 'say "hi"', 'back\\slash', '', 'NULL', '{}'], 'REVOKED', 9223372036854775807, '2026-06-30 23:59:59.999999+00', 'infinity')`
  // More rows than one batch of a backup holds.
  await sql`insert into chain_blocks (chain_id, block_number, block_hash) select 5, n, md5(n::text) from generate_series(1, 1234) n`
}
