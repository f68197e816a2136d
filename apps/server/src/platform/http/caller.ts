import type { Scope, Service } from '@tallystick/wire'
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

/** A proven API key and what it opens. */
export interface Caller {
  readonly instance: Instance
  readonly keyId: string
  readonly keyName: string
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

/** Who stands at the door. The access feature answers; the platform only asks. */
export interface KeyCheck {
  /** Throws AUTH_REQUIRED or AUTH_FAILED. */
  identify(presentedKey: string | undefined): Promise<AnyCaller>
  /** Is it a good key but for its instance, which is archived? Only who holds the whole key is told. */
  isOfGoneInstance(presentedKey: string | undefined): Promise<boolean>
  /** Was the whole key proven before? It may be out of date; to ask costs nothing. */
  isKnown(presentedKey: string | undefined): boolean
  /** Forget a cached key that the database called stale. */
  forget(presentedKey: string | undefined): void
}
