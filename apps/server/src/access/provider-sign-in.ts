import { createHash } from 'node:crypto'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { Sql } from '../platform/db/database.ts'
import type { Random } from '../platform/random.ts'
import type { IdentityProvider } from './identity-provider.ts'
import * as store from './provider-sign-in.store.ts'
import type { ProvenIdentity, UserOfInstance } from './session.rules.ts'
import { meantUser, SIGN_IN_TTL_MS } from './session.rules.ts'
import { bindUser, listUsersOfIdentity } from './sign-in.store.ts'

/** Where the provider sends people back to: a page of the console, which then signs in with what came along. */
const RETURN_PATH = '/sign-in/oidc'

export interface CameBack {
  /** What the browser kept that was sent away. */
  readonly flow: string
  readonly state: string
  readonly code: string
  readonly iss?: string
}

interface Tools {
  readonly clock: Clock
  readonly random: Random
  readonly provider: IdentityProvider | undefined
  readonly asOperator: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const returnTo = (origin: URL) => `${origin.origin}${RETURN_PATH}`

/** Sign-in at the provider of the deployment: away with a fresh state, nonce and verifier, and back in the same browser. */
export function createProviderSignIn({ clock, random, provider, asOperator }: Tools) {
  function required(): IdentityProvider {
    if (!provider) throw new AppError('IDENTITY_PROVIDER_NOT_CONFIGURED')
    return provider
  }

  /** What nobody was asked about can be tried again: whoever answers the code takes it once. */
  async function proven(flow: store.FlowRow, origin: URL, answer: Omit<CameBack, 'flow'>): Promise<ProvenIdentity> {
    if (flow.proven) return flow.proven
    const sent = { state: answer.state, nonce: flow.nonce, codeVerifier: flow.codeVerifier }
    try {
      return await required().prove(returnTo(origin), answer, sent)
    } catch (error) {
      if (error instanceof AppError && error.code === 'IDENTITY_PROVIDER_UNAVAILABLE')
        await asOperator((sql) => store.insertFlow(sql, flow))
      throw error
    }
  }

  return {
    async begin(origin: URL) {
      const { url, state, nonce, codeVerifier } = await required().sendAway(returnTo(origin))
      const flow = random(32).toString('hex')
      const expiresAt = new Date(clock.now().getTime() + SIGN_IN_TTL_MS)
      const row = { stateSha256: sha256(state), browserSha256: sha256(flow), domain: origin.host, nonce, codeVerifier }
      await asOperator((sql) => store.insertFlow(sql, { ...row, proven: null, expiresAt }))
      return { authorizationUrl: url, state, flow, expiresAt: expiresAt.toISOString() }
    },

    /** Begins the session of whoever came back, with `begin`, in the transaction that finds the user. */
    async finish<T>(
      came: CameBack,
      { origin, instanceId }: { origin: URL; instanceId: string | undefined },
      begin: (sql: Sql, user: UserOfInstance) => Promise<T>,
    ): Promise<T> {
      required()
      const { flow: secret, ...answer } = came
      const key = { stateSha256: sha256(came.state), browserSha256: sha256(secret), domain: origin.host }
      const flow = await asOperator((sql) => store.takeFlow(sql, key, clock.now()))
      if (!flow) throw new AppError('NONCE_INVALID')
      const identity = await proven(flow, origin, answer)
      const outcome = await asOperator(
        async (sql): Promise<{ begun: T } | { instances: ReturnType<typeof meantUser>['instances'] }> => {
          const { user, instances } = meantUser(await listUsersOfIdentity(sql, identity), instanceId)
          if (instances.length > 0) {
            // The code is used up, but who it is stays proven until an instance is chosen.
            await store.insertFlow(sql, { ...flow, proven: identity })
            return { instances }
          }
          if (!user) throw new AppError('USER_UNKNOWN')
          await bindUser(sql, user.userId, identity)
          return { begun: await begin(sql, user) }
        },
      )
      if ('begun' in outcome) return outcome.begun
      throw new AppError('INSTANCE_CHOICE_REQUIRED', { extra: outcome })
    },
  }
}
