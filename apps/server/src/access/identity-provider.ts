import * as oidc from 'openid-client'
import { AppError } from '../platform/app-error.ts'
import { LOOPBACK_HOST } from '../platform/loopback.ts'
import type { ProvenIdentity } from './session.rules.ts'

export interface IdentityProviderSettings {
  readonly issuer: string
  readonly clientId: string
  /** Undefined: a public client, which PKCE protects alone. */
  readonly clientSecret: string | undefined
}

export interface SentAway {
  readonly url: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

const SCOPE = 'openid email'
const PATIENCE_SECONDS = 10
const LOOPBACK = new RegExp(`^${LOOPBACK_HOST}$`)

/** What a provider that does not answer throws, or one that says itself that it cannot. */
function isAway(error: unknown): boolean {
  if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')) return true
  const { code, status, cause } = error as { code?: unknown; status?: unknown; cause?: unknown }
  if (code === 'OAUTH_TIMEOUT') return true
  if (cause instanceof Response) return cause.status >= 500
  return typeof status === 'number' && status >= 500
}

function refused(error: unknown): AppError {
  return new AppError(isAway(error) ? 'IDENTITY_PROVIDER_UNAVAILABLE' : 'IDENTITY_REFUSED', { cause: error })
}

/** One provider of OpenID Connect, with which people prove who they are: authorization code with PKCE, every ID token checked against the keys of the issuer. */
export function createIdentityProvider({ issuer, clientId, clientSecret }: IdentityProviderSettings) {
  let found: Promise<oidc.Configuration> | undefined

  async function discover(): Promise<oidc.Configuration> {
    const server = new URL(issuer)
    const insecure = server.protocol === 'http:' && LOOPBACK.test(server.hostname) ? [oidc.allowInsecureRequests] : []
    const authentication = clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret)
    return oidc.discovery(server, clientId, undefined, authentication, {
      timeout: PATIENCE_SECONDS,
      execute: [...insecure, oidc.enableNonRepudiationChecks],
    })
  }

  /** Asked for once; a provider that was away is asked again. */
  async function configuration(): Promise<oidc.Configuration> {
    found ??= discover()
    try {
      return await found
    } catch (error) {
      found = undefined
      throw new AppError('IDENTITY_PROVIDER_UNAVAILABLE', { cause: error })
    }
  }

  return {
    async sendAway(redirectUri: string): Promise<SentAway> {
      const config = await configuration()
      const [state, nonce, codeVerifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, state, nonce, codeVerifier }
    },

    /** What came back to `redirectUri`, held against what was sent away. */
    async prove(
      redirectUri: string,
      came: { readonly code: string; readonly state: string; readonly iss?: string },
      sent: Pick<SentAway, 'state' | 'nonce' | 'codeVerifier'>,
    ): Promise<ProvenIdentity> {
      const config = await configuration()
      const back = new URL(redirectUri)
      for (const [field, value] of Object.entries(came)) back.searchParams.set(field, value)
      const checks = { expectedState: sent.state, expectedNonce: sent.nonce, pkceCodeVerifier: sent.codeVerifier }
      const tokens = await oidc
        .authorizationCodeGrant(config, back, { ...checks, idTokenExpected: true })
        .catch((error: unknown) => {
          throw refused(error)
        })
      const claims = tokens.claims()
      if (!claims) throw new AppError('IDENTITY_REFUSED')
      const { iss, sub, email, email_verified: isVerified } = claims
      const isTrusted = isVerified === true && typeof email === 'string'
      return { issuer: iss, subject: sub, email: isTrusted ? email.toLowerCase() : null }
    },
  }
}

export type IdentityProvider = ReturnType<typeof createIdentityProvider>
