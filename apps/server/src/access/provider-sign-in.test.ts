import { type IdentityIssuer, type Person, startIdentityIssuer } from '@tallystick/testkit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { browserOf, challenged, SESSION, SIGN_IN, signInWithKey, USERS } from '../../test/browser.ts'
import { must } from '../../test/signing.ts'
import { createWorld, type TestAnswer, type TestInstance, type World } from '../../test/world.ts'
import { createIdentityProvider } from './index.ts'

const BEGIN = `${SIGN_IN}/oidc`
const refusal = ({ status, body }: TestAnswer) => [status, body.error?.code]
const person = (name: string): Person => ({ subject: `${name}-1`, email: `${name}@example.com`, isVerified: true })

describe('signing in at an identity provider', () => {
  let issuer: IdentityIssuer
  let world: World

  beforeAll(async () => {
    issuer = await startIdentityIssuer()
    const { clientId, clientSecret } = issuer
    const settings = { issuer: issuer.issuer, clientId, clientSecret }
    world = await createWorld({ identityProvider: createIdentityProvider(settings) })
  })
  afterEach(() => issuer.honest())
  afterAll(async () => {
    await world.close()
    await issuer.stop()
  })

  const invite = async (instance: TestInstance, email: string, role = 'operator') =>
    must(await instance.call('POST', USERS, { body: { email, name: email.split('@')[0], role } })).body.data

  /** To the issuer and back, as a browser goes: what a page signs in with. */
  async function round(who: Person, headers: Record<string, string> = {}) {
    issuer.mood.person = who
    const { data } = must(await world.call('POST', BEGIN, { body: {}, headers })).body
    const away = await fetch(data.authorizationUrl, { redirect: 'manual' })
    const back = new URL(away.headers.get('location') ?? '')
    const { code = '', state = '', iss = '' } = Object.fromEntries(back.searchParams)
    return { back, oidc: { flow: data.flow as string, code, state, iss } }
  }
  const signIn = (body: object, headers: Record<string, string> = {}) => world.call('POST', SIGN_IN, { body, headers })

  it('is refused where the deployment has none', async () => {
    const without = await createWorld()
    expect(refusal(await without.call('POST', BEGIN))).toEqual([404, 'IDENTITY_PROVIDER_NOT_CONFIGURED'])
    const invented = { oidc: { flow: 'x', state: 'x', code: 'x' } }
    expect(refusal(await without.call('POST', SIGN_IN, { body: invented }))).toEqual([
      404,
      'IDENTITY_PROVIDER_NOT_CONFIGURED',
    ])
    await without.close()
  })

  it('begins the session of whoever was invited, with the role of the invitation', async () => {
    const instance = await world.createInstance({ name: 'Acme' })
    const user = await invite(instance, 'Olga@Example.com')
    expect(user).toMatchObject({ address: null, email: 'olga@example.com', role: 'operator' })
    const { back, oidc } = await round(person('olga'))
    expect(back.pathname).toBe('/sign-in/oidc')
    const before = await signInWithKey(world, instance)
    const browser = browserOf(world, await signIn({ oidc }, { cookie: before.cookie }))
    expect(browser.answer.body.data).toMatchObject({
      kind: 'user',
      name: 'Olga',
      role: 'operator',
      user: { userId: user.userId, address: null, email: 'olga@example.com' },
      instance: { instanceId: instance.instanceId, name: 'Acme' },
    })
    expect(browser.answer.headers['set-cookie']).toMatch(/HttpOnly; SameSite=Strict$/)
    expect((await browser.call('GET', SESSION)).body.data.user.userId).toBe(user.userId)
    expect(refusal(await before.call('GET', SESSION))).toEqual([401, 'AUTH_FAILED'])
    // A role that is taken away counts at once, as for everybody.
    must(await instance.call('PATCH', `${USERS}/${user.userId}`, { body: { role: 'viewer' } }))
    expect((await browser.call('GET', SESSION)).body.data.role).toBe('viewer')
    must(await instance.call('DELETE', `${USERS}/${user.userId}`))
    expect(refusal(await browser.call('GET', SESSION))).toEqual([401, 'AUTH_FAILED'])
  })

  it('knows people by their subject from the first time on, whoever has their address later', async () => {
    const instance = await world.createInstance()
    await invite(instance, 'paul@example.com')
    const signed = await signIn({ oidc: (await round(person('paul'))).oidc })
    const { userId } = must(signed).body.data.user
    const renamed = { ...person('paul'), email: 'paul.new@example.com', isVerified: false }
    expect(must(await signIn({ oidc: (await round(renamed)).oidc })).body.data.user.userId).toBe(userId)
    const successor = { ...person('paul'), subject: 'another' }
    expect(refusal(await signIn({ oidc: (await round(successor)).oidc }))).toEqual([403, 'USER_UNKNOWN'])
  })

  it('lets nobody in who was not invited, or whose address nobody verified', async () => {
    const instance = await world.createInstance()
    await invite(instance, 'rosa@example.com')
    expect(refusal(await signIn({ oidc: (await round(person('nobody'))).oidc }))).toEqual([403, 'USER_UNKNOWN'])
    const claimed = { ...person('rosa'), isVerified: false }
    expect(refusal(await signIn({ oidc: (await round(claimed)).oidc }))).toEqual([403, 'USER_UNKNOWN'])
    issuer.mood.claims = { email_verified: 'true' }
    expect(refusal(await signIn({ oidc: (await round(claimed)).oidc }))).toEqual([403, 'USER_UNKNOWN'])
  })

  it('asks which instance is meant, and uses the code once', async () => {
    const [one, two] = [await world.createInstance({ name: 'One' }), await world.createInstance({ name: 'Two' })]
    for (const instance of [one, two]) await invite(instance, 'sven@example.com')
    const { oidc } = await round(person('sven'))
    const choice = await signIn({ oidc })
    expect(refusal(choice)).toEqual([409, 'INSTANCE_CHOICE_REQUIRED'])
    expect(choice.body.error.instances).toEqual([
      { instanceId: one.instanceId, name: 'One' },
      { instanceId: two.instanceId, name: 'Two' },
    ])
    const uses = issuer.exchanged.filter((code) => code === oidc.code)
    const chosen = await signIn({ oidc, instanceId: two.instanceId })
    expect(must(chosen).body.data.instance.instanceId).toBe(two.instanceId)
    expect(uses).toEqual([oidc.code])
    expect(refusal(await signIn({ oidc, instanceId: one.instanceId }))).toEqual([400, 'NONCE_INVALID'])
    const elsewhere = await world.createInstance()
    const again = await round(person('sven'))
    expect(refusal(await signIn({ oidc: again.oidc, instanceId: elsewhere.instanceId }))).toEqual([403, 'USER_UNKNOWN'])
  })

  describe('refuses', () => {
    const uma = person('uma')
    beforeAll(async () => {
      await invite(await world.createInstance(), 'uma@example.com')
    })

    it.each([
      ['another nonce', { nonce: 'another' }],
      ['no nonce', { nonce: undefined }],
      ['another audience', { aud: 'somebody-else' }],
      ['an audience of several without saying for whom', { aud: ['tallystick', 'other'], azp: 'other' }],
      ['another issuer', { iss: 'https://evil.example' }],
      ['an end that is over', { exp: Math.floor(Date.now() / 1000) - 600 }],
      ['no end', { exp: undefined }],
      ['no subject', { sub: undefined }],
    ])('an ID token with %s', async (_what, claims) => {
      issuer.mood.claims = claims as Record<string, unknown>
      expect(refusal(await signIn({ oidc: (await round(uma)).oidc }))).toEqual([400, 'IDENTITY_REFUSED'])
      issuer.honest()
      expect((await signIn({ oidc: (await round(uma)).oidc })).status).toBe(200)
    })

    it('an ID token that the issuer did not sign', async () => {
      issuer.mood.isForged = true
      expect(refusal(await signIn({ oidc: (await round(uma)).oidc }))).toEqual([400, 'IDENTITY_REFUSED'])
    })

    it('an answer that says to be of another issuer, or of none', async () => {
      issuer.mood.callsItself = 'https://evil.example'
      expect(refusal(await signIn({ oidc: (await round(uma)).oidc }))).toEqual([400, 'IDENTITY_REFUSED'])
      issuer.honest()
      const { iss: _, ...oidc } = (await round(uma)).oidc
      expect(refusal(await signIn({ oidc }))).toEqual([400, 'IDENTITY_REFUSED'])
    })

    it('a code that was used, is of another flow, or invented', async () => {
      const { oidc } = await round(uma)
      expect((await signIn({ oidc })).status).toBe(200)
      expect(refusal(await signIn({ oidc }))).toEqual([400, 'NONCE_INVALID'])
      const [first, second] = [await round(uma), await round(uma)]
      const crossed = { ...first.oidc, code: second.oidc.code }
      expect(refusal(await signIn({ oidc: crossed }))).toEqual([400, 'IDENTITY_REFUSED'])
      const invented = { ...second.oidc, code: 'invented' }
      expect(refusal(await signIn({ oidc: invented }))).toEqual([400, 'IDENTITY_REFUSED'])
    })

    it('what comes to another browser, another site, or too late, and leaves it to the right one', async () => {
      const { oidc } = await round(uma)
      const other = await round(uma)
      const planted = { ...oidc, flow: other.oidc.flow }
      expect(refusal(await signIn({ oidc: planted }))).toEqual([400, 'NONCE_INVALID'])
      expect(refusal(await signIn({ oidc: { ...oidc, state: 'x' } }))).toEqual([400, 'NONCE_INVALID'])
      expect(refusal(await signIn({ oidc }, { host: 'localhost:1' }))).toEqual([400, 'NONCE_INVALID'])
      expect((await signIn({ oidc })).status).toBe(200)
      world.clock.advance(10 * 60_000)
      expect(refusal(await signIn({ oidc: other.oidc }))).toEqual([400, 'NONCE_INVALID'])
    })

    it('a session for two that come with one code at once', async () => {
      const { oidc } = await round(uma)
      const answers = await Promise.all([signIn({ oidc }), signIn({ oidc })])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    })

    it('to mix it with a wallet or a key', async () => {
      const { oidc } = await round(uma)
      const { message: _, ...proof } = await challenged(world, privateKeyToAccount(generatePrivateKey()))
      for (const body of [
        { ...proof, oidc },
        { apiKey: 'x', oidc },
      ])
        expect(refusal(await signIn(body))).toEqual([400, 'VALIDATION_ERROR'])
      expect((await signIn({ oidc })).status).toBe(200)
    })
  })

  it('says when the provider does not answer', async () => {
    const { oidc } = await round(person('uma'))
    issuer.mood.isBroken = true
    const broken = await signIn({ oidc })
    expect([...refusal(broken), broken.headers['retry-after']]).toEqual([503, 'IDENTITY_PROVIDER_UNAVAILABLE', '1'])
    issuer.honest()
    expect((await signIn({ oidc })).status).toBe(200)
    const gone = await startIdentityIssuer()
    await gone.stop()
    const { issuer: address, clientId, clientSecret } = gone
    const settings = { issuer: address, clientId, clientSecret }
    const away = await createWorld({ identityProvider: createIdentityProvider(settings) })
    const answer = await away.call('POST', BEGIN, { body: {} })
    expect([...refusal(answer), answer.headers['retry-after']]).toEqual([503, 'IDENTITY_PROVIDER_UNAVAILABLE', '1'])
    await away.close()
  })

  it('invites nobody twice, and nobody without a way in', async () => {
    const instance = await world.createInstance()
    await invite(instance, 'vera@example.com')
    const add = async (body: object) =>
      refusal(await instance.call('POST', USERS, { body: { ...body, role: 'viewer' } }))
    expect(await add({ name: 'V', email: 'VERA@example.com' })).toEqual([409, 'USER_ALREADY_EXISTS'])
    expect(await add({ name: 'V' })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await add({ name: 'V', email: 'vera' })).toEqual([400, 'VALIDATION_ERROR'])
    expect((await (await world.createInstance()).call('GET', USERS)).body.data.users).toEqual([])
  })
})
