import { type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestAnswer, TestInstance } from '../world.ts'
import { createRelayerWorld, type RelayerWorld } from './relayer-world.ts'

const CHAIN_ID = 31_337
const RELAYER = '/access/api/relayer'

describe('the routes of the relayer', () => {
  let world: RelayerWorld

  beforeAll(async () => {
    world = await createRelayerWorld()
  })
  afterAll(() => world.close())

  const refusal = ({ status, body }: TestAnswer) => [status, body.error.code]
  const status = async (instance: TestInstance) => (await instance.call('GET', RELAYER)).body.data

  it('refuse an instance that has none', async () => {
    const instance = await world.createInstance()
    for (const [method, path] of [
      ['GET', RELAYER],
      ['PATCH', `${RELAYER}/limits`],
      ['POST', `${RELAYER}/freeze`],
      ['POST', `${RELAYER}/unfreeze`],
    ] as const)
      expect(refusal(await instance.call(method, path, method === 'PATCH' ? { body: {} } : {}))).toEqual([
        400,
        'RELAYER_NOT_CONFIGURED',
      ])
    expect((await instance.call('GET', `${RELAYER}/transactions`)).body.data).toEqual({
      transactions: [],
      hasMore: false,
      limit: 50,
      nextCursor: null,
    })
  })

  it('tell its account, its limits and what is used of them', async () => {
    const { instance, tenant, address } = await world.createRelayed({ ether: '2.5' })
    const before = await status(instance)
    expect(before).toMatchObject({
      chainId: CHAIN_ID,
      address,
      keySource: 'keystore',
      balance: '2.5',
      dailyTxLimit: 100,
      usedToday: 0,
      maxGasPerTx: null,
      frozen: false,
      frozenAt: null,
      pending: 0,
      oldestPendingAt: null,
    })
    expect(before.resetsAt).toMatch(/T00:00:00.000Z$/)
    expect(new Date(before.resetsAt) > world.clock.now()).toBe(true)
    await world.rpc('evm_setAutomine', [false])
    await world.relayer.relay(tenant, CHAIN_ID, 'x', world.record(world.newId()))
    expect(await status(instance)).toMatchObject({ usedToday: 1, pending: 1, oldestPendingAt: expect.any(String) })
    await world.rpc('evm_setAutomine', [true])
    await world.rpc('evm_mine', [])
    await world.settle(instance)
    expect(await status(instance)).toMatchObject({ usedToday: 1, pending: 0, oldestPendingAt: null })
  })

  it('still tell everything but the balance when the chain cannot be read', async () => {
    const { instance, address } = await world.createRelayed()
    world.proxy.replaceResponse = { status: 500, body: '' }
    const read = await status(instance)
    world.proxy.replaceResponse = undefined
    expect(read).toMatchObject({ address, balance: null, usedToday: 0 })
    expect((await status(instance)).balance).toBe('100')
  })

  it('set each limit by itself, and take the ceiling away', async () => {
    const { instance } = await world.createRelayed()
    const limit = (body: object) => instance.call('PATCH', `${RELAYER}/limits`, { body })
    const ceiling = parseEther('0.01').toString()
    expect((await limit({ dailyTxLimit: 10_000 })).body.data).toMatchObject({ dailyTxLimit: 10_000, maxGasPerTx: null })
    expect((await limit({ maxGasPerTx: ceiling })).body.data).toMatchObject({
      dailyTxLimit: 10_000,
      maxGasPerTx: ceiling,
    })
    expect((await limit({})).body.data).toMatchObject({ dailyTxLimit: 10_000, maxGasPerTx: ceiling })
    expect((await limit({ dailyTxLimit: 1, maxGasPerTx: null })).body.data).toMatchObject({
      dailyTxLimit: 1,
      maxGasPerTx: null,
    })
    for (const wrong of [
      { dailyTxLimit: 0 },
      { dailyTxLimit: 10_001 },
      { dailyTxLimit: 1.5 },
      { dailyTxLimit: null },
      { maxGasPerTx: 5 },
      { maxGasPerTx: '0' },
      { maxGasPerTx: '-1' },
      { maxGasPerTx: '1.5' },
      { maxGasPerTx: '0x10' },
      { frozen: false },
    ]) {
      const refused = await limit(wrong)
      expect(refusal(refused), JSON.stringify(wrong)).toEqual([400, 'VALIDATION_ERROR'])
      expect(refused.body.error.details[0].field).toBe(Object.keys(wrong)[0])
    }
    expect(await status(instance)).toMatchObject({ dailyTxLimit: 1, maxGasPerTx: null })
  })

  it('change it under an Idempotency-Key too, and tell its balance', async () => {
    const { instance } = await world.createRelayed()
    const keyed = (method: string, path: string, body?: object) =>
      instance.call(method, `${RELAYER}/${path}`, {
        headers: { 'idempotency-key': `keyed-${path}` },
        ...(body ? { body } : {}),
      })
    expect(await keyed('PATCH', 'limits', { dailyTxLimit: 7 })).toMatchObject({
      status: 200,
      body: { data: { dailyTxLimit: 7, balance: '100' } },
    })
    expect(await keyed('POST', 'freeze')).toMatchObject({ status: 200, body: { data: { frozen: true } } })
    expect(await keyed('POST', 'unfreeze')).toMatchObject({ status: 200, body: { data: { frozen: false } } })
  })

  it('freeze and unfreeze, as often as they are asked', async () => {
    const { instance } = await world.createRelayed()
    const first = await instance.call('POST', `${RELAYER}/freeze`)
    expect(first.body.data).toMatchObject({ frozen: true, frozenAt: expect.any(String) })
    world.clock.advance(5_000)
    expect((await instance.call('POST', `${RELAYER}/freeze`)).body.data).toEqual(first.body.data)
    expect((await instance.call('POST', `${RELAYER}/unfreeze`)).body.data).toMatchObject({
      frozen: false,
      frozenAt: null,
    })
    expect((await instance.call('POST', `${RELAYER}/unfreeze`)).body.data).toMatchObject({ frozen: false })
  })

  it('need the scopes of access', async () => {
    const { instance } = await world.createRelayed()
    const reader = await world.createKey(instance, ['access:read'])
    expect((await world.call('GET', RELAYER, { key: reader })).status).toBe(200)
    expect((await world.call('POST', `${RELAYER}/freeze`, { key: reader })).status).toBe(403)
    const stocks = await world.createKey(instance, ['stocks:write'])
    expect((await world.call('GET', `${RELAYER}/transactions`, { key: stocks })).status).toBe(403)
  })

  it('take no key material, whoever sends it', async () => {
    const { instance } = await world.createRelayed()
    const body = { keystore: '{}', walletPassword: 'x' }
    expect(refusal(await instance.call('PATCH', `${RELAYER}/limits`, { body }))).toEqual([400, 'KEY_MATERIAL_REJECTED'])
  })

  it('page through the history, filtered by status and by relay', async () => {
    const { instance, tenant, address } = await world.createRelayed()
    const hashes: Hex[] = []
    for (let count = 0; count < 5; count++) {
      const { txHash } = await world.relayer.relay(tenant, CHAIN_ID, `note ${count}`, world.record(world.newId()))
      hashes.push(txHash)
      world.clock.advance(5)
    }
    const page = async (query: string) => (await instance.call('GET', `${RELAYER}/transactions${query}`)).body.data
    const seen: Hex[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { transactions, nextCursor, limit } = await page(`?limit=2${cursor && `&cursor=${cursor}`}`)
      expect(limit).toBe(2)
      seen.push(...transactions.map(({ transactionHash }: { transactionHash: Hex }) => transactionHash))
      cursor = nextCursor
    }
    expect(seen).toEqual(hashes.toReversed())
    await world.settle(instance)
    expect((await page('?status=confirmed')).transactions).toHaveLength(5)
    expect((await page('?status=replaced')).transactions).toEqual([])
    const [newest] = (await page('')).transactions
    expect(newest).toMatchObject({
      purpose: 'note 4',
      from: address,
      to: world.notary,
      nonce: 4,
      gasUsed: expect.any(String),
    })
    expect((await page(`?relayId=${newest.relayId}`)).transactions).toEqual([newest])
    expect((await page('?relayId=nonsense')).transactions).toEqual([])
    expect((await page('?limit=100000')).limit).toBe(200)
    for (const wrong of ['?status=mined', '?cursor=nonsense', `?relayId=${'x'.repeat(101)}`]) {
      const refused = await instance.call('GET', `${RELAYER}/transactions${wrong}`)
      expect(refusal(refused), wrong).toEqual([400, 'VALIDATION_ERROR'])
      expect(refused.body.error.details[0].field).toBe(wrong.slice(1).split('=')[0])
    }
    const { instance: other } = await world.createRelayed()
    expect((await other.call('GET', `${RELAYER}/transactions`)).body.data.transactions).toEqual([])
    expect(
      (await other.call('GET', `${RELAYER}/transactions?relayId=${newest.relayId}`)).body.data.transactions,
    ).toEqual([])
  })
})
