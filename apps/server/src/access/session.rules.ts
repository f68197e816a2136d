import { type Scope, scopes, type UserRole } from '@tallystick/wire'

/** Who may sign in: with a wallet, at the identity provider, or both. */
export interface UserRow {
  readonly userId: string
  readonly address: string | null
  readonly email: string | null
  readonly name: string
  readonly role: UserRole
  readonly createdAt: Date
}

/** A user of one of the instances that somebody may sign in to. */
export interface UserOfInstance extends UserRow {
  readonly instanceId: string
  readonly instanceName: string
}

/** Who came back from an identity provider, by its word. */
export interface ProvenIdentity {
  readonly issuer: string
  readonly subject: string
  /** Lowercased; null: none that the provider has verified. */
  readonly email: string | null
}

/** The one that is meant, or the instances to choose from; neither, where nobody is known there. */
export function meantUser(users: readonly UserOfInstance[], instanceId: string | undefined) {
  const [user, ...others] = instanceId === undefined ? users : users.filter((one) => one.instanceId === instanceId)
  if (!user || others.length === 0) return { user, instances: [] }
  return {
    user: undefined,
    instances: [user, ...others].map((one) => ({ instanceId: one.instanceId, name: one.instanceName })),
  }
}

const MINUTE_MS = 60_000
/** How long a session that nobody uses stays open. */
const IDLE_MS = 60 * MINUTE_MS
/** How long one stays open at most. */
const LIFE_MS = 12 * 60 * MINUTE_MS

export const SIGN_IN_TTL_MS = 10 * MINUTE_MS
export const MAX_USERS = 100

const earlier = (one: Date, other: Date | null): Date => (other !== null && other < one ? other : one)

/** Never longer than the key that it was begun with. */
export const endOfLife = (now: Date, keyExpiresAt: Date | null): Date =>
  earlier(new Date(now.getTime() + LIFE_MS), keyExpiresAt)

export const idleUntil = (now: Date, endsAt: Date): Date => earlier(new Date(now.getTime() + IDLE_MS), endsAt)

/** Whether a use of a session is written down. */
export const isWorthNoting = (notedAt: number, now: Date): boolean => now.getTime() - notedAt >= MINUTE_MS

const reads = scopes.filter((scope) => scope.endsWith(':read'))
const works = scopes.filter((scope) => scope !== 'access:write')

const scopesOf: Readonly<Record<UserRole, readonly Scope[]>> = {
  viewer: reads,
  operator: works,
  approver: works,
  admin: scopes,
}

export const scopesOfRole = (role: UserRole): Scope[] => [...scopesOf[role]]

/** The text of EIP-4361 that a wallet signs, which wallets hold against the page that asks. */
export function signInMessage(challenge: {
  /** Host and port of the page. */
  readonly domain: string
  readonly uri: string
  /** With its checksum: wallets refuse another form. */
  readonly address: string
  readonly chainId: number
  readonly nonce: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}): string {
  return [
    `${challenge.domain} wants you to sign in with your Ethereum account:`,
    challenge.address,
    '',
    'Sign in to the Tallystick console. Signing moves no funds and grants no rights on chain.',
    '',
    `URI: ${challenge.uri}`,
    'Version: 1',
    `Chain ID: ${challenge.chainId}`,
    `Nonce: ${challenge.nonce}`,
    `Issued At: ${challenge.issuedAt.toISOString()}`,
    `Expiration Time: ${challenge.expiresAt.toISOString()}`,
  ].join('\n')
}
