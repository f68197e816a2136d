import { AppError } from '../platform/app-error.ts'
import type { Database } from '../platform/db/database.ts'
import type { Caller, KeyCheck } from '../platform/http/caller.ts'
import { type PresentedKey, parseApiKey, sealingKeyOf, secretMatches } from './api-key.rules.ts'
import { type FoundKey, findKey, findRegisterKey } from './keys.store.ts'

/** Enough for every key of a busy deployment; the oldest entries make room. */
const CACHE_SIZE = 10_000

function asCaller(found: FoundKey, sealingKey: Buffer): Caller {
  return {
    instance: {
      instanceId: found.instanceId,
      name: found.instanceName,
      chainId: Number(found.chainId),
      environment: found.environment,
      services: found.services,
      lenderApproved: found.lenderApproved,
      createdAt: found.instanceCreatedAt,
    },
    keyId: found.keyId,
    keyName: found.keyName,
    scopes: found.scopes,
    rateLimitPerMinute: found.rateLimitPerMinute,
    grant: {
      keyId: found.keyId,
      keyEpoch: found.keyEpoch,
      instanceId: found.instanceId,
      instanceEpoch: found.instanceEpoch,
    },
    sealingKey,
  }
}

/**
 * Identifies callers. Keys are cached without a lifetime, which is safe: the cache only answers who the caller claims to be, and
 * every transaction proves in the database that the cached copy is still true, so a revocation counts at once on all replicas.
 */
export function createKeyCheck(database: Database): KeyCheck {
  const cache = new Map<string, { found: FoundKey; caller: Caller }>()

  async function identifyInstance(presented: PresentedKey): Promise<Caller> {
    const cached = cache.get(presented.ref)
    if (cached && secretMatches(presented.secret, cached.found.secretSha256)) return cached.caller
    const found = await findKey(database, presented.ref)
    if (!found || !secretMatches(presented.secret, found.secretSha256)) throw new AppError('AUTH_FAILED')
    const caller = asCaller(found, sealingKeyOf(presented.secret))
    if (cache.size >= CACHE_SIZE) for (const oldest of cache.keys()) if (cache.delete(oldest)) break
    cache.set(presented.ref, { found, caller })
    return caller
  }

  async function refuseRegisterKey(presented: PresentedKey): Promise<never> {
    const found = await findRegisterKey(database, presented.ref)
    throw new AppError(
      found && secretMatches(presented.secret, found.secretSha256) ? 'INSTANCE_REQUIRED' : 'AUTH_FAILED',
    )
  }

  return {
    async identify(text) {
      if (text === undefined || text === '') throw new AppError('AUTH_REQUIRED')
      const presented = parseApiKey(text)
      if (!presented) throw new AppError('AUTH_FAILED')
      return presented.kind === 'register' ? refuseRegisterKey(presented) : identifyInstance(presented)
    },
    forget(text) {
      const presented = text === undefined ? null : parseApiKey(text)
      if (presented) cache.delete(presented.ref)
    },
  }
}
