import { type TcpProxy, tcpProxy } from '@tallystick/testkit'
import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createWorld, type TestAnswer, type TestInstance, type World } from '../../test/world.ts'

const WALLETS = '/access/api/wallets'
const MINUTE_MS = 60 * 1000
const newAccount = () => privateKeyToAccount(generatePrivateKey())
const refusal = ({ status, body }: TestAnswer) => [status, body.error?.code]

describe('wallets over HTTP', () => {
  let world: World
  let proxy: TcpProxy

  beforeAll(async () => {
    proxy = await tcpProxy(inject('rpcUrl'))
    world = await createWorld({ rpcUrls: [proxy.url], rpcTimeoutMs: 1_000 })
  })
  afterAll(async () => {
    await proxy.stop()
    await world.close()
  })

  const challenge = (instance: TestInstance, address: string) =>
    instance.call('POST', `${WALLETS}/challenge`, { body: { address } })
  const submit = (instance: TestInstance, body: object, headers: Record<string, string> = {}) =>
    instance.call('POST', WALLETS, { body, headers })
  /** Asks, signs and submits. */
  async function register(instance: TestInstance, account: PrivateKeyAccount, extra: object = {}): Promise<TestAnswer> {
    const { address } = account
    const asked = await challenge(instance, address)
    if (asked.status !== 200) return asked
    const signature = await account.signMessage({ message: asked.body.data.message })
    return submit(instance, { address, nonce: asked.body.data.nonce, signature, ...extra })
  }
  const list = async (instance: TestInstance) => (await instance.call('GET', WALLETS)).body.data
  const addresses = async (instance: TestInstance) =>
    (await list(instance)).map(({ address, primary }: { address: string; primary: boolean }) => [address, primary])

  it('registers an account that signs the challenge; the first becomes primary', async () => {
    const instance = await world.createInstance()
    const [first, second] = [newAccount(), newAccount()]
    const asked = await challenge(instance, first.address)
    expect(asked.body.data).toEqual({
      address: first.address.toLowerCase(),
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
      message: expect.stringContaining(instance.instanceId),
      expiresAt: expect.any(String),
    })
    const made = await register(instance, first, { label: 'Treasury' })
    expect(made.status).toBe(200)
    expect(made.body.data).toEqual({
      address: first.address.toLowerCase(),
      label: 'Treasury',
      primary: true,
      verifiedBy: 'EIP191',
      verifiedAt: expect.any(String),
    })
    expect((await register(instance, second)).body.data).toMatchObject({ label: null, primary: false })
    expect(await addresses(instance)).toEqual([
      [first.address.toLowerCase(), true],
      [second.address.toLowerCase(), false],
    ])
  })

  it('lets two instances register the same wallet, each with a challenge of its own', async () => {
    const [one, other] = [await world.createInstance(), await world.createInstance()]
    const account = newAccount()
    const asked = (await challenge(one, account.address)).body.data
    const signature = await account.signMessage({ message: asked.message })
    const foreign = await submit(other, { address: account.address, nonce: asked.nonce, signature })
    expect(refusal(foreign)).toEqual([400, 'NONCE_INVALID'])
    expect((await register(one, account)).status).toBe(200)
    expect((await register(other, account)).status).toBe(200)
    expect((await list(other))[0].primary).toBe(true)
  })

  it('refuses the signature of another account, of another text, and no signature at all', async () => {
    const instance = await world.createInstance()
    const [account, stranger] = [newAccount(), newAccount()]
    const { address } = account
    const { nonce, message } = (await challenge(instance, address)).body.data
    const good = await account.signMessage({ message })
    const bad: Hex[] = [
      await stranger.signMessage({ message }),
      await account.signMessage({ message: `${message} ` }),
      await account.signMessage({ message: (await challenge(instance, address)).body.data.message }),
      '0x',
      good.slice(0, -2) as Hex,
      `${good}00`,
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(2048)}`,
    ]
    for (const signature of bad)
      expect(refusal(await submit(instance, { address, nonce, signature }))).toEqual([400, 'SIGNATURE_INVALID'])
    // None of them used the challenge up.
    expect((await submit(instance, { address, nonce, signature: good })).status).toBe(200)
  })

  it.each([['0x0'], ['0xzz'], [`0x${'00'.repeat(2049)}`], ['']])('refuses %.20s as no signature', async (signature) => {
    const instance = await world.createInstance()
    const answer = await submit(instance, { address: newAccount().address, nonce: 'n', signature })
    expect(refusal(answer)).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.error.details[0].field).toBe('signature')
  })

  it.each([
    ['label', 'a\u0000b'],
    ['label', ''],
    ['nonce', 'a\u0000b'],
    ['nonce', 'x'.repeat(101)],
  ])('refuses a %s like %j', async (field, value) => {
    const instance = await world.createInstance()
    const body = { address: newAccount().address, nonce: 'n', signature: '0x00', [field]: value }
    const answer = await submit(instance, body)
    expect(refusal(answer)).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.error.details[0].field).toBe(field)
  })

  it('takes a challenge once, for its own wallet, and for 10 minutes', async () => {
    const instance = await world.createInstance()
    const [account, other] = [newAccount(), newAccount()]
    const { address } = account
    const asked = (await challenge(instance, address)).body.data
    const signature = await account.signMessage({ message: asked.message })
    const swapped = await submit(instance, { address: other.address, nonce: asked.nonce, signature })
    expect(refusal(swapped)).toEqual([400, 'NONCE_INVALID'])
    expect((await submit(instance, { address, nonce: asked.nonce, signature })).status).toBe(200)
    expect((await instance.call('DELETE', `${WALLETS}/${address}`)).status).toBe(200)
    expect(refusal(await submit(instance, { address, nonce: asked.nonce, signature }))).toEqual([400, 'NONCE_INVALID'])

    const late = (await challenge(instance, address)).body.data
    const lateSignature = await account.signMessage({ message: late.message })
    world.clock.advance(10 * MINUTE_MS)
    expect(refusal(await submit(instance, { address, nonce: late.nonce, signature: lateSignature }))).toEqual([
      400,
      'NONCE_INVALID',
    ])
    const unknown = { address, nonce: 'ab'.repeat(16), signature: lateSignature }
    expect(refusal(await submit(instance, unknown))).toEqual([400, 'NONCE_INVALID'])
  })

  it('registers a wallet once, however often its signature is sent at the same time', async () => {
    const instance = await world.createInstance()
    const account = newAccount()
    const { nonce, message } = (await challenge(instance, account.address)).body.data
    const signature = await account.signMessage({ message })
    const body = { address: account.address, nonce, signature }
    const answers = await Promise.all(Array.from({ length: 6 }, () => submit(instance, body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(['WALLET_ALREADY_REGISTERED', 'NONCE_INVALID']).toContain(answer.body.error.code)
    expect(await list(instance)).toHaveLength(1)
  })

  it('takes an address in any case but a wrong checksum, and answers it lowercased', async () => {
    const instance = await world.createInstance()
    const account = newAccount()
    const digits = account.address.slice(2)
    const wrong = `0x${[...digits].map((digit) => (digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase())).join('')}`
    for (const address of [account.address, account.address.toLowerCase(), `0x${digits.toUpperCase()}`])
      expect((await challenge(instance, address)).body.data.address).toBe(account.address.toLowerCase())
    const bodies = { nonce: 'n', signature: '0x00' }
    for (const address of [wrong, '0x12', digits, `${account.address}0`, `0X${digits}`]) {
      expect(refusal(await challenge(instance, address))).toEqual([400, 'INVALID_ADDRESS'])
      expect(refusal(await submit(instance, { address, ...bodies }))).toEqual([400, 'INVALID_ADDRESS'])
      expect(refusal(await instance.call('POST', `${WALLETS}/${address}/promote`))).toEqual([400, 'INVALID_ADDRESS'])
      expect(refusal(await instance.call('DELETE', `${WALLETS}/${address}`))).toEqual([400, 'INVALID_ADDRESS'])
    }
  })

  it('refuses a wallet that is registered already, when asked and when submitted', async () => {
    const instance = await world.createInstance()
    const account = newAccount()
    const early = (await challenge(instance, account.address)).body.data
    await register(instance, account)
    expect(refusal(await challenge(instance, account.address))).toEqual([409, 'WALLET_ALREADY_REGISTERED'])
    const signature = await account.signMessage({ message: early.message })
    const again = await submit(instance, { address: account.address, nonce: early.nonce, signature })
    expect(refusal(again)).toEqual([409, 'WALLET_ALREADY_REGISTERED'])
  })

  it('holds 10 wallets, also when many come at once', async () => {
    const instance = await world.createInstance()
    const accounts = Array.from({ length: 13 }, newAccount)
    const answers = await Promise.all(accounts.map((account) => register(instance, account)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(refusal(answer)).toEqual([409, 'WALLET_LIMIT_REACHED'])
    expect(refusal(await challenge(instance, newAccount().address))).toEqual([409, 'WALLET_LIMIT_REACHED'])
    const wallets = await list(instance)
    expect(wallets.filter(({ primary }: { primary: boolean }) => primary)).toHaveLength(1)
    await instance.call('DELETE', `${WALLETS}/${wallets[9].address}`)
    expect((await register(instance, newAccount())).status).toBe(200)
  })

  it('moves the primary when told to, and to the oldest of the others when it is removed', async () => {
    const instance = await world.createInstance()
    const accounts = Array.from({ length: 3 }, newAccount)
    for (const account of accounts) {
      await register(instance, account)
      world.clock.advance(1_000)
    }
    const [a = '', b = '', c = ''] = accounts.map(({ address }) => address.toLowerCase())
    const promoted = await instance.call('POST', `${WALLETS}/${c}/promote`)
    expect(promoted.body.data).toMatchObject({ address: c, primary: true })
    expect((await instance.call('POST', `${WALLETS}/${c}/promote`)).body.data).toEqual(promoted.body.data)
    expect(await addresses(instance)).toEqual([
      [c, true],
      [a, false],
      [b, false],
    ])
    const removed = await instance.call('DELETE', `${WALLETS}/${accounts[2]?.address}`)
    expect(removed.body.data).toEqual({ removed: true })
    expect(await addresses(instance)).toEqual([
      [a, true],
      [b, false],
    ])
    await instance.call('DELETE', `${WALLETS}/${b}`)
    expect(await addresses(instance)).toEqual([[a, true]])
    await instance.call('DELETE', `${WALLETS}/${a}`)
    expect(await list(instance)).toEqual([])
    expect((await register(instance, newAccount())).body.data.primary).toBe(true)
  })

  it("finds no wallet that is not the instance's own", async () => {
    const [instance, other] = [await world.createInstance(), await world.createInstance()]
    const account = newAccount()
    await register(other, account)
    const path = `${WALLETS}/${account.address}`
    expect(refusal(await instance.call('POST', `${path}/promote`))).toEqual([404, 'WALLET_NOT_FOUND'])
    expect(refusal(await instance.call('DELETE', path))).toEqual([404, 'WALLET_NOT_FOUND'])
    expect(await list(instance)).toEqual([])
    expect(await list(other)).toHaveLength(1)
  })

  it('says that the chain cannot be read instead of calling a signature wrong, and keeps nothing of it', async () => {
    const instance = await world.createInstance()
    const account = newAccount()
    const { address } = account
    const { nonce, message } = (await challenge(instance, address)).body.data
    const headers = { 'idempotency-key': 'chain-is-down' }
    const unknown = { address, nonce, signature: await newAccount().signMessage({ message }) }
    await proxy.cut()
    const down = await submit(instance, unknown, headers)
    await proxy.restore()
    expect(refusal(down)).toEqual([503, 'PROVIDER_UNAVAILABLE'])
    expect(down.headers['retry-after']).toBe('1')
    const up = await submit(instance, unknown, headers)
    expect(refusal(up)).toEqual([400, 'SIGNATURE_INVALID'])
    expect(up.headers).not.toHaveProperty('idempotent-replay')
    expect((await submit(instance, { address, nonce, signature: await account.signMessage({ message }) })).status).toBe(
      200,
    )
  })

  it('needs no chain for a plain account', async () => {
    const instance = await world.createInstance()
    await proxy.cut()
    const made = await register(instance, newAccount())
    await proxy.restore()
    expect(made.status).toBe(200)
  })
})
