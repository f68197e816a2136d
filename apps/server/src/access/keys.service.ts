import type { Scope } from '@tallystick/wire'
import { AppError, fieldError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import { type Administered, actBetween, type Fields } from '../platform/db/audit.ts'
import type { Sql, TenantDatabase } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import { isUuid, newId } from '../platform/ids.ts'
import type { Random } from '../platform/random.ts'
import {
  beyondBounds,
  formatApiKey,
  hashSecret,
  type KeyBounds,
  MAX_ACTIVE_KEYS,
  mintApiKey,
  ROTATION_OVERLAP_MS,
} from './api-key.rules.ts'
import * as store from './keys.store.ts'

/** A key as the interface shows it: a lapsed one says so. */
function asRecord(row: store.ApiKeyRow, now: Date) {
  const lapsed = row.status !== 'REVOKED' && row.expiresAt !== null && row.expiresAt <= now
  return {
    ...row,
    status: lapsed ? ('EXPIRED' as const) : row.status,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }
}

/** What the audit log tells of a key: all that can be said of it but its parts. */
function auditedKey(row: store.ApiKeyRow): Fields {
  const { name, scopes, status, rateLimitPerMinute, expiresAt } = row
  return { name, scopes, status, rateLimitPerMinute, expiresAt: expiresAt?.toISOString() ?? null }
}

type KeyRecord = ReturnType<typeof asRecord>
type IssuedKey = KeyRecord & { readonly apiKey: string }

export interface KeyRequest {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date | null
  readonly rateLimitPerMinute: number | null
}

export function refuseUnheld(held: readonly Scope[], wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !held.includes(scope))
  if (missing.length > 0) throw new AppError('SCOPE_NOT_HELD', { extra: { missing } })
}

/** Issues a key inside a transaction; the whole key exists only in what this answers. */
export async function issueKey(
  sql: Sql,
  instanceId: string,
  request: KeyRequest,
  { clock, random }: { clock: Clock; random: Random },
): Promise<Administered<IssuedKey>> {
  const now = clock.now()
  await store.lockKeys(sql, instanceId)
  if ((await store.countOpenKeys(sql, instanceId, now)) >= MAX_ACTIVE_KEYS) throw new AppError('KEY_LIMIT_REACHED')
  const minted = mintApiKey('instance', random)
  const row = await store.insertKey(sql, {
    instanceId,
    keyId: newId(clock, random),
    ref: minted.ref,
    secretSha256: hashSecret(minted.secret),
    name: request.name,
    scopes: [...request.scopes],
    status: 'ACTIVE',
    rateLimitPerMinute: request.rateLimitPerMinute,
    createdAt: now,
    expiresAt: request.expiresAt,
  })
  return {
    data: { ...asRecord(row, now), apiKey: formatApiKey(minted) },
    act: { subject: row.keyId, before: null, after: auditedKey(row) },
  }
}

/** A key that acts on keys. The operator of a deployment acts without one. */
interface Holder extends KeyBounds {
  readonly scopes: readonly Scope[]
}

/** As it is now: what the door remembers of a key holds neither its expiry nor the start of its rotation. */
async function holderOf(sql: Sql, instanceId: string, { keyId, scopes, session }: Caller): Promise<Holder> {
  // First, so that two keys that rotate one another wait in one line and not for each other.
  await store.lockKeys(sql, instanceId)
  // A user has no key of its own; what is made may outlive the session, as what an admin makes does.
  if (session?.user) return { scopes, rateLimitPerMinute: null, expiresAt: null }
  const row = await store.findOwnKey(sql, instanceId, session?.parentKeyId ?? keyId)
  if (!row) throw new AppError('AUTH_FAILED')
  return row
}

function refuseBeyond(holder: KeyBounds, wanted: KeyBounds): void {
  const details = beyondBounds(holder, wanted)
  if (details.length > 0) throw new AppError('KEY_BOUNDS_EXCEEDED', { extra: { details } })
}

/** The successor takes over name, scopes, limit and expiry; the old key lapses after the overlap and keeps its slot until then. */
export async function rotate(
  sql: Sql,
  instanceId: string,
  keyId: string,
  tools: { clock: Clock; random: Random },
  holder: Holder | null,
): Promise<Administered<IssuedKey>> {
  const old = isUuid(keyId) ? await store.findOwnKey(sql, instanceId, keyId) : undefined
  if (!old) throw new AppError('KEY_NOT_FOUND')
  if (holder) {
    refuseUnheld(holder.scopes, old.scopes)
    refuseBeyond(holder, old)
  }
  const now = tools.clock.now()
  const rotated = await store.startRotation(sql, instanceId, keyId, new Date(now.getTime() + ROTATION_OVERLAP_MS))
  if (!rotated || asRecord(old, now).status === 'EXPIRED') throw new AppError('KEY_NOT_ACTIVE')
  const { data } = await issueKey(sql, instanceId, old, tools)
  const successor = { ...auditedKey(rotated), successor: data.keyId }
  return { data, act: actBetween(old.keyId, auditedKey(old), successor) }
}

export async function revoke(
  sql: Sql,
  instanceId: string,
  keyId: string,
  clock: Clock,
  held: readonly Scope[] | null,
): Promise<Administered<KeyRecord>> {
  const known = isUuid(keyId) ? await store.findOwnKey(sql, instanceId, keyId) : undefined
  if (!known) throw new AppError('KEY_NOT_FOUND')
  if (held) refuseUnheld(held, known.scopes)
  const now = clock.now()
  const row = (await store.revokeKey(sql, instanceId, keyId, now)) ?? known
  return { data: asRecord(row, now), act: actBetween(known.keyId, auditedKey(known), auditedKey(row)) }
}

type NewKey = Pick<KeyRequest, 'name' | 'scopes'> & {
  readonly expiresAt?: string
  readonly rateLimitPerMinute?: number
}

export function createKeysService(tools: { clock: Clock; random: Random }) {
  return {
    async list(tenant: TenantDatabase) {
      const rows = await tenant.read((sql) => store.listKeys(sql, tenant.instanceId))
      return rows.map((row) => asRecord(row, tools.clock.now()))
    },

    async create(tenant: TenantDatabase, caller: Caller, request: NewKey) {
      refuseUnheld(caller.scopes, request.scopes)
      const asked = request.expiresAt === undefined ? null : new Date(request.expiresAt)
      if (asked && !(asked > tools.clock.now()))
        throw fieldError('VALIDATION_ERROR', [{ field: 'expiresAt', message: 'must lie in the future' }])
      return tenant.transaction(async (sql) => {
        const holder = await holderOf(sql, tenant.instanceId, caller)
        const bounds = {
          rateLimitPerMinute: request.rateLimitPerMinute ?? holder.rateLimitPerMinute,
          expiresAt: asked ?? holder.expiresAt,
        }
        refuseBeyond(holder, bounds)
        return issueKey(sql, tenant.instanceId, { ...request, ...bounds }, tools)
      })
    },

    rotate: (tenant: TenantDatabase, caller: Caller, keyId: string) =>
      tenant.transaction(async (sql) => {
        const holder = await holderOf(sql, tenant.instanceId, caller)
        return rotate(sql, tenant.instanceId, keyId, tools, holder)
      }),

    revoke: (tenant: TenantDatabase, caller: Caller, keyId: string) =>
      tenant.transaction((sql) => revoke(sql, tenant.instanceId, keyId, tools.clock, caller.scopes)),
  }
}
