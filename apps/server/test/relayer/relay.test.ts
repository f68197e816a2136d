import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRelayerWorld, eventually, type RelayerWorld } from './relayer-world.ts'

const CHAIN_ID = 31_337
const DAY_MS = 24 * 60 * 60 * 1000

describe('relaying a call', () => {
  let world: RelayerWorld

  beforeAll(async () => {
    world = await createRelayerWorld()
  })
  afterAll(() => world.close())

  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => 'answered',
      (error: { code?: string }) => error.code,
    )

  it('signs, stores and broadcasts it, and answers its hash', async () => {
    const { instance, tenant, address } = await world.createRelayed()
    const id = world.newId()
    const answer = await world.relayer.relay(tenant, CHAIN_ID, 'noting', world.record(id))
    expect(answer).toEqual({
      relayId: expect.any(String),
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      from: address,
    })
    await eventually(() => world.recordedBy(address)).toEqual([id])
    await world.settle(instance)
    expect(await world.history(instance)).toMatchObject([
      {
        relayId: answer.relayId,
        transactionHash: answer.txHash,
        status: 'confirmed',
        kind: 'call',
        purpose: 'noting',
        nonce: 0,
      },
    ])
  })

  it('gives fifty calls of two processes fifty consecutive nonces, and all are mined', async () => {
    const { instance, tenant, address } = await world.createRelayed()
    const other = world.anotherService()
    const sides = [
      { service: world.relayer, tenant },
      { service: other.service, tenant: await world.tenantOf(instance.instanceId, other.database) },
    ]
    const ids = Array.from({ length: 50 }, world.newId)
    const answers = await world.minedAfter(() =>
      Promise.all(
        ids.map((id, index) => {
          const side = sides[index % 2]
          if (!side) throw new Error('no side')
          return side.service.relay(side.tenant, CHAIN_ID, id, world.record(id))
        }),
      ),
    )
    expect(new Set(answers.map(({ txHash }) => txHash)).size).toBe(50)
    await eventually(() => world.minedNonces(address)).toEqual(Array.from({ length: 50 }, (_, nonce) => nonce))
    expect((await world.recordedBy(address)).sort()).toEqual([...ids].sort())
    await world.settle(instance)
    expect((await world.history(instance)).map(({ status }) => status)).toEqual(ids.map(() => 'confirmed'))
  })

  it('serves more requests at once with an Idempotency-Key than there are connections', async () => {
    const { instance, address } = await world.createRelayed()
    const ids = Array.from({ length: 30 }, world.newId)
    const answers = await world.minedAfter(() =>
      Promise.all(
        ids.map((id) =>
          instance.call('POST', '/test/api/relay', { body: { id }, headers: { 'idempotency-key': `many-${id}` } }),
        ),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
    await eventually(() => world.minedNonces(address)).toEqual(ids.map((_, nonce) => nonce))
  })

  it('sends once per Idempotency-Key, and without one as often as it is asked', async () => {
    const { instance, address, tenant } = await world.createRelayed()
    const request = { body: { id: world.newId() }, headers: { 'idempotency-key': 'relay-once-1' } }
    const first = await instance.call('POST', '/test/api/relay', request)
    const again = await instance.call('POST', '/test/api/relay', request)
    expect(again.text).toBe(first.text)
    await eventually(() => world.minedNonces(address)).toEqual([0])
    const call = { to: address, data: '0x', value: 0n } as const
    const answers = await world.minedAfter(() =>
      Promise.all([1, 2].map(() => world.relayer.relay(tenant, CHAIN_ID, 'twice', call))),
    )
    expect(new Set(answers.map(({ txHash }) => txHash)).size).toBe(2)
    await eventually(() => world.minedNonces(address)).toEqual([0, 1, 2])
  })

  it('sends nothing of a request that is refused after all, and uses its nonce again', async () => {
    const { instance, address, tenant } = await world.createRelayed()
    const request = { body: { id: world.newId(), fail: true }, headers: { 'idempotency-key': 'refused-late' } }
    expect((await instance.call('POST', '/test/api/relay', request)).status).toBe(409)
    expect(await world.recordedBy(address)).toEqual([])
    const [left] = await world.superuser`select nonce, state from relays where sender = ${address}`
    expect(left).toEqual({ nonce: '0', state: 'RESERVED' })
    // Whoever reserved it has fallen silent.
    world.clock.advance(61_000)
    const id = world.newId()
    await world.relayer.relay(tenant, CHAIN_ID, 'next', world.record(id))
    await eventually(() => world.minedNonces(address)).toEqual([0])
    await eventually(() => world.recordedBy(address)).toEqual([id])
  })

  it('answers the hash of what is stored although no node could be reached, and the worker sends it', async () => {
    const { tenant, address, instance } = await world.createRelayed()
    const id = world.newId()
    world.proxy.replaceAnswer = ({ method }) => (method === 'eth_sendRawTransaction' ? 'nothing' : undefined)
    const { txHash } = await world.relayer.relay(tenant, CHAIN_ID, 'kept', world.record(id))
    world.proxy.replaceAnswer = undefined
    expect(await world.recordedBy(address)).toEqual([])
    expect(await world.history(instance)).toMatchObject([{ transactionHash: txHash, status: 'pending' }])
    await world.settle(instance)
    expect(await world.recordedBy(address)).toEqual([id])
    expect(await world.history(instance)).toMatchObject([{ transactionHash: txHash, status: 'confirmed' }])
  })

  it('stores nothing when the chain cannot be asked for the price', async () => {
    const { tenant, instance } = await world.createRelayed()
    world.proxy.replaceResponse = { status: 503, body: '' }
    const asked = world.relayer.relay(tenant, CHAIN_ID, 'unpriced', world.record(world.newId()))
    await expect(asked).rejects.toMatchObject({ code: 'RELAYER_UNAVAILABLE' })
    world.proxy.replaceResponse = undefined
    expect(await world.history(instance)).toEqual([])
  })

  it('is refused without a relayer, on another chain, and while frozen', async () => {
    const bare = await world.createInstance()
    const bareTenant = await world.tenantOf(bare.instanceId)
    const call = world.record(world.newId())
    expect(await code(world.relayer.relay(bareTenant, CHAIN_ID, 'x', call))).toBe('RELAYER_NOT_CONFIGURED')
    expect(await code(world.relayer.addressOf(bareTenant, CHAIN_ID))).toBe('RELAYER_NOT_CONFIGURED')
    const { instance, tenant, address } = await world.createRelayed()
    expect(await code(world.relayer.relay(tenant, 1, 'x', call))).toBe('RELAYER_NOT_CONFIGURED')
    expect(await world.relayer.addressOf(tenant, CHAIN_ID)).toBe(address)
    await instance.call('POST', '/access/api/relayer/freeze')
    expect(await code(world.relayer.relay(tenant, CHAIN_ID, 'x', call))).toBe('RELAYER_FROZEN')
    expect(await code(world.relayer.addressOf(tenant, CHAIN_ID))).toBe('RELAYER_FROZEN')
    await instance.call('POST', '/access/api/relayer/unfreeze')
    expect(await code(world.relayer.relay(tenant, CHAIN_ID, 'x', call))).toBe('answered')
  })

  it('is refused beyond the daily limit, also when many come at once, until the next day begins in UTC', async () => {
    const { instance, tenant, address } = await world.createRelayed()
    await instance.call('PATCH', '/access/api/relayer/limits', { body: { dailyTxLimit: 3 } })
    const eight = Array.from({ length: 8 }, world.newId)
    const settled = await world.minedAfter(() =>
      Promise.allSettled(eight.map((id) => world.relayer.relay(tenant, CHAIN_ID, 'x', world.record(id)))),
    )
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const now = world.clock.now().getTime()
    const untilMidnight = DAY_MS - (now % DAY_MS)
    for (const one of settled)
      if (one.status === 'rejected') {
        expect(one.reason).toMatchObject({ code: 'RELAYER_LIMIT_EXCEEDED', extra: { limit: 'dailyTxLimit' } })
        expect(Math.abs(one.reason.extra.retryAfterSeconds - untilMidnight / 1000)).toBeLessThan(60)
      }
    await eventually(() => world.minedNonces(address)).toEqual([0, 1, 2])
    const next = () => world.relayer.relay(tenant, CHAIN_ID, 'x', world.record(world.newId()))
    world.clock.advance(untilMidnight - 300_000)
    expect(await code(next())).toBe('RELAYER_LIMIT_EXCEEDED')
    world.clock.advance(600_000)
    expect(await code(next())).toBe('answered')
  })

  it('tells over HTTP which limit it was and when to come back', async () => {
    const { instance } = await world.createRelayed()
    await instance.call('PATCH', '/access/api/relayer/limits', { body: { maxGasPerTx: '1000' } })
    const request = { body: { id: world.newId() }, headers: { 'idempotency-key': 'too-dear-1' } }
    const refused = await instance.call('POST', '/test/api/relay', request)
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RELAYER_LIMIT_EXCEEDED'])
    expect(refused.body.error).toMatchObject({ limit: 'maxGasPerTx', retryAfterSeconds: 60 })
    expect(refused.headers['retry-after']).toBe('60')
    await instance.call('PATCH', '/access/api/relayer/limits', { body: { maxGasPerTx: null } })
    expect((await instance.call('POST', '/test/api/relay', request)).status).toBe(200)
  })

  it('is refused when its account cannot pay, and when the call would fail', async () => {
    const { tenant, instance } = await world.createRelayed({ ether: '0.00000001' })
    const call = world.record(world.newId())
    const poor = world.relayer.relay(tenant, CHAIN_ID, 'x', call)
    await expect(poor).rejects.toMatchObject({ code: 'RELAYER_UNAVAILABLE', detail: expect.stringContaining('pay') })
    const address = await world.relayer.addressOf(tenant, CHAIN_ID)
    await world.node.testClient.setBalance({ address, value: parseEther('1') })
    const empty = world.relayer.relay(tenant, CHAIN_ID, 'x', world.record(world.newId(), 0n))
    await expect(empty).rejects.toMatchObject({ code: 'TX_WOULD_REVERT' })
    expect(await world.history(instance)).toEqual([])
    expect(await code(world.relayer.relay(tenant, CHAIN_ID, 'x', call))).toBe('answered')
  })

  it('goes on behind transactions that the account sent elsewhere', async () => {
    const { tenant, address, privateKey } = await world.createRelayed()
    await world.relayer.relay(tenant, CHAIN_ID, 'x', world.record(world.newId()))
    const account = privateKeyToAccount(privateKey)
    const hash = await world.node.walletClient.sendTransaction({ account, to: address, value: 0n })
    await world.node.publicClient.waitForTransactionReceipt({ hash })
    await world.relayer.relay(tenant, CHAIN_ID, 'x', world.record(world.newId()))
    await eventually(() => world.minedNonces(address)).toEqual([0, 1, 2])
  })
})
