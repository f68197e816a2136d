import { wallet } from '@tallystick/testkit'
import { type Hash, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser, browserOf, signInWithKey } from '../../test/browser.ts'
import { developmentWallet, signerOf } from '../../test/development-wallet.ts'
import { createWorld, type TestAnswer, type TestInstance, type World } from '../../test/world.ts'
import type { DevelopmentRole, DevelopmentRoles } from './index.ts'

const ROLES = '/demo/api/roles'
const SIGN_IN = '/demo/api/sign-in'
const SEND = '/demo/api/send'
const SIGN_ORDER = '/demo/api/sign-order'
const refusal = ({ status, body }: TestAnswer) => [status, body.error?.code]
/** On the chain that all test files share: an account that nobody else sends from. */
const account = privateKeyToAccount(generatePrivateKey())
const address = account.address.toLowerCase()
const to = wallet(0).address

describe('the roles of the demo', () => {
  let world: World
  let instance: TestInstance
  const roles: DevelopmentRole[] = []

  const development: DevelopmentRoles = {
    ...developmentWallet(account, () => world.chain),
    list: () => roles,
    holds: (instanceId, one) => instanceId === instance.instanceId && one === address,
  }
  const sentCount = () => world.chain.publicClient.getTransactionCount({ address: account.address })

  beforeAll(async () => {
    world = await createWorld({ development })
    await world.chain.testClient.setBalance({ address: account.address, value: parseEther('1') })
    instance = await world.createInstance({ name: 'Lender' })
    await addUser(instance, account, 'admin', 'Lena')
    const { instanceId } = instance
    roles.push({ role: 'lender', name: 'Lender', instanceId, instanceName: 'lender', address, userRole: 'admin' })
    roles.push({ ...roles[0], role: 'nobody', address: `0x${'9'.repeat(40)}` } as DevelopmentRole)
  })
  afterAll(() => world.close())

  it('do not exist outside of it', async () => {
    const other = await createWorld()
    const { apiKey: key } = await other.createInstance()
    for (const [method, path] of [
      ['GET', ROLES],
      ['POST', SIGN_IN],
      ['POST', SEND],
      ['POST', SIGN_ORDER],
    ] as const) {
      expect(other.app.hasRoute({ method, url: path })).toBe(false)
      const answer = await other.call(method, path, { key, ...(method === 'POST' ? { body: {} } : {}) })
      expect(refusal(answer)).toEqual([404, 'ROUTE_NOT_FOUND'])
    }
    await other.close()
  })

  it('are listed to everybody on this machine, and nobody else', async () => {
    const listed = await world.call('GET', ROLES)
    expect(listed.body.data.roles).toEqual(roles)
    expect(refusal(await world.call('GET', ROLES, { headers: { host: 'demo.example' } }))).toEqual([
      403,
      'ORIGIN_REFUSED',
    ])
  })

  it('sign in with one click, and out of the session before', async () => {
    const before = await signInWithKey(world, instance)
    const headers = { cookie: before.cookie }
    const browser = browserOf(world, await world.call('POST', SIGN_IN, { body: { role: 'lender' }, headers }))
    expect(browser.answer.body.data).toMatchObject({ name: 'Lena', role: 'admin', user: { address } })
    expect((await browser.call('GET', '/access/api/session')).status).toBe(200)
    expect(refusal(await before.call('GET', '/access/api/session'))).toEqual([401, 'AUTH_FAILED'])
    for (const role of ['unknown', 'nobody'])
      expect(refusal(await world.call('POST', SIGN_IN, { body: { role } }))).toEqual([403, 'USER_UNKNOWN'])
  })

  it('send what was built, in a session of theirs, with its token, and from their own accounts only', async () => {
    const { call } = browserOf(world, await world.call('POST', SIGN_IN, { body: { role: 'lender' } }))
    const transactions = [{ to, data: '0x', value: '1' }, { data: '0x00' }]
    const answer = await call('POST', SEND, { body: { transactions } })
    expect(answer.body.data).toEqual({ from: address, hashes: [expect.any(String), expect.any(String)] })
    const { publicClient } = world.chain
    const [paid, created] = await Promise.all(
      (answer.body.data.hashes as Hash[]).map((hash) => publicClient.waitForTransactionReceipt({ hash })),
    )
    expect(paid).toMatchObject({ from: address, to: to.toLowerCase(), status: 'success' })
    expect((await publicClient.getTransaction({ hash: answer.body.data.hashes[0] })).value).toBe(1n)
    expect(created).toMatchObject({ from: address, to: null, contractAddress: expect.any(String), status: 'success' })
    // Code that is no instruction.
    const refused = await call('POST', SEND, { body: { transactions: [{ data: '0xfe' }] } })
    expect(refusal(refused)).toEqual([400, 'TX_REVERTED'])
    expect(refusal(await call('POST', SEND, { body: { transactions, from: to } }))).toEqual([403, 'USER_UNKNOWN'])
    expect(refusal(await instance.call('POST', SEND, { body: { transactions } }))).toEqual([403, 'USER_UNKNOWN'])
    const forged = await call('POST', SEND, { body: { transactions }, headers: { 'x-csrf-token': 'x' } })
    expect(refusal(forged)).toEqual([403, 'CSRF_TOKEN_INVALID'])
    expect(refusal(await call('POST', SEND, { body: { transactions: [] } }))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await sentCount()).toBe(2)
  })

  it('sign orders of their own account, and nothing else', async () => {
    const { call } = browserOf(world, await world.call('POST', SIGN_IN, { body: { role: 'lender' } }))
    const domain = { name: 'Vault', version: '1', chainId: 31_337, verifyingContract: to }
    const order = {
      ...{ trader: account.address, token: to, quote: to, isBuy: true, quantity: '1', price: '2', maxFee: '0' },
      ...{ expiry: '4', nonce: '77', salt: `0x${'0'.repeat(64)}` },
    }
    const sign = (body: object) => call('POST', SIGN_ORDER, { body })
    const { signature } = (await sign({ domain, order })).body.data as { signature: Hex }
    expect(await signerOf({ domain, order }, signature)).toBe(account.address)
    expect(refusal(await sign({ domain, order: { ...order, trader: to } }))).toEqual([403, 'USER_UNKNOWN'])
    expect(refusal(await sign({ domain, order: { ...order, spender: to } }))).toEqual([400, 'VALIDATION_ERROR'])
    const keyed = await instance.call('POST', SIGN_ORDER, { body: { domain, order } })
    expect(refusal(keyed)).toEqual([403, 'USER_UNKNOWN'])
  })
})
