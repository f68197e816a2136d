import type { accessOperations, QueryOf } from '@tallystick/wire'
import type { Database, TenantDatabase } from '../platform/db/database.ts'
import { isUuid } from '../platform/ids.ts'
import { asCursor, countOf, readCursor } from '../platform/page.ts'
import { type ActRow, type ActsWanted, type ChangedFields, listActs } from './audit.store.ts'

const bounds = { fallback: 50, most: 200 }
const cursorForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Where a deployment keeps the key of a relayer is for its operator to know. */
const ofOperator: readonly string[] = ['keystoreFile', 'passwordFile', 'remoteUrl']

function forTenant(fields: ChangedFields | null): ChangedFields | null {
  if (fields === null) return null
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !ofOperator.includes(name)))
}

function shown(row: ActRow) {
  const { actId, actedAt, operation, subject, actor, keyId, keyName, userId, userName, before, after, requestId } = row
  return {
    actId,
    at: actedAt.toISOString(),
    operation,
    subject,
    actor,
    keyId,
    keyName,
    ...(userId === null || userName === null ? {} : { userId, userName }),
    before: forTenant(before),
    after: forTenant(after),
    requestId,
  }
}

type AuditQuery = QueryOf<typeof accessOperations.listAudit>

const instantOf = (text: string | undefined) => (text === undefined ? null : new Date(text))

/** The acts upon an instance, as its own keys may read them. */
export async function listAudit(tenant: TenantDatabase, query: AuditQuery) {
  const limit = countOf(query.limit, bounds)
  const [cursor = null] = readCursor(query.cursor, cursorForm) ?? []
  const { instanceId } = tenant
  const { operation = null, keyId = null } = query
  const times = { from: instantOf(query.from), to: instantOf(query.to) }
  const wanted: ActsWanted = { instanceId, operation, keyId, ...times, cursor, limit: limit + 1 }
  // An id of another form is no key's.
  const rows = keyId !== null && !isUuid(keyId) ? [] : await tenant.read((sql) => listActs(sql, wanted))
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit
  return { acts: page.map(shown), hasMore, limit, nextCursor: hasMore && last ? asCursor([last.actId]) : null }
}

/** All that the log holds of an instance, or of everything, for the operator: newest first. */
export const listAllActs = (database: Database, wanted: Pick<ActsWanted, 'instanceId' | 'limit'>): Promise<ActRow[]> =>
  database.as('tally_operator', async (sql) => [
    ...(await listActs(sql, { ...wanted, operation: null, keyId: null, from: null, to: null, cursor: null })),
  ])
