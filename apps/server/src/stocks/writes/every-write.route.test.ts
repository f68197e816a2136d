import { stockTokenAbi } from '@tallystick/abi'
import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, send, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Browser, signInWithKey, signInWithWallet, withheld } from '../../../test/browser.ts'
import {
  createStocksWorld,
  must,
  type Party,
  refusal,
  STOCKS,
  type StocksWorld,
  type TestRelayer,
} from '../../../test/stocks/stocks-world.ts'
import { anna, bert, type WriteCase, writeCases } from '../../../test/stocks/write-cases.ts'

const named = writeCases.map((one) => [one.operation.id, one] as const)
const requiring = named.filter(([, { body }]) => Object.keys(body).length > 0)
const role = (name: string) => keccak256(toHex(name))

describe('every write of a stock token', () => {
  let world: StocksWorld
  let relayer: TestRelayer
  /** Signed in with the key of the issuer, where a second person is required. */
  let browser: Browser
  let approver: Browser
  /** Has recorded the tokens too, and has no relayer. */
  let lonely: Party
  let caller: Address
  /** A token that nobody changes: for what is refused before the chain matters. */
  let still: { token: Address; txHash: Hex }

  beforeAll(async () => {
    world = await createStocksWorld()
    relayer = await world.giveRelayer(world.issuer)
    lonely = await world.createParty(wallet(7))
    browser = await signInWithKey(world, world.issuer)
    const accounts = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())] as const
    for (const account of accounts) await addUser(world.issuer, account, 'approver')
    approver = await signInWithWallet(world, accounts[0])
    must(await world.issuer.call('PUT', '/access/api/approval-policy', { body: { secondPerson: true } }))
    await world.verify(anna, bert)
    caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    still = await world.deployStock({ allowSubIssuers: true })
    must(await lonely.post(`${STOCKS}/tokenization/deploy`, { txHash: still.txHash }))
  })
  afterAll(() => world.close())

  const pathOf = ({ operation }: WriteCase, token: Address) => operation.path.replace('{tokenAddress}', token)

  /** A token on which the write can be made, by the issuer's wallet and by the relayer. */
  async function prepared({ prepare }: WriteCase): Promise<Address> {
    const { token } = await world.deployStock({ allowSubIssuers: true })
    for (const name of ['ISSUER_ROLE', 'CONTROLLER_ROLE'])
      await world.onToken(token, 'grantRole', [role(name), relayer.address])
    await world.onToken(token, 'addController', [world.issuer.wallet.address])
    await prepare?.(world, token)
    return token
  }

  it.each(named)('%s is built, signed, sent and confirmed', async (_id, write) => {
    const token = await prepared(write)
    const path = pathOf(write, token)
    const built = must(await world.issuer.post(path, write.body)).body.data
    expect(built).toMatchObject({
      success: true,
      txData: { to: token, data: expect.stringMatching(/^0x/), value: '0' },
      chainId: 31337,
      functionName: write.functionName,
      requiredRole: write.requiredRole,
      signerAddress: world.issuer.wallet.address.toLowerCase(),
      simulation: { simulated: true, success: true, revert: null },
      confirmWith: { endpoint: path, field: 'txHash' },
      ...write.built,
    })
    const txHash = await world.sign(world.issuer.wallet, { status: 200, body: { data: built } } as never)
    const done = { transactionHash: txHash, tokenAddress: token, ...write.done }
    expect(must(await world.issuer.post(path, { ...write.body, txHash })).body.data).toEqual(done)
    // All that the body says is a cross-check, so the hash alone proves as much; and twice is the same.
    expect(must(await world.issuer.post(path, { txHash })).body.data).toEqual(done)
    if (write.another) {
      const answer = await world.issuer.post(path, { ...write.body, ...write.another, txHash })
      expect(refusal(answer)).toEqual([400, 'TX_NOT_VERIFIED'])
    }
  })

  it.each(named)('%s is sent by the relayer, unless a limit, its signer or the token says no', async (_id, write) => {
    const token = await prepared(write)
    const path = pathOf(write, token)
    const relay = () => world.issuer.post(path, { ...write.body, useRelayer: true })

    await world.issuer.call('PATCH', '/access/api/relayer/limits', { body: { maxGasPerTx: '1' } })
    const limited = await relay()
    expect(refusal(limited)).toEqual([429, 'RELAYER_LIMIT_EXCEEDED'])
    expect(limited.body.error).toMatchObject({ limit: 'maxGasPerTx', retryAfterSeconds: expect.any(Number) })
    await world.issuer.call('PATCH', '/access/api/relayer/limits', { body: { maxGasPerTx: null } })

    relayer.signer.behave = async () => ({ error: { code: -32000, message: 'the vault is locked' } })
    expect(refusal(await relay())).toEqual([502, 'RELAYER_UNAVAILABLE'])
    relayer.signer.behave = undefined

    must(await world.issuer.post('/access/api/relayer/freeze'))
    expect(refusal(await relay())).toEqual([403, 'RELAYER_FROZEN'])
    must(await world.issuer.post('/access/api/relayer/unfreeze'))

    const body = { ...write.body, useRelayer: true }
    expect(refusal(await browser.call('POST', path, { body }))).toEqual([409, 'APPROVAL_REQUIRED'])

    const { data, metadata } = must(await relay()).body
    expect(data).toEqual({
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      tokenAddress: token,
      ...write.done,
    })
    expect(metadata).toMatchObject({ requestId: expect.any(String), instanceId: world.issuer.instanceId })
    await world.node.publicClient.waitForTransactionReceipt({ hash: data.transactionHash })
    const confirmed = must(await world.issuer.post(path, { txHash: data.transactionHash })).body.data
    expect(confirmed).toEqual({ ...data })
  })

  it('what a second person approved is relayed once, for its maker', async () => {
    const [, write] = named.find(([id]) => id === 'issueShares') ?? named[0] ?? []
    if (!write) throw new Error('no write')
    const path = pathOf(write, await prepared(write))
    const TRANSACTIONS = '/access/api/transactions'
    const ask = (body: object = {}) => browser.call('POST', path, { body: { ...write.body, ...body } })
    const { transactionId } = withheld(await ask())
    expect(refusal(await ask({ useRelayer: true }))).toEqual([409, 'APPROVAL_REQUIRED'])
    must(await approver.call('POST', `${TRANSACTIONS}/${transactionId}/approve`))
    const stranger = await approver.call('POST', path, { body: { ...write.body, useRelayer: true } })
    expect(refusal(stranger)).toEqual([409, 'APPROVAL_REQUIRED'])
    const answers = await Promise.all([ask({ useRelayer: true }), ask({ useRelayer: true })])
    const [done, refused] = answers.toSorted((a, b) => a.status - b.status)
    expect(refusal(refused as never)).toEqual([409, 'APPROVAL_REQUIRED'])
    const { transactionHash } = must(done as never).body.data
    expect(must(await browser.call('GET', `${TRANSACTIONS}/${transactionId}`)).body.data).toMatchObject({
      status: 'SENT',
      txHash: transactionHash,
    })
    await world.node.publicClient.waitForTransactionReceipt({ hash: transactionHash })
    expect(refusal(await ask({ useRelayer: true }))).toEqual([409, 'APPROVAL_REQUIRED'])
  })

  it.each(named)('%s is not sent where it would fail, nor where there is no relayer', async (_id, write) => {
    const path = pathOf(write, still.token)
    const relay = (party: Party) => party.post(path, { ...write.body, useRelayer: true })
    const answer = await relay(world.issuer)
    expect(refusal(answer)).toEqual([409, 'TX_WOULD_REVERT'])
    const revert = { error: expect.any(String), code: expect.any(String), message: expect.any(String) }
    expect(answer.body.error.simulation).toMatchObject({ simulated: true, success: false, revert })
    expect(refusal(await relay(lonely))).toEqual([400, 'RELAYER_NOT_CONFIGURED'])
  })

  it.each(named)('%s says what is wrong with a body, on both legs', async (_id, write) => {
    const path = pathOf(write, still.token)
    const txHash = `0x${'7'.repeat(64)}`
    for (const hash of [{}, { txHash }]) {
      const unknown = await world.issuer.post(path, { ...write.body, ...hash, initData: '0x' })
      expect(refusal(unknown)).toEqual([400, 'VALIDATION_ERROR'])
      expect(unknown.body.error.details[0].field).toBe('initData')
      if (!write.invalid) continue
      const answer = await world.issuer.post(path, { ...write.body, ...write.invalid, ...hash })
      expect(refusal(answer)).toEqual([400, 'VALIDATION_ERROR'])
    }
    const both = await world.issuer.post(path, { ...write.body, txHash, useRelayer: true })
    expect(refusal(both)).toEqual([400, 'VALIDATION_ERROR'])
    expect(both.body.error.details[0].field).toBe('useRelayer')
  })

  it.each(requiring.filter(([id]) => id !== 'continueSplit'))(
    '%s says which fields are missing',
    async (_id, write) => {
      const answer = await world.issuer.post(pathOf(write, still.token), {})
      expect(refusal(answer)).toEqual([400, 'MISSING_FIELDS'])
      const fields = answer.body.error.details.map(({ field }: { field: string }) => field)
      expect(Object.keys(write.body)).toEqual(expect.arrayContaining(fields))
      expect(fields.length).toBeGreaterThan(0)
    },
  )

  it.each(named)('%s takes no hash that proves nothing', async (_id, write) => {
    const path = pathOf(write, still.token)
    const refused = async (txHash: Hex, status: number, code: string) =>
      expect(refusal(await world.issuer.post(path, { txHash }))).toEqual([status, code])
    const approve = { abi: stockTokenAbi, functionName: 'approve', args: [anna, 1n] } as const
    await refused(`0x${'0'.repeat(63)}1`, 404, 'TX_NOT_FOUND')
    const direct = await send(world.node, { address: still.token, ...approve })
    await refused(direct.transactionHash, 400, 'TX_WRONG_FUNCTION')
    const wrapped = [{ target: still.token, value: 0n, callData: encodeFunctionData(approve) }]
    const inside = await send(world.node, {
      address: caller,
      abi: callerAbi,
      functionName: 'callAll',
      args: [wrapped, false],
    })
    await refused(inside.transactionHash, 400, 'TX_NOT_VERIFIED')
    const empty = { address: caller, abi: callerAbi, functionName: 'callAll', args: [[], false] }
    await refused((await send(world.node, empty)).transactionHash, 400, 'TX_WRONG_TARGET')
    await refused(await world.failed(still.token), 400, 'TX_REVERTED')
    await world.withoutNode(async () => {
      await refused(direct.transactionHash, 503, 'CHAIN_UNAVAILABLE')
      expect(refusal(await world.issuer.post(path, write.body))).toEqual([503, 'CHAIN_UNAVAILABLE'])
    })
  })
})
