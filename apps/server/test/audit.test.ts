import { userInfo } from 'node:os'
import { wallet } from '@tallystick/testkit'
import { type OperatorAct, operations, operatorActs, services } from '@tallystick/wire'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAllActs } from '../src/access/index.ts'
import { createSuitesService } from '../src/operator/index.ts'
import { createOutgoingTargets } from '../src/platform/outgoing/outgoing-targets.ts'
import { systemRandom } from '../src/platform/random.ts'
import { createRegisterImport } from '../src/register/index.ts'
import { createRelayerOperator } from '../src/relayer/index.ts'
import { signInWithKey, signInWithWallet, USERS } from './browser.ts'
import { createLendingWorld, type LendingWorld, must } from './lending/lending-world.ts'
import { fileOf, provider } from './register/lines.ts'
import type { TestAnswer, TestInstance } from './world.ts'

const KEYS = '/access/api/keys'
const WALLETS = '/access/api/wallets'
const SESSIONS = '/access/api/sessions'
const RELAYER = '/access/api/relayer'
const FORBIDDEN = { code: '42501' }
const SIGNER = 'https://signer.example/private'
const someText = expect.any(String)

/** What an act is expected to leave in the log, and what was answered to it. */
interface Expected {
  readonly subject: string
  readonly before: object | null
  readonly after: object | null
  readonly answer?: TestAnswer
  /** Where it was a user in a session. */
  readonly user?: { readonly userId: string; readonly userName: string }
}

