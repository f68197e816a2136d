import type { DatabaseFacts } from '@tallystick/server/operator'
import { type Advice, orWell, warning, wrong } from './advice.rules.ts'

const OLDEST = 160_000
const MOST_SKEW_MS = 5_000

const shown = (version: number) => `${Math.floor(version / 10_000)}.${version % 10_000}`

function adviseOnSchema({ schemaVersion, schemaNeeds }: DatabaseFacts, own: number): Advice[] {
  if (schemaVersion < own)
    return [
      wrong(
        'schema',
        schemaVersion === 0
          ? `The database has no tables; this release needs version ${own}.`
          : `The schema is at version ${schemaVersion}, this release needs ${own}: migrations are pending.`,
        'Run tally migrate before you start this release.',
      ),
    ]
  if (schemaNeeds > own)
    return [
      wrong(
        'schema',
        `The schema is at version ${schemaVersion} and needs a release that knows ${schemaNeeds}; this one knows ${own}.`,
        'Run a newer release.',
      ),
    ]
  return schemaVersion > own
    ? [
        warning(
          'schema',
          `The schema is at version ${schemaVersion}, newer than this release with ${own}.`,
          'Finish the upgrade: this release should not stay for long.',
        ),
      ]
    : []
}

function adviseOnRoles({
  missingRoles,
  bypassingRoles,
  openTables,
  isSuperuser,
  schemaVersion,
}: DatabaseFacts): Advice[] {
  if (schemaVersion === 0) return []
  const found: Advice[] = []
  if (missingRoles.length > 0)
    found.push(
      wrong(
        'roles',
        `This user may not act as ${missingRoles.join(', ')}.`,
        'Grant the roles to the user of DATABASE_URL, or run tally migrate as a user that may create them.',
      ),
    )
  if (bypassingRoles.length > 0)
    found.push(
      wrong(
        'roles',
        `Row-level security does not apply to ${bypassingRoles.join(', ')}: tenants could read each other.`,
        'alter role <name> nosuperuser nobypassrls.',
      ),
    )
  if (openTables.length > 0)
    found.push(
      wrong(
        'roles',
        `Row-level security is not forced on ${openTables.join(', ')}.`,
        'alter table <name> enable row level security, force row level security; find out who switched it off.',
      ),
    )
  if (isSuperuser)
    found.push(
      warning(
        'roles',
        'The user of DATABASE_URL is a superuser.',
        'Use one that owns the database and may create roles, nothing more.',
      ),
    )
  return found
}

/** What a database that answers says of itself. */
export function adviseOnDatabase(
  facts: DatabaseFacts,
  around: { readonly ownVersion: number; readonly now: Date; readonly pool: number; readonly isEmbedded: boolean },
): readonly Advice[] {
  const found: Advice[] = []
  if (facts.serverVersion < OLDEST)
    found.push(wrong('database', `PostgreSQL ${shown(facts.serverVersion)} is too old.`, 'Use PostgreSQL 16 or newer.'))
  if (facts.maxConnections < around.pool + 10)
    found.push(
      warning(
        'database',
        `It takes ${facts.maxConnections} connections, and one process alone may open ${around.pool}.`,
        'Raise max_connections, lower DATABASE_POOL, or put a pooler in front.',
      ),
    )
  const skew = Math.abs(facts.now.getTime() - around.now.getTime())
  if (skew > MOST_SKEW_MS)
    found.push(
      wrong(
        'clock',
        `The clock here and the clock of the database are ${Math.round(skew / 1000)} s apart.`,
        'Let both machines follow the same time server.',
      ),
    )
  // The embedded one is ours alone, and runs as who started it.
  const roles = adviseOnRoles(around.isEmbedded ? { ...facts, isSuperuser: false } : facts)
  return orWell(
    [...found, ...adviseOnSchema(facts, around.ownVersion), ...roles],
    'database',
    `PostgreSQL ${shown(facts.serverVersion)} answers, its schema is at version ${facts.schemaVersion}, and row-level security is forced.`,
  )
}
