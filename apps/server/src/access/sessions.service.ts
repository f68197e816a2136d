import type { QueryOf, Scope, sessionOperations, UserRole } from '@tallystick/wire'
import { getAddress, type Hex } from 'viem'
import { AppError, fieldError } from '../platform/app-error.ts'
import { requireAddress } from '../platform/chain/address.ts'
import type { Chains } from '../platform/chain/chains.ts'
import type { Clock } from '../platform/clock.ts'
import type { Administered } from '../platform/db/audit.ts'
import type { Database, Sql, TenantDatabase } from '../platform/db/database.ts'
import { type Caller, isOfInstance, type KeyCheck } from '../platform/http/caller.ts'
import { isUuid, newId } from '../platform/ids.ts'
import type { Random } from '../platform/random.ts'
import { csrfTokenOf, formatSession, hashOf, mintApiKey } from './api-key.rules.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { InstanceRow } from './instance.rules.ts'
import { readInstance } from './instances.store.ts'
import { findOwnKey } from './keys.store.ts'
import { type CameBack, createProviderSignIn } from './provider-sign-in.ts'
import {
  endOfLife,
  idleUntil,
  meantUser,
  SIGN_IN_TTL_MS,
  scopesOfRole,
  signInMessage,
  type UserRow,
} from './session.rules.ts'
import * as store from './sessions.store.ts'
import * as signIns from './sign-in.store.ts'
import { verifyWalletSignature } from './signature.reads.ts'
import { listUsers } from './users.store.ts'

export interface SessionTools {
  readonly clock: Clock
  readonly random: Random
  readonly chains: Chains
  readonly database: Database
  readonly keys: KeyCheck
  /** Where people can sign in as well; default: nowhere. */
  readonly identityProvider?: IdentityProvider | undefined
}

/** Where a sign-in comes from. */
export interface SignInPlace {
  readonly origin: URL
  readonly userAgent: string | undefined
  /** A session that came along, and ends with this one. */
  readonly session: string | undefined
}

interface SignInRequest {
  readonly address?: string
  readonly nonce?: string
  readonly signature?: string
  readonly instanceId?: string
  readonly apiKey?: string
  readonly oidc?: CameBack
}

/** Who a session is for, and what it may do. */
interface Holder {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly rateLimitPerMinute: number | null
  readonly user: UserRow | null
  readonly parentKeyId: string | null
  readonly keyExpiresAt: Date | null
}

const holderOfUser = (user: UserRow): Holder => ({
  name: user.name,
  scopes: scopesOfRole(user.role),
  rateLimitPerMinute: null,
  user,
  parentKeyId: null,
  keyExpiresAt: null,
})

export const shownUser = ({ userId, address, email, name, role, createdAt }: UserRow) => ({
  userId,
  address,
  email,
  name,
  role,
  createdAt: createdAt.toISOString(),
})

interface ShownSession {
  readonly sessionId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly user: UserRow | null
  readonly parentKeyId: string | null
  readonly csrfToken: string
  readonly createdAt: Date
  readonly idleUntil: Date
  readonly endsAt: Date
}

const kindOf = (user: unknown): 'user' | 'key' => (user === null ? 'key' : 'user')

function shownSession(session: ShownSession, instance: InstanceRow) {
  const { user, parentKeyId } = session
  return {
    sessionId: session.sessionId,
    kind: kindOf(user),
    name: session.name,
    role: user?.role ?? null,
    keyId: parentKeyId,
    createdAt: session.createdAt.toISOString(),
    idleUntil: session.idleUntil.toISOString(),
    expiresAt: session.endsAt.toISOString(),
    csrfToken: session.csrfToken,
    user: user ? shownUser(user) : null,
    scopes: [...session.scopes],
    instance: {
      instanceId: instance.instanceId,
      name: instance.name,
      chainId: Number(instance.chainId),
      environment: instance.environment,
      services: instance.services,
      lenderApproved: instance.lenderApproved,
    },
  }
}

const LONGEST_USER_AGENT = 300

function required<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw fieldError('VALIDATION_ERROR', [{ field, message: 'is required' }])
  return value
}

