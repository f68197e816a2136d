import { startIdentityIssuer, type TcpProxy, tcpProxy } from '@tallystick/testkit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createIdentityProvider } from '../src/access/index.ts'
import { type Browser, challenged, SIGN_IN, signInWithKey } from './browser.ts'
import { everyOpen, everyOperation, everyWrite, plausibleRequest } from './door-requests.ts'
import { connectSuperuser } from './superuser.ts'
import { createWorld, type TestAnswer, type World } from './world.ts'

const refusal = ({ status, body }: TestAnswer) => [status, body.error?.code]
const ADDRESS = privateKeyToAccount(generatePrivateKey()).address

/** Gets as far as the database. */
const bodies: Record<string, object> = {
  challengeSignIn: { address: ADDRESS },
  beginProviderSignIn: {},
  signIn: { address: ADDRESS, nonce: 'n', signature: '0x00' },
}

describe('the door of every operation for a session', () => {
  let world: World
  let browser: Browser
  beforeAll(async () => {
    world = await createWorld()
    browser = await signInWithKey(world, await world.createInstance())
  })
  afterAll(() => world.close())

  it.each(everyOperation)('%s opens to the console only', async (_id, operation) => {
    const { method, path, body } = plausibleRequest(operation)
    const foreign = await browser.call(method, path, { body, headers: { origin: 'https://evil.example' } })
    expect(refusal(foreign)).toEqual([403, 'ORIGIN_REFUSED'])
    expect(foreign.headers).not.toHaveProperty('set-cookie')
    expect(refusal(await browser.call(method, path, { body, headers: { cookie: 'tally_session=' } }))).toEqual([
      401,
      'AUTH_REQUIRED',
    ])
    const wrong = { cookie: `tally_session=00000000.${'0'.repeat(64)}` }
    expect(refusal(await browser.call(method, path, { body, headers: wrong }))).toEqual([401, 'AUTH_FAILED'])
  })

  it.each(everyWrite)('%s wants the token of the session', async (_id, operation) => {
    const { method, path, body } = plausibleRequest(operation)
    const answer = await browser.call(method, path, { body, headers: { 'x-csrf-token': 'nonsense' } })
    expect(refusal(answer)).toEqual([403, 'CSRF_TOKEN_INVALID'])
  })
})

describe('the door of every operation that asks for no key', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  it('is one of the three that begin a session', () => {
    expect(everyOpen.map(([id]) => id).sort()).toEqual(Object.keys(bodies).sort())
  })

  it.each(everyOpen)('%s serves the console only', async (id, { path }) => {
    const headers = { origin: 'https://evil.example' }
    expect(refusal(await world.call('POST', path, { body: bodies[id], headers }))).toEqual([403, 'ORIGIN_REFUSED'])
    const elsewhere = await world.call('POST', path, { body: bodies[id], headers: { host: 'evil.example' } })
    expect(refusal(elsewhere)).toEqual([403, 'ORIGIN_REFUSED'])
  })

  it.each(everyOpen)('%s takes a body of the right form, size and type, and no key material', async (id, { path }) => {
    const raw = (text: string, type = 'application/json') => world.call('POST', path, { raw: { text, type } })
    expect(refusal(await raw(`{}${' '.repeat(65_536)}`))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(refusal(await raw('a=b', 'application/x-www-form-urlencoded'))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(refusal(await raw('{'))).toEqual([400, 'VALIDATION_ERROR'])
    const secret = await world.call('POST', path, { body: { ...bodies[id], privateKey: '0x1' } })
    expect(refusal(secret)).toEqual([400, 'KEY_MATERIAL_REJECTED'])
    const unknown = await world.call('POST', `${path}?surprise=1`, { body: { ...bodies[id] } })
    expect(refusal(unknown)).toEqual([400, 'VALIDATION_ERROR'])
    expect(refusal(await world.call('POST', path, { body: { ...bodies[id], surprise: 1 } }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  })

  it.each(everyOpen)('%s counts who comes from one address', async (id, { path }) => {
    const own = await createWorld({ authFailuresPerMinute: 2 })
    own.clock.advance(60_000 - (own.clock.now().getTime() % 60_000))
    const ask = () => own.call('POST', path, { body: bodies[id] })
    const statuses = [await ask(), await ask()].map(({ status }) => status)
    expect(statuses).not.toContain(429)
    const answer = await ask()
    expect(refusal(answer)).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    await own.close()
  })

  it.each(everyOpen)('%s says when the house is full', async (id, { path }) => {
    const full = await createWorld({ admission: { inAll: 0, perInstance: 0 } })
    expect(refusal(await full.call('POST', path, { body: bodies[id] }))).toEqual([503, 'OVERLOADED'])
    await full.close()
  })

  it('says when the database cannot be reached, or refuses', async () => {
    let proxy: TcpProxy | undefined
    const issuer = await startIdentityIssuer()
    const own = await createWorld({
      identityProvider: createIdentityProvider(issuer),
      databaseUrl: async (url) => {
        proxy = await tcpProxy(url)
        return proxy.url
      },
    })
    const superuser = connectSuperuser(own.databaseUrl)
    const ask = async () =>
      Promise.all(everyOpen.map(async ([id, { path }]) => refusal(await own.call('POST', path, { body: bodies[id] }))))
    await superuser`revoke all on sign_in_challenges, sign_in_flows from tally_operator`
    expect(await ask()).toEqual(everyOpen.map(() => [500, 'INTERNAL_ERROR']))
    await proxy?.cut()
    expect(await ask()).toEqual(everyOpen.map(() => [503, 'SERVICE_UNAVAILABLE']))
    await proxy?.stop()
    await superuser.end()
    await own.close()
    await issuer.stop()
  })

  it('says that the chain cannot be read instead of calling a signature wrong', async () => {
    const proxy = await tcpProxy(inject('rpcUrl'))
    const own = await createWorld({ rpcUrls: [proxy.url], rpcTimeoutMs: 1_000 })
    const [account, other] = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key))
    if (!account || !other) throw new Error('no account')
    const { message, ...proof } = await challenged(own, account)
    await proxy.cut()
    const body = { ...proof, signature: await other.signMessage({ message }) }
    expect(refusal(await own.call('POST', SIGN_IN, { body }))).toEqual([503, 'PROVIDER_UNAVAILABLE'])
    await proxy.stop()
    await own.close()
  })
})
