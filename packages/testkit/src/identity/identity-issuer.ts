import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** Somebody who has an account there. */
export interface Person {
  readonly subject: string
  readonly email: string
  readonly isVerified: boolean
}

/** How an issuer that cannot be trusted differs from an honest one. */
export interface Mood {
  /** Who is signed in at the issuer. */
  person: Person
  /** Instead of what would be true. */
  claims: JWTPayload
  /** With a key that its list of keys does not have. */
  isForged: boolean
  /** What it calls itself in the redirect. */
  callsItself: string | undefined
  /** Its token endpoint answers 503. */
  isBroken: boolean
}

export interface IdentityIssuer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly mood: Mood
  /** Codes that were exchanged for tokens. */
  readonly exchanged: string[]
  honest(): void
  stop(): Promise<void>
}

interface Grant {
  readonly nonce: string | null
  readonly challenge: string | null
  readonly redirectUri: string
  readonly person: Person
}

const LIFE_SECONDS = 300
const ANNA: Person = { subject: 'anna-7', email: 'Anna@Example.com', isVerified: true }

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** An issuer of OpenID Connect with keys of its own: authorization code, PKCE, client secret, codes that serve once. */
export async function startIdentityIssuer(): Promise<IdentityIssuer> {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const keyId = randomUUID()
  const jwk = { ...(await exportJWK(own.publicKey)), kid: keyId, alg: 'RS256', use: 'sig' }
  const [clientId, clientSecret] = ['tallystick', randomUUID()]
  const grants = new Map<string, Grant>()
  const exchanged: string[] = []
  const honest = (): Mood => ({
    person: ANNA,
    claims: {},
    isForged: false,
    callsItself: undefined,
    isBroken: false,
  })
  const mood = honest()
  let issuer = ''

  function authorize(url: URL, response: ServerResponse): unknown {
    const asked = url.searchParams
    const redirectUri = asked.get('redirect_uri') ?? ''
    if (asked.get('client_id') !== clientId || asked.get('response_type') !== 'code' || !URL.canParse(redirectUri))
      return answer(response, 400, { error: 'invalid_request' })
    const code = randomUUID()
    grants.set(code, {
      nonce: asked.get('nonce'),
      challenge: asked.get('code_challenge'),
      redirectUri,
      person: mood.person,
    })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', asked.get('state') ?? '')
    back.searchParams.set('iss', mood.callsItself ?? issuer)
    return response.writeHead(303, { location: back.href }).end()
  }

  async function idTokenOf({ nonce, person }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const { subject: sub, email, isVerified } = person
    const claims = { iss: issuer, aud: clientId, sub, iat: now, exp: now + LIFE_SECONDS, nonce, email }
    const key: CryptoKey = mood.isForged ? other.privateKey : own.privateKey
    return new SignJWT({ ...claims, email_verified: isVerified, ...mood.claims } as JWTPayload)
      .setProtectedHeader({ alg: 'RS256', kid: keyId })
      .sign(key)
  }

  /** RFC 6749, 2.3.1: both parts are encoded as in a form before they are joined. */
  function isClient(authorization = ''): boolean {
    const joined = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
    const [id = '', secret = ''] = joined.split(':').map(decodeURIComponent)
    return id === clientId && secret === clientSecret
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (mood.isBroken) return answer(response, 503, { error: 'temporarily_unavailable' })
    const asked = await bodyOf(request)
    if (!isClient(request.headers.authorization)) return answer(response, 401, { error: 'invalid_client' })
    const code = asked.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const shown = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || grant.challenge !== shown || grant.redirectUri !== asked.get('redirect_uri'))
      return answer(response, 400, { error: 'invalid_grant' })
    exchanged.push(code)
    const tokens = { access_token: randomUUID(), token_type: 'Bearer', expires_in: LIFE_SECONDS }
    return answer(response, 200, { ...tokens, id_token: await idTokenOf(grant) })
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/authorize') return void authorize(url, response)
    if (url.pathname === '/token') return void exchange(request, response)
    if (url.pathname === '/keys') return answer(response, 200, { keys: [jwk] })
    if (url.pathname !== '/.well-known/openid-configuration') return answer(response, 404, {})
    return answer(response, 200, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    clientId,
    clientSecret,
    mood,
    exchanged,
    honest: () => Object.assign(mood, honest()),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
