import { scopes } from '@tallystick/wire'
import type { Sql } from 'postgres'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addUser,
  browserOf,
  challenged,
  cookieOf,
  SESSION,
  SIGN_IN,
  signInWithKey,
  signInWithWallet,
  USERS,
} from '../../test/browser.ts'
import { connectSuperuser } from '../../test/superuser.ts'
import { createWorld, type TestAnswer, type TestInstance, type World } from '../../test/world.ts'

const SESSIONS = '/access/api/sessions'
const INSTANCE = '/access/api/instance'
const KEYS = '/access/api/keys'
const newAccount = () => privateKeyToAccount(generatePrivateKey())
const refusal = ({ status, body }: TestAnswer) => [status, body.error?.code]

describe('sessions', () => {
  let world: World
  let superuser: Sql

  beforeAll(async () => {
    world = await createWorld()
    superuser = connectSuperuser(world.databaseUrl)
  })
  afterAll(async () => {
    await superuser.end()
    await world.close()
  })

  const withUser = async (role: string, name?: string) => {
    const instance = await world.createInstance()
    const account = newAccount()
    const userId = await addUser(instance, account, role, name)
    return { instance, account, userId }
  }
  const open = async (cookie: string, headers: Record<string, string> = {}) =>
    world.call('GET', INSTANCE, { headers: { cookie, ...headers } })

  describe('beginning with a key', () => {
    it('opens what the key opens, by a cookie that no script reads and no other site sends', async () => {
      const instance = await world.createInstance({ name: 'Acme' })
      const { answer, cookie, call } = await signInWithKey(world, instance)
      const { keyId } = (await instance.call('GET', INSTANCE)).body.data.key
      expect(answer.headers['set-cookie']).toMatch(
        /^tally_session=[0-9A-Za-z]{8}\.[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/,
      )
      expect(answer.body.data).toEqual({
        sessionId: expect.any(String),
        kind: 'key',
        name: 'default',
        role: null,
        keyId,
        user: null,
        scopes,
        csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/),
        instance: {
          instanceId: instance.instanceId,
          name: 'Acme',
          chainId: world.chain.chainId,
          environment: 'DEVELOPMENT',
          services: expect.any(Array),
          lenderApproved: false,
        },
        createdAt: expect.any(String),
        idleUntil: expect.any(String),
        expiresAt: expect.any(String),
      })
      const { createdAt, idleUntil, expiresAt } = answer.body.data
      expect(Date.parse(idleUntil) - Date.parse(createdAt)).toBe(60 * 60_000)
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(12 * 60 * 60_000)
      expect((await call('GET', INSTANCE)).body.data.instanceId).toBe(instance.instanceId)
      expect((await call('GET', SESSION)).body.data).toEqual({
        ...answer.body.data,
        idleUntil: expect.any(String),
      })
      expect(cookie).not.toContain(instance.apiKey.split('_')[2])
    })

    it('stores no secret, and keeps sessions apart from keys', async () => {
      const instance = await world.createInstance()
      const { cookie, sessionId } = await signInWithKey(world, instance)
      const [ref = '', secret = ''] = cookie.replace('tally_session=', '').split('.')
      const rows = await superuser`select row_to_json(k)::text as text from api_keys k where key_id = ${sessionId}`
      expect(rows).toHaveLength(1)
      expect(rows[0]?.text).not.toContain(secret)
      expect(refusal(await world.call('GET', INSTANCE, { key: `tally_${ref}_${secret}` }))).toEqual([
        401,
        'AUTH_FAILED',
      ])
      const [, keyRef, keySecret] = instance.apiKey.split('_')
      expect(refusal(await open(`tally_session=${keyRef}.${keySecret}`))).toEqual([401, 'AUTH_FAILED'])
      expect((await instance.call('GET', KEYS)).body.data).toHaveLength(1)
      expect(refusal(await instance.call('DELETE', `${KEYS}/${sessionId}`))).toEqual([404, 'KEY_NOT_FOUND'])
    })

    it('ends with the key, and never lives longer', async () => {
      const instance = await world.createInstance()
      const expiresAt = new Date(world.clock.now().getTime() + 60 * 60_000).toISOString()
      const made = await instance.call('POST', KEYS, { body: { name: 'n', scopes: ['access:read'], expiresAt } })
      const { apiKey, keyId } = made.body.data
      const browser = await signInWithKey(world, { apiKey })
      expect(browser.answer.body.data).toMatchObject({ scopes: ['access:read'], expiresAt })
      expect((await open(browser.cookie)).status).toBe(200)
      await instance.call('DELETE', `${KEYS}/${keyId}`)
      expect(refusal(await open(browser.cookie))).toEqual([401, 'AUTH_FAILED'])
    })

    it.each([
      ['of another form', 'nonsense'],
      ['nobody knows', `tally_00000000_${'0'.repeat(64)}`],
      ['empty', ''],
    ])('refuses a key %s', async (_what, apiKey) => {
      expect(refusal(await world.call('POST', SIGN_IN, { body: { apiKey } }))).toEqual([401, 'AUTH_FAILED'])
    })

    it('refuses the key of the register, and a key beside a wallet', async () => {
      const { apiKey } = await world.operator.createRegisterKey('register')
      expect(refusal(await world.call('POST', SIGN_IN, { body: { apiKey } }))).toEqual([401, 'AUTH_FAILED'])
      const both = await world.call('POST', SIGN_IN, { body: { apiKey, nonce: 'n' } })
      expect(refusal(both)).toEqual([400, 'VALIDATION_ERROR'])
      const key = await world.createKey(await world.createInstance(), ['lending:read'])
      const weak = await world.call('POST', SIGN_IN, { body: { apiKey: key } })
      expect(refusal(weak)).toEqual([403, 'SCOPE_MISSING'])
      expect(weak.body.error.requiredScope).toBe('access:read')
      for (const body of [{}, { address: newAccount().address }, { address: newAccount().address, nonce: 'n' }])
        expect(refusal(await world.call('POST', SIGN_IN, { body }))).toEqual([400, 'VALIDATION_ERROR'])
    })
  })

  describe('beginning with a wallet', () => {
    it('asks for a text of EIP-4361 that is bound to the site, the chain, a time and one use', async () => {
      const { account } = await withUser('viewer')
      const headers = { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }
      const { message, ...proof } = await challenged(world, account, headers)
      expect(parseSiweMessage(message)).toEqual({
        domain: '127.0.0.1:8080',
        address: account.address,
        statement: expect.stringContaining('moves no funds'),
        uri: 'http://127.0.0.1:8080',
        version: '1',
        chainId: world.chain.chainId,
        nonce: proof.nonce,
        issuedAt: expect.any(Date),
        expirationTime: expect.any(Date),
      })
      const elsewhere = await world.call('POST', SIGN_IN, { body: proof, headers: { host: 'localhost:8080' } })
      expect(refusal(elsewhere)).toEqual([400, 'NONCE_INVALID'])
      expect((await world.call('POST', SIGN_IN, { body: proof, headers })).status).toBe(200)
      expect(refusal(await world.call('POST', SIGN_IN, { body: proof, headers }))).toEqual([400, 'NONCE_INVALID'])
    })

    it('opens what the role opens', async () => {
      const { instance, account, userId } = await withUser('operator', 'Olga')
      const { answer, call } = await signInWithWallet(world, account)
      expect(answer.body.data).toMatchObject({
        kind: 'user',
        name: 'Olga',
        role: 'operator',
        keyId: null,
        user: { userId, address: account.address.toLowerCase(), name: 'Olga', role: 'operator' },
        instance: { instanceId: instance.instanceId },
        scopes: scopes.filter((scope) => scope !== 'access:write'),
      })
      expect((await call('GET', KEYS)).status).toBe(200)
      const refused = await call('POST', KEYS, { body: { name: 'n', scopes: ['access:read'] } })
      expect(refusal(refused)).toEqual([403, 'SCOPE_MISSING'])
      expect(refused.body.error.message).toContain('session')
    })

    it('refuses a challenge that is too old, of another wallet or invented, and a signature of somebody else', async () => {
      const { account } = await withUser('viewer')
      const other = newAccount()
      const attempt = async (body: object) => refusal(await world.call('POST', SIGN_IN, { body }))
      const { message, ...proof } = await challenged(world, account)
      expect(await attempt({ ...proof, nonce: 'invented' })).toEqual([400, 'NONCE_INVALID'])
      expect(await attempt({ ...proof, address: other.address })).toEqual([400, 'NONCE_INVALID'])
      expect(await attempt({ ...proof, signature: await other.signMessage({ message }) })).toEqual([
        400,
        'SIGNATURE_INVALID',
      ])
      expect(await attempt({ ...proof, signature: '0x' })).toEqual([400, 'SIGNATURE_INVALID'])
      world.clock.advance(10 * 60_000)
      expect(await attempt(proof)).toEqual([400, 'NONCE_INVALID'])
      for (const path of [SIGN_IN, `${SIGN_IN}/challenge`])
        expect(refusal(await world.call('POST', path, { body: { address: '0x12' } }))).toEqual([400, 'INVALID_ADDRESS'])
      const wrongCase = `0x${'aB'.repeat(20)}`
      expect(refusal(await world.call('POST', `${SIGN_IN}/challenge`, { body: { address: wrongCase } }))).toEqual([
        400,
        'INVALID_ADDRESS',
      ])
      const elsewhere = { address: other.address, chainId: 1 }
      expect(refusal(await world.call('POST', `${SIGN_IN}/challenge`, { body: elsewhere }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
    })

    it('knows no user of an instance that is archived, nor one who was never added', async () => {
      const { instance, account } = await withUser('admin')
      const attempt = async (who = account) => {
        const { message: _, ...proof } = await challenged(world, who)
        return refusal(await world.call('POST', SIGN_IN, { body: proof }))
      }
      expect(await attempt(newAccount())).toEqual([403, 'USER_UNKNOWN'])
      await world.operator.archiveInstance(instance.instanceId)
      expect(await attempt()).toEqual([403, 'USER_UNKNOWN'])
    })

    it('asks which instance is meant where there are several, and the challenge is still good then', async () => {
      const { instance, account } = await withUser('viewer')
      const second = await world.createInstance({ name: 'Second' })
      await addUser(second, account, 'admin')
      const { message: _, ...proof } = await challenged(world, account)
      const asked = await world.call('POST', SIGN_IN, { body: proof })
      expect(refusal(asked)).toEqual([409, 'INSTANCE_CHOICE_REQUIRED'])
      const named = asked.body.error.instances.map((one: { instanceId: string }) => one.instanceId)
      expect(named).toEqual([instance.instanceId, second.instanceId])
      const strange = (await world.createInstance()).instanceId
      expect(refusal(await world.call('POST', SIGN_IN, { body: { ...proof, instanceId: strange } }))).toEqual([
        403,
        'USER_UNKNOWN',
      ])
      const chosen = await world.call('POST', SIGN_IN, { body: { ...proof, instanceId: second.instanceId } })
      const { call, answer } = browserOf(world, chosen)
      expect(answer.body.data).toMatchObject({ role: 'admin', instance: { name: 'Second' } })
      expect((await call('GET', INSTANCE)).body.data.instanceId).toBe(second.instanceId)
    })

    it('ends a session that was planted in the browser', async () => {
      const { account } = await withUser('viewer')
      const planted = await signInWithKey(world, await world.createInstance())
      const { message: _, ...proof } = await challenged(world, account)
      const answer = await world.call('POST', SIGN_IN, { body: proof, headers: { cookie: planted.cookie } })
      expect(cookieOf(answer)).not.toBe(planted.cookie)
      expect(refusal(await open(planted.cookie))).toEqual([401, 'AUTH_FAILED'])
      expect((await open(cookieOf(answer))).status).toBe(200)
    })
  })

  describe('where it works', () => {
    it('is refused what another page sends, and writes without its token', async () => {
      const { cookie, csrfToken } = await signInWithKey(world, await world.createInstance())
      const token = { 'x-csrf-token': csrfToken }
      const body = { name: 'n', scopes: ['access:read'] }
      const write = async (headers: Record<string, string>) =>
        refusal(await world.call('POST', KEYS, { body, headers: { cookie, ...headers } }))
      expect(await write({})).toEqual([403, 'CSRF_TOKEN_INVALID'])
      expect(await write({ 'x-csrf-token': '0'.repeat(64) })).toEqual([403, 'CSRF_TOKEN_INVALID'])
      const foreign: Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { origin: 'http://localhost:81' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { host: 'evil.example' },
      ]
      for (const headers of foreign) {
        expect([headers, await write({ ...token, ...headers })]).toEqual([headers, [403, 'ORIGIN_REFUSED']])
        expect([headers, refusal(await open(cookie, headers))]).toEqual([headers, [403, 'ORIGIN_REFUSED']])
      }
      expect(await write({ ...token, 'sec-fetch-site': 'none' })).toEqual([403, 'ORIGIN_REFUSED'])
      expect((await open(cookie, { 'sec-fetch-site': 'none' })).status).toBe(200)
      const own = { origin: 'http://localhost:80', 'sec-fetch-site': 'same-origin', host: 'localhost:80' }
      expect(await write({ ...token, ...own, origin: 'http://localhost' })).toEqual([200, undefined])
    })

    it('is nothing that a key has', async () => {
      const instance = await world.createInstance()
      for (const method of ['GET', 'DELETE'])
        expect(refusal(await instance.call(method, SESSION))).toEqual([404, 'SESSION_NOT_FOUND'])
    })

    it('gives way to a key that is sent along', async () => {
      const [mine, other] = [await world.createInstance(), await world.createInstance()]
      const { cookie } = await signInWithKey(world, mine)
      const answer = await other.call('POST', KEYS, {
        body: { name: 'n', scopes: ['access:read'] },
        headers: { cookie },
      })
      expect(answer.status).toBe(200)
      expect(answer.body.metadata.instanceId).toBe(other.instanceId)
      expect(refusal(await world.call('GET', INSTANCE, { key: 'nonsense', headers: { cookie } }))).toEqual([
        401,
        'AUTH_FAILED',
      ])
    })

    it('sees nothing of another instance', async () => {
      const [mine, other] = [await withUser('admin'), await withUser('viewer')]
      const { call, sessionId } = await signInWithWallet(world, mine.account)
      const theirs = await signInWithWallet(world, other.account)
      const listed = (await call('GET', SESSIONS)).body.data.sessions
      expect(listed.map((one: { sessionId: string }) => one.sessionId)).toEqual([sessionId])
      expect(refusal(await call('DELETE', `${SESSIONS}/${theirs.sessionId}`))).toEqual([404, 'SESSION_NOT_FOUND'])
      const ofOthers = await call('DELETE', `${SESSIONS}?userId=${other.userId}`)
      expect(refusal(ofOthers)).toEqual([404, 'SESSION_NOT_FOUND'])
      expect((await call('GET', USERS)).body.data.users).toHaveLength(1)
      for (const [method, body] of [
        ['PATCH', { role: 'viewer' }],
        ['DELETE', undefined],
      ] as const)
        expect(refusal(await call(method, `${USERS}/${other.userId}`, { body }))).toEqual([404, 'USER_NOT_FOUND'])
      expect((await theirs.call('GET', SESSION)).status).toBe(200)
    })
  })

  describe('ending', () => {
    it('is over when nobody uses it for an hour, and after half a day in any case', async () => {
      const { cookie, sessionId } = await signInWithKey(world, await world.createInstance())
      const idleUntil = async () =>
        (await superuser`select expires_at from api_keys where key_id = ${sessionId}`)[0]?.expires_at as Date
      const before = await idleUntil()
      world.clock.advance(2 * 60_000)
      expect((await open(cookie)).status).toBe(200)
      expect((await idleUntil()).getTime() - before.getTime()).toBeGreaterThanOrEqual(2 * 60_000)
      // Half a day after its begin, however often it was used.
      world.clock.advance(11.9 * 60 * 60_000)
      expect((await open(cookie)).status).toBe(200)
      const [row] = await superuser`select ends_at from sessions where session_id = ${sessionId}`
      expect(await idleUntil()).toEqual(row?.ends_at)
      await superuser`update api_keys set expires_at = now() - interval '1 second' where key_id = ${sessionId}`
      expect(refusal(await open(cookie))).toEqual([401, 'AUTH_FAILED'])
    })

    it('signs out here, and takes the cookie away', async () => {
      const instance = await world.createInstance()
      const [one, other] = [await signInWithKey(world, instance), await signInWithKey(world, instance)]
      const answer = await one.call('DELETE', SESSION)
      expect(answer.body.data).toEqual({ ended: 1 })
      expect(answer.headers['set-cookie']).toBe('tally_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0')
      expect(refusal(await open(one.cookie))).toEqual([401, 'AUTH_FAILED'])
      expect((await open(other.cookie)).status).toBe(200)
      expect(refusal(await other.call('DELETE', `${SESSION}?everywhere=yes`))).toEqual([400, 'VALIDATION_ERROR'])
    })

    it('signs out everywhere: all of the user, or all of the key, and nobody else', async () => {
      const { instance, account } = await withUser('viewer')
      const mine = [await signInWithWallet(world, account), await signInWithWallet(world, account)] as const
      const ofKey = [await signInWithKey(world, instance), await signInWithKey(world, instance)] as const
      expect((await mine[0].call('DELETE', `${SESSION}?everywhere=true`)).body.data).toEqual({ ended: 2 })
      for (const { cookie } of mine) expect(refusal(await open(cookie))).toEqual([401, 'AUTH_FAILED'])
      for (const { cookie } of ofKey) expect((await open(cookie)).status).toBe(200)
      expect((await ofKey[1].call('DELETE', `${SESSION}?everywhere=true`)).body.data).toEqual({ ended: 2 })
      expect(refusal(await open(ofKey[0].cookie))).toEqual([401, 'AUTH_FAILED'])
    })

    it('is listed, and ended by an admin: one, those of a user, or all', async () => {
      const { instance, account, userId } = await withUser('viewer', 'Vera')
      const headers = { 'user-agent': 'Test/1' }
      const { message: _, ...proof } = await challenged(world, account)
      const first = browserOf(world, await world.call('POST', SIGN_IN, { body: proof, headers }))
      const second = await signInWithWallet(world, account)
      const ofKey = await signInWithKey(world, instance)
      const listed = (await second.call('GET', SESSIONS)).body.data.sessions
      expect(listed.map((one: { sessionId: string }) => one.sessionId)).toEqual([
        ofKey.sessionId,
        second.sessionId,
        first.sessionId,
      ])
      expect(listed[2]).toEqual({
        sessionId: first.sessionId,
        kind: 'user',
        name: 'Vera',
        role: 'viewer',
        keyId: null,
        userId,
        current: false,
        createdAt: expect.any(String),
        seenAt: expect.any(String),
        idleUntil: expect.any(String),
        expiresAt: expect.any(String),
        userAgent: 'Test/1',
      })
      expect(listed[1].current).toBe(true)
      expect((await instance.call('DELETE', `${SESSIONS}/${first.sessionId}`)).body.data).toEqual({ ended: 1 })
      expect(refusal(await open(first.cookie))).toEqual([401, 'AUTH_FAILED'])
      for (const id of [first.sessionId, 'nonsense'])
        expect(refusal(await instance.call('DELETE', `${SESSIONS}/${id}`))).toEqual([404, 'SESSION_NOT_FOUND'])
      expect((await instance.call('DELETE', `${SESSIONS}?userId=${userId}`)).body.data).toEqual({ ended: 1 })
      const ofNobody = await instance.call('DELETE', `${SESSIONS}?userId=nonsense`)
      expect(refusal(ofNobody)).toEqual([404, 'SESSION_NOT_FOUND'])
      expect((await open(ofKey.cookie)).status).toBe(200)
      expect((await instance.call('DELETE', SESSIONS)).body.data).toEqual({ ended: 1 })
      expect(refusal(await open(ofKey.cookie))).toEqual([401, 'AUTH_FAILED'])
      const [act] = (await instance.call('GET', '/access/api/audit')).body.data.acts
      expect(act).toMatchObject({ operation: 'endSessions', subject: instance.instanceId, after: { ended: 1 } })
    })
  })

  describe('over https', () => {
    it('is a cookie of this host alone, bound to the configured origin whatever the request calls the host', async () => {
      const own = await createWorld({ clients: { consoleOrigin: 'https://console.example' } })
      const { apiKey } = await own.createInstance()
      const signIn = (headers: Record<string, string>) => own.call('POST', SIGN_IN, { body: { apiKey }, headers })
      expect(refusal(await signIn({ origin: 'http://localhost' }))).toEqual([403, 'ORIGIN_REFUSED'])
      const answer = await signIn({ origin: 'https://console.example', host: 'internal:8080' })
      expect(answer.headers['set-cookie']).toMatch(
        /^__Host-tally_session=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      )
      const cookie = cookieOf(answer)
      expect((await own.call('GET', INSTANCE, { headers: { cookie } })).status).toBe(200)
      const plain = cookie.replace('__Host-', '')
      expect(refusal(await own.call('GET', INSTANCE, { headers: { cookie: plain } }))).toEqual([401, 'AUTH_REQUIRED'])
      await own.close()
    })
  })
})

describe('users', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  const add = (instance: TestInstance, role: string, address: string = newAccount().address, name: string = role) =>
    instance.call('POST', USERS, { body: { address, name, role } })

  it('are added, listed, changed and removed, with a row of the audit log for each', async () => {
    const instance = await world.createInstance()
    const admin = (await add(instance, 'admin')).body.data
    const account = newAccount()
    const added = await add(instance, 'viewer', account.address, 'Vera')
    const user = { address: account.address.toLowerCase(), email: null, name: 'Vera', role: 'viewer' }
    expect(added.body.data).toEqual({ userId: expect.any(String), createdAt: expect.any(String), ...user })
    const { userId } = added.body.data
    expect((await instance.call('GET', USERS)).body.data.users).toEqual([admin, added.body.data])
    const changed = await instance.call('PATCH', `${USERS}/${userId}`, { body: { role: 'operator' } })
    expect(changed.body.data).toEqual({ ...added.body.data, role: 'operator' })
    expect((await instance.call('PATCH', `${USERS}/${userId}`, { body: { role: 'operator' } })).status).toBe(200)
    expect((await instance.call('DELETE', `${USERS}/${userId}`)).body.data).toEqual({ removed: true })
    expect((await instance.call('GET', USERS)).body.data.users).toEqual([admin])
    const { acts } = (await instance.call('GET', '/access/api/audit')).body.data
    const ofUser = acts.filter((act: { subject: string }) => act.subject === userId)
    expect(ofUser.map(({ operation, before, after }: Record<string, unknown>) => [operation, before, after])).toEqual([
      ['removeUser', { ...user, role: 'operator' }, null],
      ['changeUser', { role: 'viewer' }, { role: 'operator' }],
      ['addUser', null, user],
    ])
  })

  it('says who of them acted', async () => {
    const instance = await world.createInstance()
    const account = newAccount()
    const userId = await addUser(instance, account, 'admin', 'Ada')
    const { call } = await signInWithWallet(world, account)
    const key = (await call('POST', KEYS, { body: { name: 'n', scopes: ['access:read'] } })).body.data
    const ofKey = await signInWithKey(world, instance)
    await ofKey.call('DELETE', `${KEYS}/${key.keyId}`)
    const { acts } = (await call('GET', '/access/api/audit')).body.data
    const { keyId, name } = (await instance.call('GET', INSTANCE)).body.data.key
    expect(acts[1]).toMatchObject({ operation: 'createKey', actor: 'user', userId, userName: 'Ada', keyId: null })
    expect(acts[0]).toMatchObject({ operation: 'revokeKey', actor: 'key', keyId, keyName: name })
    expect(acts[0]).not.toHaveProperty('userId')
  })

  it('lose and gain rights at once, in a session that is open, and everything with their removal', async () => {
    const instance = await world.createInstance()
    await add(instance, 'admin')
    const account = newAccount()
    const userId = await addUser(instance, account, 'admin', 'Ada')
    const { call } = await signInWithWallet(world, account)
    const write = () => call('POST', KEYS, { body: { name: 'n', scopes: ['access:read'] } })
    const become = (role: string) => instance.call('PATCH', `${USERS}/${userId}`, { body: { role, name: role } })
    expect((await write()).status).toBe(200)
    await become('viewer')
    expect(refusal(await write())).toEqual([403, 'SCOPE_MISSING'])
    expect((await call('GET', SESSION)).body.data).toMatchObject({ role: 'viewer', name: 'viewer' })
    await become('admin')
    expect((await write()).status).toBe(200)
    await instance.call('DELETE', `${USERS}/${userId}`)
    expect(refusal(await call('GET', INSTANCE))).toEqual([401, 'AUTH_FAILED'])
  })

  it('cannot be without an admin once there is one', async () => {
    const instance = await world.createInstance()
    const { userId } = (await add(instance, 'admin')).body.data
    const demote = () => instance.call('PATCH', `${USERS}/${userId}`, { body: { role: 'viewer' } })
    const remove = () => instance.call('DELETE', `${USERS}/${userId}`)
    expect(refusal(await demote())).toEqual([409, 'LAST_ADMIN'])
    expect(refusal(await remove())).toEqual([409, 'LAST_ADMIN'])
    await add(instance, 'admin')
    expect((await demote()).status).toBe(200)
    expect((await remove()).status).toBe(200)
  })

  it('cannot be given or lose more than the caller has', async () => {
    const instance = await world.createInstance()
    const strong = (await add(instance, 'operator')).body.data.userId
    const key = await world.createKey(instance, ['access:read', 'access:write'])
    const weak = (method: string, path: string, body?: object) => world.call(method, path, { key, body })
    const request = { address: newAccount().address, name: 'n', role: 'admin' }
    const refused = await weak('POST', USERS, request)
    expect(refusal(refused)).toEqual([403, 'SCOPE_NOT_HELD'])
    expect(refused.body.error.missing).toEqual(scopes.filter((scope) => !scope.startsWith('access:')))
    expect(refusal(await weak('PATCH', `${USERS}/${strong}`, { role: 'viewer' }))).toEqual([403, 'SCOPE_NOT_HELD'])
    expect(refusal(await weak('DELETE', `${USERS}/${strong}`))).toEqual([403, 'SCOPE_NOT_HELD'])
  })

  it('are one for each wallet, a hundred at most, and of the right form', async () => {
    const instance = await world.createInstance()
    const { address } = newAccount()
    await add(instance, 'viewer', address)
    expect(refusal(await add(instance, 'admin', address))).toEqual([409, 'USER_ALREADY_EXISTS'])
    expect(refusal(await add(instance, 'viewer', '0x12'))).toEqual([400, 'INVALID_ADDRESS'])
    expect(refusal(await add(instance, 'boss'))).toEqual([400, 'VALIDATION_ERROR'])
    expect(refusal(await instance.call('PATCH', `${USERS}/x`, { body: {} }))).toEqual([400, 'VALIDATION_ERROR'])
    for (const [method, body] of [
      ['PATCH', { name: 'n' }],
      ['DELETE', undefined],
    ] as const) {
      expect(refusal(await instance.call(method, `${USERS}/nobody`, { body }))).toEqual([404, 'USER_NOT_FOUND'])
      expect(refusal(await instance.call(method, `${USERS}/${'x'.repeat(101)}`, { body }))).toEqual([
        400,
        'INVALID_PARAM',
      ])
    }
    for (let count = 1; count < 100; count += 1) expect((await add(instance, 'viewer')).status).toBe(200)
    expect(refusal(await add(instance, 'viewer'))).toEqual([409, 'USER_LIMIT_REACHED'])
  })
})