describe('the audit log', () => {
  let world: LendingWorld
  let marketId: string

  beforeAll(async () => {
    const webhooks = createOutgoingTargets({ resolve: async () => [] })
    world = await createLendingWorld({ world: { webhooks } })
    marketId = (await world.deployMarket()).marketId
  })
  afterAll(() => world.close())

  const audit = async (instance: TestInstance, query = '') =>
    must(await instance.call('GET', `/access/api/audit${query}`)).body.data
  const newAccount = () => privateKeyToAccount(generatePrivateKey())
  const relayers = () => createRelayerOperator(world.database, { clock: world.clock, keys: {} })
  const rows = async (operation: string) =>
    (await listAllActs(world.database, { instanceId: null, limit: 10_000 })).filter(
      (row) => row.operation === operation,
    )

  const keyRequest = { name: 'made', scopes: ['access:read'] }
  const keyFields = { ...keyRequest, status: 'ACTIVE', rateLimitPerMinute: null, expiresAt: null }
  const createKey = async (instance: TestInstance, headers = {}) =>
    must(await instance.call('POST', KEYS, { body: keyRequest, headers }))
  const newKeyId = async (instance: TestInstance): Promise<string> => (await createKey(instance)).body.data.keyId

  async function registerWallet(instance: TestInstance): Promise<{ address: string; answer: TestAnswer }> {
    const account = newAccount()
    const { address } = account
    const asked = must(await instance.call('POST', `${WALLETS}/challenge`, { body: { address } })).body.data
    const signature = await account.signMessage({ message: asked.message })
    const body = { address, nonce: asked.nonce, signature, label: 'Treasury' }
    return { address: address.toLowerCase(), answer: must(await instance.call('POST', WALLETS, { body })) }
  }

  const addUser = async (instance: TestInstance) =>
    must(await instance.call('POST', USERS, { body: { address: newAccount().address, name: 'Vera', role: 'viewer' } }))
  const userFields = ({ body }: TestAnswer) => ({
    address: body.data.address,
    email: null,
    name: 'Vera',
    role: 'viewer',
  })

  async function relayed(): Promise<{ instance: TestInstance; address: string }> {
    const instance = await world.createInstance()
    const address = newAccount().address.toLowerCase()
    await relayers().set(instance.instanceId, { remoteUrl: SIGNER, address }, false)
    return { instance, address }
  }

  const hookPath = (id = '') => `/lending-external-securities/api/hooks/${marketId}${id && `/${id}`}`
  const hookRequest = {
    name: 'margin',
    kind: 'HEALTH_BELOW',
    threshold: '1.25',
    url: 'https://93.184.216.34/only-we-know',
  }
  const hookFields = () => ({
    ...hookRequest,
    url: 'https://93.184.216.34/…',
    marketId,
    seconds: null,
    active: true,
    updatedAt: someText,
  })
  const createHook = async () => must(await world.deployer.post(hookPath(), hookRequest))
  const newHookId = async (): Promise<string> => (await createHook()).body.data.id

  type Act = (instance: TestInstance) => Promise<Expected>

  /** A transaction that waits for somebody, and who decides upon it. */
  async function decided(instance: TestInstance, path: string, body: object | undefined): Promise<Expected> {
    const account = newAccount()
    const added = { address: account.address, name: 'Anna', role: 'approver' }
    const { userId } = must(await instance.call('POST', USERS, { body: added })).body.data
    const [row] = await world.superuser<{ id: string }[]>`
      insert into built_transactions (instance_id, transaction_id, maker_name, maker_key_id, operation, summary, path, chain_id, calls, built_at,
        approval_until)
      values (${instance.instanceId}, gen_random_uuid(), 'maker', gen_random_uuid(), 'pauseMarket', 's', '/p', 31337, '[]', now(),
        now() + interval '1 day')
      returning transaction_id as id`
    const subject = row?.id ?? ''
    const browser = await signInWithWallet(world, account)
    const answer = must(await browser.call('POST', `/access/api/transactions/${subject}/${path}`, { body }))
    const status = path === 'approve' ? 'APPROVED' : 'REJECTED'
    const what = { operation: 'pauseMarket', path: '/p', maker: 'maker', callsSha256: someText }
    const user = { userId, userName: 'Anna' }
    return { answer, subject, user, before: { status: 'PENDING' }, after: { status, ...what, ...body } }
  }

  /** One of each operation over HTTP. Those that need more than an instance have one of their own. */
  const acts: Record<string, { act: Act; by?: () => Promise<TestInstance> }> = {
    createKey: {
      act: async (instance) => {
        const answer = await createKey(instance)
        return { answer, subject: answer.body.data.keyId, before: null, after: keyFields }
      },
    },
    rotateKey: {
      act: async (instance) => {
        const subject = await newKeyId(instance)
        const answer = must(await instance.call('POST', `${KEYS}/${subject}/rotate`))
        const successor = answer.body.data.keyId
        return {
          answer,
          subject,
          before: { status: 'ACTIVE', expiresAt: null },
          after: { status: 'PENDING_ROTATION', expiresAt: someText, successor },
        }
      },
    },
    revokeKey: {
      act: async (instance) => {
        const subject = await newKeyId(instance)
        const answer = must(await instance.call('DELETE', `${KEYS}/${subject}`))
        return { answer, subject, before: { status: 'ACTIVE' }, after: { status: 'REVOKED' } }
      },
    },
    registerWallet: {
      act: async (instance) => {
        const { address, answer } = await registerWallet(instance)
        const after = { label: 'Treasury', primary: true, verifiedBy: 'EIP191' }
        return { answer, subject: address, before: null, after }
      },
    },
    promoteWallet: {
      act: async (instance) => {
        const { address: first } = await registerWallet(instance)
        const { address: second } = await registerWallet(instance)
        const answer = must(await instance.call('POST', `${WALLETS}/${second}/promote`))
        return { answer, subject: second, before: { primaryWallet: first }, after: { primaryWallet: second } }
      },
    },
    removeWallet: {
      act: async (instance) => {
        const { address: first } = await registerWallet(instance)
        const { address: second } = await registerWallet(instance)
        const answer = must(await instance.call('DELETE', `${WALLETS}/${first}`))
        const before = { label: 'Treasury', primary: true, verifiedBy: 'EIP191' }
        return { answer, subject: first, before, after: { primaryWallet: second } }
      },
    },
    addUser: {
      act: async (instance) => {
        const answer = await addUser(instance)
        return { answer, subject: answer.body.data.userId, before: null, after: userFields(answer) }
      },
    },
    changeUser: {
      act: async (instance) => {
        const subject = (await addUser(instance)).body.data.userId
        const answer = must(await instance.call('PATCH', `${USERS}/${subject}`, { body: { role: 'operator' } }))
        return { answer, subject, before: { role: 'viewer' }, after: { role: 'operator' } }
      },
    },
    removeUser: {
      act: async (instance) => {
        const added = await addUser(instance)
        const subject = added.body.data.userId
        const answer = must(await instance.call('DELETE', `${USERS}/${subject}`))
        return { answer, subject, before: userFields(added), after: null }
      },
    },
    endSession: {
      act: async (instance) => {
        const { sessionId: subject } = await signInWithKey(world, instance)
        const answer = must(await instance.call('DELETE', `${SESSIONS}/${subject}`))
        return { answer, subject, before: { ended: 0 }, after: { ended: 1 } }
      },
    },
    endSessions: {
      act: async (instance) => {
        for (let count = 0; count < 2; count += 1) await signInWithKey(world, instance)
        const answer = must(await instance.call('DELETE', SESSIONS))
        return { answer, subject: instance.instanceId, before: { ended: 0 }, after: { ended: 2 } }
      },
    },
    approveBuiltTransaction: { act: (instance) => decided(instance, 'approve', undefined) },
    rejectBuiltTransaction: { act: (instance) => decided(instance, 'reject', { reason: 'Too much.' }) },
    setApprovalPolicy: {
      act: async (instance) => {
        for (const name of ['Anna', 'Bert'])
          must(await instance.call('POST', USERS, { body: { address: newAccount().address, name, role: 'admin' } }))
        const body = { secondPerson: true }
        const answer = must(await instance.call('PUT', '/access/api/approval-policy', { body }))
        return { answer, subject: instance.instanceId, before: { secondPerson: false }, after: body }
      },
    },
    setRelayerLimits: {
      by: async () => (await relayed()).instance,
      act: async (instance) => {
        const body = { dailyTxLimit: 7, maxGasPerTx: '1000' }
        const answer = must(await instance.call('PATCH', `${RELAYER}/limits`, { body }))
        const { address: subject } = answer.body.data
        return { answer, subject, before: { dailyTxLimit: 100, maxGasPerTx: null }, after: body }
      },
    },
    freezeRelayer: {
      by: async () => (await relayed()).instance,
      act: async (instance) => {
        const answer = must(await instance.call('POST', `${RELAYER}/freeze`))
        return { answer, subject: answer.body.data.address, before: { frozen: false }, after: { frozen: true } }
      },
    },
    unfreezeRelayer: {
      by: async () => (await relayed()).instance,
      act: async (instance) => {
        must(await instance.call('POST', `${RELAYER}/freeze`))
        const answer = must(await instance.call('POST', `${RELAYER}/unfreeze`))
        return { answer, subject: answer.body.data.address, before: { frozen: true }, after: { frozen: false } }
      },
    },
    createHook: {
      by: async () => world.deployer,
      act: async () => {
        const answer = await createHook()
        return { answer, subject: answer.body.data.id, before: null, after: hookFields() }
      },
    },
    updateHook: {
      by: async () => world.deployer,
      act: async (instance) => {
        const subject = await newHookId()
        const body = { name: 'other', url: 'https://93.184.216.34/another-secret-path' }
        const answer = must(await instance.call('PUT', hookPath(subject), { body }))
        const { url } = hookFields()
        return {
          answer,
          subject,
          before: { name: 'margin', url, updatedAt: someText },
          after: { name: 'other', url, updatedAt: someText },
        }
      },
    },
    toggleHook: {
      by: async () => world.deployer,
      act: async (instance) => {
        const subject = await newHookId()
        const answer = must(await instance.call('POST', `${hookPath(subject)}/toggle`, { body: { active: false } }))
        const at = { updatedAt: someText }
        return { answer, subject, before: { active: true, ...at }, after: { active: false, ...at } }
      },
    },
    rotateHookSecret: {
      by: async () => world.deployer,
      act: async (instance) => {
        const subject = await newHookId()
        const answer = must(await instance.call('POST', `${hookPath(subject)}/rotate-secret`))
        return { answer, subject, before: { updatedAt: someText }, after: { updatedAt: someText } }
      },
    },
    deleteHook: {
      by: async () => world.deployer,
      act: async (instance) => {
        const subject = await newHookId()
        const answer = must(await instance.call('DELETE', hookPath(subject)))
        return { answer, subject, before: hookFields(), after: null }
      },
    },
  }

  it('is tested with every operation that is declared administrative', () => {
    const declared = operations.filter(({ administrative }) => administrative).map(({ id }) => id)
    expect(Object.keys(acts).sort()).toEqual(declared.sort())
  })

  it.each(Object.entries(acts))('tells who did %s to what, and what changed by it', async (operation, { act, by }) => {
    const instance = by ? await by() : await world.createInstance()
    const { answer, user, ...expected } = await act(instance)
    const { key } = must(await instance.call('GET', '/access/api/instance')).body.data
    const [newest, ...older] = (await audit(instance, `?operation=${operation}`)).acts
    expect(newest).toEqual({
      ...expected,
      actId: someText,
      at: someText,
      operation,
      ...(user
        ? { actor: 'user', keyId: null, keyName: null, ...user }
        : { actor: 'key', keyId: key.keyId, keyName: 'default' }),
      requestId: answer?.body.metadata.requestId,
    })
    expect(older.map(({ requestId }: { requestId: string }) => requestId)).not.toContain(newest.requestId)
  })

  const operatorCases: Record<OperatorAct, (instance: TestInstance) => Promise<Expected>> = {
    createInstance: async ({ instanceId }) => {
      const [row] = (await rows('createInstance')).filter(({ subject }) => subject === instanceId)
      const about = { name: someText, chainId: 31_337, environment: 'DEVELOPMENT', services: [...services] }
      const after = { ...about, lenderApproved: false, status: 'ACTIVE', firstKey: someText }
      expect(row?.after?.firstKey).toBe((await world.operator.listKeys(instanceId))[0]?.keyId)
      return { subject: instanceId, before: null, after }
    },
    archiveInstance: async ({ instanceId }) => {
      await world.operator.archiveInstance(instanceId)
      return { subject: instanceId, before: { status: 'ACTIVE' }, after: { status: 'ARCHIVED' } }
    },
    setServices: async ({ instanceId }) => {
      await world.operator.setServices(instanceId, ['trading'])
      return { subject: instanceId, before: { services: [...services] }, after: { services: ['trading'] } }
    },
    approveLender: async ({ instanceId }) => {
      await world.operator.approveLender(instanceId, true)
      return { subject: instanceId, before: { lenderApproved: false }, after: { lenderApproved: true } }
    },
    createKey: async ({ instanceId }) => {
      const { keyId } = await world.operator.createKey(instanceId, { name: 'made', scopes: ['access:read'] })
      return { subject: keyId, before: null, after: keyFields }
    },
    rotateKey: async ({ instanceId }) => {
      const [key] = await world.operator.listKeys(instanceId)
      const { keyId: successor } = await world.operator.rotateKey(instanceId, key?.keyId ?? '')
      const before = { status: 'ACTIVE', expiresAt: null }
      return {
        subject: key?.keyId ?? '',
        before,
        after: { status: 'PENDING_ROTATION', expiresAt: someText, successor },
      }
    },
    revokeKey: async ({ instanceId }) => {
      const [key] = await world.operator.listKeys(instanceId)
      await world.operator.revokeKey(instanceId, key?.keyId ?? '')
      return { subject: key?.keyId ?? '', before: { status: 'ACTIVE' }, after: { status: 'REVOKED' } }
    },
    createRegisterKey: async () => {
      const { keyId } = await world.operator.createRegisterKey('regulator')
      return { subject: keyId, before: null, after: { name: 'regulator', status: 'ACTIVE' } }
    },
    setRelayer: async ({ instanceId }) => {
      const address = newAccount().address.toLowerCase()
      await relayers().set(instanceId, { remoteUrl: SIGNER, address }, false)
      const after = { chainId: 31_337, address, keystoreFile: null, passwordFile: null, remoteUrl: SIGNER }
      return { subject: address, before: null, after }
    },
    removeRelayer: async ({ instanceId }) => {
      const address = newAccount().address.toLowerCase()
      await relayers().set(instanceId, { remoteUrl: SIGNER, address }, false)
      await relayers().remove(instanceId, false)
      const before = { chainId: 31_337, address, keystoreFile: null, passwordFile: null, remoteUrl: SIGNER }
      return { subject: address, before, after: null }
    },
    recordContracts: async () => {
      const wish = { owner: wallet(0).address, platformWallet: wallet(9).address, replace: false }
      const { recorded } = await createSuitesService(world.database, world).deployLending(
        world.chains.get(31_337),
        wish,
      )
      // The factory was on record before.
      const others = recorded.filter(({ name }) => name !== 'LendingFactory')
      const fields = (value: (address: string) => string | null) =>
        Object.fromEntries(others.map(({ name, address }) => [name, value(address)]))
      return { subject: 'chain 31337', before: fields(() => null), after: fields((address) => address) }
    },
    setImplementation: async () => {
      const name = 'InterestRateModelImplementation'
      const other = `0x${'1'.repeat(40)}`
      await world.superuser`update deployed_contracts set address = ${other} where name = ${name}`
      const { rateModel } = world.suite
      await createSuitesService(world.database, world).setImplementation(
        world.chains.get(31_337),
        'rateModel',
        rateModel,
      )
      return { subject: 'chain 31337', before: { [name]: other }, after: { [name]: rateModel } }
    },
    importRegister: async () => {
      const imports = createRegisterImport({ database: world.database, clock: world.clock, random: systemRandom })
      const file = { bytes: fileOf('CASPS', [provider({ ae_lei_name: 'One' })]), date: null }
      await imports.importBytes('CASPS.csv', file, { byOperator: true })
      // What is as it was changes nothing, and what the worker brings in is no act of anybody.
      await imports.importBytes('CASPS.csv', file, { byOperator: true })
      const more = { bytes: fileOf('CASPS', [provider({ ae_lei_name: 'Two' })]), date: null }
      await imports.importBytes('CASPS.csv', more)
      return { subject: 'CASPS', before: null, after: { importNumber: 1, rows: 1, added: 1, changed: 0, removed: 0 } }
    },
  }
  const ofDeployment: readonly string[] = [
    'createRegisterKey',
    'recordContracts',
    'setImplementation',
    'importRegister',
  ]

  it.each(operatorActs)('tells what the operator did at the command line: %s', async (operation) => {
    const instance = await world.createInstance()
    const before = (await rows(operation)).length
    const expected = await operatorCases[operation](instance)
    const [newest, ...older] = await rows(operation)
    expect(newest).toEqual({
      ...expected,
      actId: someText,
      actedAt: expect.any(Date),
      instanceId: ofDeployment.includes(operation) ? null : instance.instanceId,
      operation,
      actor: 'operator',
      keyId: null,
      keyName: null,
      userId: null,
      userName: null,
      osUser: userInfo().username,
      requestId: null,
    })
    expect(older).toHaveLength(operation === 'createInstance' ? before - 1 : before)
  })

  it('shows an instance what the operator did to it, but not who that was nor where keys are', async () => {
    const { instance, address } = await relayed()
    const { acts: shown } = await audit(instance)
    const none = { keyId: null, keyName: null, requestId: null, before: null }
    expect(shown).toMatchObject([
      { ...none, operation: 'setRelayer', actor: 'operator', subject: address, after: { chainId: 31_337, address } },
      { ...none, operation: 'createInstance', actor: 'operator', subject: instance.instanceId },
    ])
    expect(JSON.stringify(shown)).not.toContain('signer.example')
    expect(shown[0]).not.toHaveProperty('osUser')
  })

  it('shows nothing of another instance, and nothing of the deployment', async () => {
    const [mine, theirs] = [await world.createInstance(), await world.createInstance()]
    await createKey(theirs)
    await createKey(theirs)
    const { acts: foreign, nextCursor } = await audit(theirs, '?limit=1')
    const { acts: own } = await audit(mine)
    expect(own.map(({ subject }: { subject: string }) => subject)).toEqual([mine.instanceId])
    expect((await audit(mine, `?keyId=${foreign[0].keyId}`)).acts).toEqual([])
    expect((await audit(mine, `?cursor=${nextCursor}`)).acts).toEqual([])
  })

  it('has no row of what was refused, was taken back or changed nothing', async () => {
    const instance = await world.createInstance()
    const keyId = await newKeyId(instance)
    const reader = await world.createKey(instance, ['access:read', 'access:write'])
    for (let open = 3; open < 10; open += 1) await createKey(instance)
    const length = async () => (await audit(instance)).acts.length
    const before = await length()
    const body = { ...keyRequest, scopes: ['lending:read'] }
    expect((await world.call('POST', KEYS, { key: reader, body })).body.error.code).toBe('SCOPE_NOT_HELD')
    // Refused after the old key was changed, which is undone.
    const full = await instance.call('POST', `${KEYS}/${keyId}/rotate`)
    expect(full.body.error.code).toBe('KEY_LIMIT_REACHED')
    const keyed = { headers: { 'idempotency-key': 'rotate-when-full' } }
    expect((await instance.call('POST', `${KEYS}/${keyId}/rotate`, keyed)).body.error.code).toBe('KEY_LIMIT_REACHED')
    expect(await length()).toBe(before)
    must(await instance.call('DELETE', `${KEYS}/${keyId}`))
    must(await instance.call('DELETE', `${KEYS}/${keyId}`))
    expect(await length()).toBe(before + 1)
    expect((await audit(instance)).acts[0]).toMatchObject({ before: { status: 'ACTIVE' }, subject: keyId })
  })

  it('has one row for a request that was repeated under its Idempotency-Key', async () => {
    const instance = await world.createInstance()
    const headers = { 'idempotency-key': 'made-only-once' }
    const [first, second] = [await createKey(instance, headers), await createKey(instance, headers)]
    expect(second.headers['idempotent-replay']).toBe('true')
    expect(second.body).toEqual(first.body)
    const { acts: made } = await audit(instance, '?operation=createKey')
    expect(made).toMatchObject([{ subject: first.body.data.keyId, requestId: first.body.metadata.requestId }])
  })

  it('lets nothing happen that it cannot hold', async () => {
    const instance = await world.createInstance()
    await world.superuser`revoke insert on administrative_acts from tally_api, tally_operator`
    const headers = { 'idempotency-key': 'without-a-row' }
    for (const given of [{}, { headers }])
      expect((await instance.call('POST', KEYS, { body: keyRequest, ...given })).status).toBe(500)
    await expect(world.operator.archiveInstance(instance.instanceId)).rejects.toMatchObject(FORBIDDEN)
    await world.superuser`grant insert on administrative_acts to tally_api, tally_operator`
    expect((await instance.call('GET', KEYS)).body.data).toHaveLength(1)
    expect((await audit(instance)).acts).toHaveLength(1)
  })

  it('is never changed: not by an instance, not by the operator, not by who owns the database', async () => {
    for (const text of ['update administrative_acts set subject = $$x$$', 'delete from administrative_acts']) {
      await expect(world.database.as('tally_operator', (sql) => sql.unsafe(text))).rejects.toMatchObject(FORBIDDEN)
      await expect(world.superuser.unsafe(text)).rejects.toMatchObject(FORBIDDEN)
      await world.superuser.begin(async (sql) => {
        await sql`set local role tally_api`
        await expect(sql.savepoint((inner) => inner.unsafe(text))).rejects.toMatchObject(FORBIDDEN)
      })
    }
    await expect(world.superuser`truncate administrative_acts`).rejects.toMatchObject(FORBIDDEN)
  })

  it('is read page by page, newest first, by operation, key and time', async () => {
    const instance = await world.createInstance()
    const ids = [await newKeyId(instance), await newKeyId(instance), await newKeyId(instance)]
    must(await instance.call('DELETE', `${KEYS}/${ids[0]}`))
    const { acts: all } = await audit(instance)
    expect(all.map(({ subject }: { subject: string }) => subject)).toEqual([
      ids[0],
      ...ids.reverse(),
      instance.instanceId,
    ])
    const pages = []
    for (let cursor: string | null = '', turn = 0; cursor !== null && turn < 9; turn += 1) {
      const page: Awaited<ReturnType<typeof audit>> = await audit(instance, `?limit=2${cursor && `&cursor=${cursor}`}`)
      expect(page).toMatchObject({ limit: 2, hasMore: page.nextCursor !== null })
      pages.push(...page.acts)
      cursor = page.nextCursor
    }
    expect(pages).toEqual(all)
    const found = async (query: string) => (await audit(instance, query)).acts
    expect(await found('?operation=revokeKey')).toEqual([all[0]])
    expect(await found(`?keyId=${all[0].keyId}`)).toEqual(all.slice(0, 4))
    expect(await found('?keyId=no-key')).toEqual([])
    const between = (from: string, to: string) =>
      found(`?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`)
    expect(await between('2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z')).toEqual(all)
    expect(await between('2098-01-01T00:00:00Z', '2099-01-01T00:00:00Z')).toEqual([])
    expect(await between('2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z')).toEqual([])
    for (const wrong of ['cursor=none', 'from=yesterday', 'to=0', `operation=${'x'.repeat(101)}`, 'other=1']) {
      const refused = await instance.call('GET', `/access/api/audit?${wrong}`)
      expect([wrong, refused.status, refused.body.error.code]).toEqual([wrong, 400, 'VALIDATION_ERROR'])
    }
  })

  it('holds no secret, no key and no hash of one', async () => {
    const instance = await world.createInstance()
    const made = await createKey(instance)
    const hook = await createHook()
    const kept = await world.superuser`select to_jsonb(a)::text as row from administrative_acts a`
    expect(kept.length).toBeGreaterThan(20)
    const text = kept.map(({ row }) => row).join('\n')
    const hashes = await world.superuser`select encode(secret_sha256, 'hex') as hash, ref from api_keys`
    for (const { hash, ref } of hashes) {
      expect(text).not.toContain(hash)
      expect(text).not.toContain(`_${ref}_`)
    }
    for (const secret of [instance.apiKey, made.body.data.apiKey, hook.body.data.secret, 'only-we-know', 'secret-path'])
      expect(text).not.toContain(secret)
  })
})
