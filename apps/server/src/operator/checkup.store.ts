import type { Database } from '../platform/db/database.ts'

/** What a database says of itself, and of how far the worker got. */
export interface DatabaseFacts {
  /** As PostgreSQL counts: 160004 is 16.4. */
  readonly serverVersion: number
  readonly now: Date
  readonly maxConnections: number
  /** Newest applied migration; 0: none ever ran. */
  readonly schemaVersion: number
  /** What a release has to know to run on it. */
  readonly schemaNeeds: number
  readonly isSuperuser: boolean
  /** Roles of ours that do not exist, or that this user may not take. */
  readonly missingRoles: readonly string[]
  /** Roles of ours to which row-level security would not apply. */
  readonly bypassingRoles: readonly string[]
  /** Tables without forced row-level security. */
  readonly openTables: readonly string[]
  readonly cursors: readonly { readonly chainId: number; readonly blockNumber: bigint; readonly movedAt: Date }[]
}

const ROLES = ['tally_api', 'tally_chain', 'tally_venue', 'tally_auth', 'tally_operator']

export async function readDatabaseFacts(database: Database): Promise<DatabaseFacts> {
  const { owner } = database
  const [server] = await owner<
    { serverVersion: number; now: Date; maxConnections: number; isSuperuser: boolean; isMade: boolean }[]
  >`
    select current_setting('server_version_num')::int as "serverVersion", clock_timestamp() as now,
           current_setting('max_connections')::int as "maxConnections", rolsuper as "isSuperuser",
           to_regclass('schema_migrations') is not null as "isMade"
    from pg_roles where rolname = current_user`
  if (!server) throw new Error('the database does not know who asks')
  const { isMade, ...facts } = server
  if (!isMade)
    return {
      ...facts,
      ...{ schemaVersion: 0, schemaNeeds: 0, missingRoles: [], bypassingRoles: [], openTables: [], cursors: [] },
    }
  const [schema] = await owner<{ version: number | null; needs: number | null }[]>`
    select max(version) as version, max(needs) as needs from schema_migrations`
  const roles = await owner<{ name: string; isOurs: boolean; bypasses: boolean }[]>`
    select rolname as name, pg_has_role(current_user, oid, 'member') as "isOurs", rolbypassrls or rolsuper as bypasses
    from pg_roles where rolname = any(${ROLES}::text[])`
  const open = await owner<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations'
      and not (c.relrowsecurity and c.relforcerowsecurity) order by 1`
  const missingRoles = ROLES.filter((name) => !roles.some((role) => role.name === name && role.isOurs))
  return {
    ...facts,
    schemaVersion: schema?.version ?? 0,
    schemaNeeds: schema?.needs ?? 0,
    missingRoles,
    bypassingRoles: roles.filter(({ bypasses }) => bypasses).map(({ name }) => name),
    openTables: open.map(({ name }) => name),
    cursors: missingRoles.length > 0 ? [] : await readCursors(database),
  }
}

const readCursors = (database: Database) =>
  database.as('tally_operator', async (sql) => [
    ...(await sql<{ chainId: number; blockNumber: bigint; movedAt: Date }[]>`
      select chain_id::int as "chainId", block_number as "blockNumber", moved_at as "movedAt" from chain_cursors order by 1`),
  ])
