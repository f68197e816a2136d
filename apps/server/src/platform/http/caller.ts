import type { Scope, Service, UserRole } from '@tallystick/wire'
import type { Grant } from '../db/database.ts'

/** The tenant behind a request. */
export interface Instance {
  readonly instanceId: string
  readonly name: string
  readonly chainId: number
  readonly environment: 'DEVELOPMENT' | 'PRODUCTION'
  readonly services: readonly Service[]
  readonly lenderApproved: boolean
  readonly createdAt: Date
}

export interface User {
  readonly userId: string
  /** Null: it signs in at the identity provider, and has no wallet of its own. */
  readonly address: string | null
  readonly email: string | null
  readonly name: string
  readonly role: UserRole
  readonly createdAt: Date
}

/** What makes a caller a browser that somebody signed in with. */
export interface Session {
  readonly csrfToken: string
  /** Who signed in; null: the holder of a key. */
  readonly user: User | null
  readonly parentKeyId: string | null
  readonly createdAt: Date
  readonly endsAt: Date
}

/** A proven API key and what it opens; or a session, which enters by the same way. */
export interface Caller {
  readonly instance: Instance
  /** Of the key, or of the session. */
  readonly keyId: string
  /** Of the key, or of who signed in. */
  readonly keyName: string
  readonly session?: Session
  readonly scopes: readonly Scope[]
  readonly rateLimitPerMinute: number | null
  readonly grant: Grant
  /** Derived from the caller's own secret, which is stored nowhere: only the same key opens what was sealed with it. */
  readonly sealingKey: Buffer
}

/** A proven register key: it reads what belongs to no instance, and nothing else. */
export interface RegisterCaller {
  readonly keyId: string
  readonly scopes: readonly Scope[]
  readonly rateLimitPerMinute: null
}

export type AnyCaller = Caller | RegisterCaller

export const isOfInstance = (caller: AnyCaller): caller is Caller => 'instance' in caller

/** Whose request it was, for the log: nobody's before the door knows. And where it can be followed. */
export function attributionOf({ caller, traceId }: { readonly caller?: AnyCaller; readonly traceId?: string }) {
  return {
    ...(caller && isOfInstance(caller) ? { instanceId: caller.instance.instanceId } : {}),
    ...(caller ? { keyId: caller.keyId } : {}),
    ...(traceId === undefined ? {} : { traceId }),
  }
}

/**
 * What a request shows: a key in its header, or else the cookie of a session. Neither is accepted in the place of the other. `holder`: the
 * public part of either, of whoever made the ticket that the request came with.
 */
export interface Presented {
  readonly as: 'key' | 'session' | 'holder'
  readonly text: string
  /** The connection that it came over, where it came over one of ours. */
  readonly connection?: object | undefined
}

/** Who stands at the door. The access feature answers; the platform only asks. */
export interface KeyCheck {
  /** Throws AUTH_REQUIRED or AUTH_FAILED. */
  identify(presented: Presented | undefined): Promise<AnyCaller>
  /** Is it a good key but for its instance, which is archived? Only who holds the whole key is told. */
  isOfGoneInstance(presented: Presented | undefined): Promise<boolean>
  /** Was the whole key proven before? It may be out of date; to ask costs nothing. */
  isKnown(presented: Presented | undefined): boolean
  /** Uses up a ticket for the stream under a path, and says whose it is. Undefined: it is none. */
  redeem(ticket: string, path: string): Promise<Presented | undefined>
  /** Forget a cached key that the database called stale. */
  forget(presented: Presented | undefined): void
}