export function createSessionsService({ clock, random, chains, database, keys, identityProvider }: SessionTools) {
  const asOperator = <T>(work: (sql: Sql) => Promise<T>) => database.as('tally_operator', work)
  const provider = createProviderSignIn({ clock, random, provider: identityProvider, asOperator })

  /** Begins a session inside a transaction; its secret exists only in what this answers. */
  async function begin(sql: Sql, instanceId: string, holder: Holder, userAgent: string | undefined) {
    const [instance] = await readInstance(sql, instanceId)
    if (!instance) throw new AppError('AUTH_FAILED')
    const minted = mintApiKey('session', random)
    const createdAt = clock.now()
    const endsAt = endOfLife(createdAt, holder.keyExpiresAt)
    const session = {
      instanceId,
      sessionId: newId(clock, random),
      ref: minted.ref,
      secretSha256: hashOf(minted),
      name: holder.name,
      scopes: holder.scopes,
      rateLimitPerMinute: holder.rateLimitPerMinute,
      userId: holder.user?.userId ?? null,
      parentKeyId: holder.parentKeyId,
      userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
      createdAt,
      idleUntil: idleUntil(createdAt, endsAt),
      endsAt,
    }
    await store.insertSession(sql, session)
    const shown = { ...session, user: holder.user, csrfToken: csrfTokenOf(minted.secret) }
    return { data: shownSession(shown, instance), session: formatSession(minted) }
  }

  /** Whoever planted a session in a browser has nothing of it once somebody signs in there. */
  async function endPlanted(text: string | undefined): Promise<void> {
    if (text === undefined) return
    const caller = await keys.identify({ as: 'session', text }).catch((error: unknown) => {
      if (error instanceof AppError) return undefined
      throw error
    })
    if (!caller || !isOfInstance(caller)) return
    const { instanceId } = caller.instance
    await database
      .tenant(caller.grant)
      .transaction((sql) => store.endSessions(sql, instanceId, { sessionId: caller.keyId }, clock.now()))
  }

  async function withKey(apiKey: string, { userAgent }: SignInPlace) {
    const caller = await keys.identify({ as: 'key', text: apiKey || '-' })
    if (!isOfInstance(caller)) throw new AppError('AUTH_FAILED')
    // Without it a page could not even ask who it is.
    const requiredScope = 'access:read'
    if (!caller.scopes.includes(requiredScope)) throw new AppError('SCOPE_MISSING', { extra: { requiredScope } })
    const { instanceId } = caller.instance
    return database.tenant(caller.grant).transaction(async (sql) => {
      const key = await findOwnKey(sql, instanceId, caller.keyId)
      if (!key) throw new AppError('AUTH_FAILED')
      const { name, scopes, rateLimitPerMinute, expiresAt } = key
      const holder = { name, scopes, rateLimitPerMinute, user: null, parentKeyId: key.keyId, keyExpiresAt: expiresAt }
      return begin(sql, instanceId, holder, userAgent)
    })
  }

  /** The signature is checked before the transaction that uses the challenge up, so a wrong one does not burn it. */
  async function withWallet(request: SignInRequest, { origin, userAgent }: SignInPlace) {
    const address = requireAddress(required(request.address, 'address'))
    const nonce = required(request.nonce, 'nonce')
    const signature = required(request.signature, 'signature') as Hex
    const wanted = { nonce, address, domain: origin.host }
    const challenge = await asOperator((sql) => signIns.readChallenge(sql, wanted, clock.now()))
    if (!challenge) throw new AppError('NONCE_INVALID')
    const chain = chains.get(challenge.chainId)
    if (!(await verifyWalletSignature(chain, address, challenge.message, signature)))
      throw new AppError('SIGNATURE_INVALID')
    return asOperator(async (sql) => {
      const users = await signIns.listUsersOfWallet(sql, address, challenge.chainId)
      const { user, instances } = meantUser(users, request.instanceId)
      if (instances.length > 0) throw new AppError('INSTANCE_CHOICE_REQUIRED', { extra: { instances } })
      if (!user) throw new AppError('USER_UNKNOWN')
      if (!(await signIns.useChallenge(sql, nonce))) throw new AppError('NONCE_INVALID')
      return begin(sql, user.instanceId, holderOfUser(user), userAgent)
    })
  }

  const withProvider = (came: CameBack, instanceId: string | undefined, { origin, userAgent }: SignInPlace) =>
    provider.finish(came, { origin, instanceId }, (sql, user) =>
      begin(sql, user.instanceId, holderOfUser(user), userAgent),
    )

  return {
    beginAtProvider: provider.begin,

    async challenge(request: { address: string; chainId?: number }, origin: URL) {
      const address = requireAddress(request.address)
      const chainId = request.chainId ?? chains.all[0]?.chainId
      if (chainId === undefined || !chains.all.some((chain) => chain.chainId === chainId))
        throw fieldError('VALIDATION_ERROR', [{ field: 'chainId', message: 'is no chain of this deployment' }])
      const issuedAt = clock.now()
      const expiresAt = new Date(issuedAt.getTime() + SIGN_IN_TTL_MS)
      const nonce = random(16).toString('hex')
      const domain = origin.host
      const message = signInMessage({
        domain,
        uri: origin.origin,
        address: getAddress(address),
        chainId,
        nonce,
        issuedAt,
        expiresAt,
      })
      await asOperator((sql) => signIns.insertChallenge(sql, { nonce, address, chainId, domain, message, expiresAt }))
      return { address, nonce, message, expiresAt: expiresAt.toISOString() }
    },

    async signIn(request: SignInRequest, place: SignInPlace) {
      const { apiKey, oidc, instanceId, ...ofWallet } = request
      if (apiKey !== undefined && Object.keys(request).length > 1)
        throw fieldError('VALIDATION_ERROR', [{ field: 'apiKey', message: 'comes alone' }])
      if (oidc !== undefined && Object.keys(ofWallet).length > 0)
        throw fieldError('VALIDATION_ERROR', [{ field: 'oidc', message: 'comes without a wallet' }])
      const begun = await (apiKey !== undefined
        ? withKey(apiKey, place)
        : oidc !== undefined
          ? withProvider(oidc, instanceId, place)
          : withWallet(request, place))
      await endPlanted(place.session)
      return begun
    },

    /** Without a proof: for who is known to everybody, on a chain where nothing is worth anything. */
    async signInAs({ instanceId, address }: { instanceId: string; address: string }, place: SignInPlace) {
      const begun = await asOperator(async (sql) => {
        const user = (await listUsers(sql, instanceId)).find((one) => one.address === address)
        if (!user) throw new AppError('USER_UNKNOWN')
        return begin(sql, instanceId, holderOfUser(user), place.userAgent)
      })
      await endPlanted(place.session)
      return begun
    },

    async current(tenant: TenantDatabase, caller: Caller) {
      const { session } = caller
      const [row] = await tenant.read((sql) => store.readOpenSession(sql, tenant.instanceId, caller.keyId))
      if (!session || !row) throw new AppError('SESSION_NOT_FOUND')
      const { keyId: sessionId, keyName: name, scopes } = caller
      const { idleUntil: until, ...instance } = row
      return shownSession({ ...session, sessionId, name, scopes, idleUntil: until }, instance)
    },

    async signOut(tenant: TenantDatabase, caller: Caller, query: QueryOf<typeof sessionOperations.signOut>) {
      const { session, keyId: sessionId } = caller
      const { user, parentKeyId } = session ?? {}
      const all = user ? { userId: user.userId } : parentKeyId ? { parentKeyId } : { sessionId }
      const wanted = query.everywhere === 'true' ? all : { sessionId }
      const ended = await tenant.transaction((sql) => store.endSessions(sql, tenant.instanceId, wanted, clock.now()))
      if (ended.length === 0) throw new AppError('SESSION_NOT_FOUND')
      return { ended: ended.length }
    },

    async list(tenant: TenantDatabase, caller: Caller) {
      const rows = await tenant.read((sql) => store.listOpenSessions(sql, tenant.instanceId))
      return rows.map((row) => ({
        sessionId: row.sessionId,
        kind: kindOf(row.userId),
        name: row.keyName,
        role: row.role as UserRole | null,
        keyId: row.parentKeyId,
        userId: row.userId,
        current: row.sessionId === caller.keyId,
        createdAt: row.createdAt.toISOString(),
        seenAt: row.seenAt.toISOString(),
        idleUntil: row.idleUntil.toISOString(),
        expiresAt: row.endsAt.toISOString(),
        userAgent: row.userAgent,
      }))
    },

    async end(tenant: TenantDatabase, sessionId: string): Promise<Administered<{ ended: number }>> {
      const ended = isUuid(sessionId)
        ? await tenant.transaction((sql) => store.endSessions(sql, tenant.instanceId, { sessionId }, clock.now()))
        : []
      if (ended.length === 0) throw new AppError('SESSION_NOT_FOUND')
      return { data: { ended: 1 }, act: { subject: sessionId, before: { ended: 0 }, after: { ended: 1 } } }
    },

    async endAll(tenant: TenantDatabase, userId: string | undefined): Promise<Administered<{ ended: number }>> {
      const wanted = userId === undefined ? {} : { userId }
      const ended =
        userId !== undefined && !isUuid(userId)
          ? []
          : await tenant.transaction((sql) => store.endSessions(sql, tenant.instanceId, wanted, clock.now()))
      if (ended.length === 0) throw new AppError('SESSION_NOT_FOUND')
      const act = { subject: userId ?? tenant.instanceId, before: { ended: 0 }, after: { ended: ended.length } }
      return { data: { ended: ended.length }, act }
    },
  }
}

export type SessionsService = ReturnType<typeof createSessionsService>
