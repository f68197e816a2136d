import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import { type Database, StaleGrantError } from '../platform/db/database.ts'
import type { AnyCaller, Caller, KeyCheck, Presented, RegisterCaller } from '../platform/http/caller.ts'
import {
  csrfTokenOf,
  hashOf,
  hashTicket,
  type PresentedKey,
  parseApiKey,
  parseSession,
  presentedMatches,
  sealingKeyOf,
} from './api-key.rules.ts'
import { type FoundKey, findKey, findKeyOfGoneInstance, findRegisterKey } from './keys.store.ts'
import { idleUntil, isWorthNoting } from './session.rules.ts'
import { asSessionRow, findSession, noteUse } from './sessions.store.ts'
import { useTicket } from './tickets.store.ts'

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

interface Known {
  readonly name: string
  readonly secretSha256: Uint8Array
  readonly caller: AnyCaller
  /** When a session was last noted to be in use. */
  notedAt: number
}

const parse = (presented: Presented | undefined): PresentedKey | null => {
  if (presented === undefined) return null
  if (presented.as === 'holder') return null
  return presented.as === 'session' ? parseSession(presented.text) : parseApiKey(presented.text)
}

/**
 * Identifies callers. Keys are cached without a lifetime, which is safe: the cache only answers who the caller claims to be, and
 * every transaction proves in the database that the cached copy is still true, so a revocation counts at once on all replicas.
 */
export function createKeyCheck(database: Database, clock: Clock): KeyCheck {
  const cache = new Map<string, Known>()
  /**
   * The key that a connection showed last. Most clients show the same one with every request, and to hash it is most of what it takes to know
   * it. Its text is kept no longer than its connection, by which it comes again and again anyway.
   */
  const shownLast = new WeakMap<object, { readonly text: string; readonly known: Known }>()

  /** What is cached of a key that its connection has proven before. */
  function provenBefore({ as, text, connection }: Presented): Known | undefined {
    const last = as === 'key' && connection ? shownLast.get(connection) : undefined
    return last?.text === text && cache.get(last.known.name) === last.known ? last.known : undefined
  }

  function keepProven({ as, text, connection }: Presented, known: Known): void {
    if (as === 'key' && connection) shownLast.set(connection, { text, known })
  }

  /** Who signed in is a row of the instance, which the session opens. */
  async function asSession(caller: Caller, secret: string): Promise<Caller> {
    const [row] = await database.tenant(caller.grant).read((sql) => findSession(sql, caller.keyId))
    if (!row) throw new AppError('AUTH_FAILED')
    return { ...caller, session: { csrfToken: csrfTokenOf(secret), ...asSessionRow(row) } }
  }

  /** Who made a ticket, as it is now. Its secret is not at hand, and a stream needs nothing that is made of one. */
  async function holderOf(ref: string): Promise<Caller | null> {
    const found = await findKey(database, ref)
    if (!found) return null
    const caller = asCaller(found, NO_SEAL)
    const [row] = await database.tenant(caller.grant).read((sql) => findSession(sql, caller.keyId))
    return row ? { ...caller, session: { csrfToken: '', ...asSessionRow(row) } } : caller
  }

  const orGone = (error: unknown) => {
    // It ended between the look-up and the look at who it is.
    if (error instanceof StaleGrantError) return null
    throw error
  }

  async function ask(presented: PresentedKey): Promise<AnyCaller | null> {
    if (presented.kind === 'register') {
      const found = await findRegisterKey(database, presented.ref)
      return found && presentedMatches(presented, found.secretSha256) ? asRegisterCaller(found.keyId) : null
    }
    const found = await findKey(database, presented.ref)
    if (!found || !presentedMatches(presented, found.secretSha256)) return null
    const caller = asCaller(found, sealingKeyOf(presented.secret))
    return presented.kind === 'session' ? asSession(caller, presented.secret) : caller
  }

  /** Moves the end of an idle session. Not with every request: a minute more or less does not matter, a write would. */
  async function note(known: Known): Promise<void> {
    const { caller } = known
    if (!('session' in caller) || !caller.session) return
    const now = clock.now()
    if (!isWorthNoting(known.notedAt, now)) return
    known.notedAt = now.getTime()
    const until = idleUntil(now, caller.session.endsAt)
    await database.tenant(caller.grant).transaction((sql) => noteUse(sql, caller.keyId, now, until))
  }

  return {
    async identify(shown) {
      if (shown === undefined || shown.text === '') throw new AppError('AUTH_REQUIRED')
      const proven = provenBefore(shown)
      if (proven) return proven.caller
      if (shown.as === 'holder') {
        const holder = await holderOf(shown.text).catch(orGone)
        if (!holder) throw new AppError('AUTH_FAILED')
        return holder
      }
      const presented = parse(shown)
      if (!presented) throw new AppError('AUTH_FAILED')
      const name = cacheName(presented)
      const cached = cache.get(name)
      if (cached && presentedMatches(presented, cached.secretSha256)) {
        try {
          if ('session' in cached.caller) await note(cached)
          keepProven(shown, cached)
          return cached.caller
        } catch (error) {
          // Over, or with other rights than before: looked up again below.
          if (!(error instanceof StaleGrantError)) throw error
        }
      }
      const caller = await ask(presented).catch(orGone)
      if (!caller) throw new AppError('AUTH_FAILED')
      if (cache.size >= CACHE_SIZE) for (const oldest of cache.keys()) if (cache.delete(oldest)) break
      const known = { name, secretSha256: hashOf(presented), caller, notedAt: cached?.notedAt ?? 0 }
      cache.set(name, known)
      keepProven(shown, known)
      await note(known)
      return caller
    },
    async isOfGoneInstance(shown) {
      const presented = parse(shown)
      if (presented?.kind !== 'instance') return false
      const found = await findKeyOfGoneInstance(database, presented.ref)
      return found !== undefined && presentedMatches(presented, found.secretSha256)
    },
    isKnown(shown) {
      if (shown && provenBefore(shown)) return true
      const presented = parse(shown)
      const cached = presented ? cache.get(cacheName(presented)) : undefined
      return cached !== undefined && presented !== null && presentedMatches(presented, cached.secretSha256)
    },
    async redeem(ticket, path) {
      const used = { ticketSha256: hashTicket(ticket), path, now: clock.now() }
      const text = await database.as('tally_operator', (sql) => useTicket(sql, used))
      return text === undefined ? undefined : { as: 'holder', text }
    },
    forget(shown) {
      const presented = parse(shown)
      if (presented) cache.delete(cacheName(presented))
    },
  }
}

const NO_SEAL = Buffer.alloc(0)

/** Keys of two kinds may happen to share a ref. */
const cacheName = ({ kind, ref }: PresentedKey): string => `${kind} ${ref}`

const asRegisterCaller = (keyId: string): RegisterCaller => ({
  keyId,
  scopes: ['register:read'],
  rateLimitPerMinute: null,
})
