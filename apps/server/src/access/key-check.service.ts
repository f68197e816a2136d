import { AppError } from '../platform/app-error.ts'
import type { Database } from '../platform/db/database.ts'
import type { AnyCaller, Caller, KeyCheck, RegisterCaller } from '../platform/http/caller.ts'
import { type PresentedKey, parseApiKey, sealingKeyOf, secretMatches } from './api-key.rules.ts'
import { type FoundKey, findKey, findKeyOfGoneInstance, findRegisterKey } from './keys.store.ts'

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
  const cache = new Map<string, { secretSha256: Uint8Array; caller: AnyCaller }>()

  async function ask(presented: PresentedKey): Promise<{ secretSha256: Uint8Array; caller: () => AnyCaller } | null> {
    if (presented.kind === 'register') {
      const found = await findRegisterKey(database, presented.ref)
      return found ? { secretSha256: found.secretSha256, caller: () => asRegisterCaller(found.keyId) } : null
    }
    const found = await findKey(database, presented.ref)
    if (!found) return null
    return { secretSha256: found.secretSha256, caller: () => asCaller(found, sealingKeyOf(presented.secret)) }
  }

  return {
    async identify(text) {
      if (text === undefined || text === '') throw new AppError('AUTH_REQUIRED')
      const presented = parseApiKey(text)
      if (!presented) throw new AppError('AUTH_FAILED')
      const name = cacheName(presented)
      const cached = cache.get(name)
      if (cached && secretMatches(presented.secret, cached.secretSha256)) return cached.caller
      const found = await ask(presented)
      if (!found || !secretMatches(presented.secret, found.secretSha256)) throw new AppError('AUTH_FAILED')
      const caller = found.caller()
      if (cache.size >= CACHE_SIZE) for (const oldest of cache.keys()) if (cache.delete(oldest)) break
      cache.set(name, { secretSha256: found.secretSha256, caller })
      return caller
    },
    async isOfGoneInstance(text) {
      const presented = text === undefined ? null : parseApiKey(text)
      if (presented?.kind !== 'instance') return false
      const found = await findKeyOfGoneInstance(database, presented.ref)
      return found !== undefined && secretMatches(presented.secret, found.secretSha256)
    },
    isKnown(text) {
      const presented = text === undefined ? null : parseApiKey(text)
      const cached = presented ? cache.get(cacheName(presented)) : undefined
      return cached !== undefined && presented !== null && secretMatches(presented.secret, cached.secretSha256)
    },
    forget(text) {
      const presented = text === undefined ? null : parseApiKey(text)
      if (presented) cache.delete(cacheName(presented))
    },
  }
}

/** A register key and an instance key may happen to share a ref. */
const cacheName = ({ kind, ref }: PresentedKey): string => `${kind} ${ref}`

const asRegisterCaller = (keyId: string): RegisterCaller => ({
  keyId,
  scopes: ['register:read'],
  rateLimitPerMinute: null,
})
