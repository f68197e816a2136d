import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, parseEther, parseGwei, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { createRelayerOperator, startRelayerJob } from '../../src/relayer/index.ts'
import { createRelayerWorld, eventually, type Relayed, type RelayerWorld, STUCK_MS } from './relayer-world.ts'
import { startTestSigner } from './test-signer.ts'

const CHAIN_ID = 31_337

describe('looking after what relayers signed', () => {
  let world: RelayerWorld

  beforeAll(async () => {
    world = await createRelayerWorld()
  })
  afterEach(async () => {
    world.proxy.replaceAnswer = undefined
    world.proxy.changeResult = undefined
    await world.rpc('evm_setAutomine', [true])
    await mine(parseGwei('1'))
  })
  afterAll(() => world.close())

  const relay = ({ tenant }: Relayed, id: Hex = world.newId()) =>
    world.relayer.relay(tenant, CHAIN_ID, 'kept', world.record(id))
  const stopMining = () => world.rpc('evm_setAutomine', [false])
  const mine = (baseFee?: bigint) =>
    (baseFee === undefined ? Promise.resolve() : world.rpc('anvil_setNextBlockBaseFeePerGas', [toHex(baseFee)])).then(
      () => world.rpc('evm_mine', []),
    )
  /** Newest first: [status, nonce]. */
  const states = async ({ instance }: Relayed) =>
    (await world.history(instance)).map(({ status, nonce }) => [status, nonce])
  const answerTo = (method: string, answer: { error: object } | { result: unknown } | 'nothing') => {
    world.proxy.replaceAnswer = (call) => (call.method === method ? answer : undefined)
  }

  it('replaces a stuck transaction by one that pays at least an eighth more, and follows the one that is mined', async () => {
    const relayed = await world.createRelayed()
    await stopMining()
    const id = world.newId()
    const { txHash, relayId } = await relay(relayed, id)
    await mine(parseGwei('50'))
    await world.pass()
    expect(await states(relayed)).toEqual([['pending', 0]])
    world.clock.advance(STUCK_MS + 1_000)
    await Promise.all([world.pass(), world.pass()])
    const [replacement, original] = await world.history(relayed.instance)
    expect(original).toMatchObject({
      transactionHash: txHash,
      status: 'replaced',
      replacedBy: replacement?.transactionHash,
    })
    expect(replacement).toMatchObject({ status: 'pending', relayId, nonce: 0, purpose: 'kept' })
    expect(BigInt(replacement?.maxFeePerGas ?? 0) * 8n).toBeGreaterThanOrEqual(BigInt(original?.maxFeePerGas ?? 0) * 9n)
    await mine()
    await world.pass()
    expect(await states(relayed)).toEqual([
      ['confirmed', 0],
      ['replaced', 0],
    ])
    await eventually(() => world.recordedBy(relayed.address)).toEqual([id])
  })

  it('replaces all that the price of gas has left behind, not only the first', async () => {
    const relayed = await world.createRelayed()
    await stopMining()
    for (let count = 0; count < 3; count++) await relay(relayed)
    await mine(parseGwei('90'))
    world.clock.advance(STUCK_MS + 1_000)
    await world.pass()
    await mine()
    await world.pass()
    expect((await states(relayed)).filter(([status]) => status === 'confirmed')).toEqual([
      ['confirmed', 2],
      ['confirmed', 1],
      ['confirmed', 0],
    ])
  })

  it('does not outbid without end when no block comes', async () => {
    const relayed = await world.createRelayed()
    await stopMining()
    await relay(relayed)
    for (let turn = 0; turn < 12; turn++) {
      world.clock.advance(STUCK_MS + 1_000)
      await world.pass()
    }
    const fees = (await world.history(relayed.instance)).map(({ maxFeePerGas }) => BigInt(maxFeePerGas))
    expect(fees.length).toBeLessThan(9)
    expect(fees[0]).toBeLessThanOrEqual((fees.at(-1) ?? 0n) * 2n)
  })

  it('keeps a replacement below the ceiling of the instance, or makes none', async () => {
    const relayed = await world.createRelayed()
    await stopMining()
    await relay(relayed)
    const [first] = await world.history(relayed.instance)
    const gas = BigInt(
      (await world.superuser`select gas_limit from relay_attempts where tx_hash = ${first?.transactionHash ?? ''}`)[0]
        ?.gas_limit,
    )
    const limit = (perGas: bigint) =>
      relayed.instance.call('PATCH', '/access/api/relayer/limits', { body: { maxGasPerTx: (gas * perGas).toString() } })
    await mine(parseGwei('40'))
    world.clock.advance(STUCK_MS + 1_000)
    await limit(BigInt(first?.maxFeePerGas ?? 0))
    await world.pass()
    expect(await states(relayed)).toEqual([['pending', 0]])
    await limit(parseGwei('60'))
    await world.pass()
    const [replacement] = await world.history(relayed.instance)
    expect(replacement?.maxFeePerGas).toBe(parseGwei('60').toString())
    await mine()
  })

  it('follows the first transaction when that one is mined although it was replaced', async () => {
    const relayed = await world.createRelayed()
    await stopMining()
    await relay(relayed)
    world.clock.advance(STUCK_MS + 1_000)
    // The node says that it took the replacement, and loses it.
    answerTo('eth_sendRawTransaction', { result: toHex(0, { size: 32 }) })
    await world.pass()
    const [replacement, original] = await world.history(relayed.instance)
    expect(original?.replacedBy).toBe(replacement?.transactionHash)
    await mine()
    await world.pass()
    expect(await world.history(relayed.instance)).toMatchObject([
      { status: 'replaced', replacedBy: original?.transactionHash },
      { status: 'confirmed', replacedBy: null },
    ])
  })

  it('uses up a nonce that nobody signed for, when others wait behind it', async () => {
    const privateKey = generatePrivateKey()
    const signer = await startTestSigner(privateKey)
    const relayed = await world.createRelayed({ signerUrl: signer.url, privateKey })
    let refuse: (() => void) | undefined
    signer.behave = async (asked, sign) => {
      if (Number(asked.nonce) !== 0) return sign(asked)
      await new Promise<void>((resolve) => {
        refuse = resolve
      })
      return { error: { message: 'no' } }
    }
    const failed = expect(relay(relayed)).rejects.toMatchObject({ code: 'RELAYER_UNAVAILABLE' })
    while (!refuse) await sleep(5)
    await Promise.all([relay(relayed), relay(relayed)])
    refuse()
    await failed
    expect(await world.minedNonces(relayed.address)).toEqual([])
    signer.behave = undefined
    await Promise.all([world.pass(), world.pass()])
    await eventually(() => world.minedNonces(relayed.address)).toEqual([0, 1, 2])
    await world.settle(relayed.instance)
    const lines = await world.history(relayed.instance)
    expect(lines.map(({ status, nonce, kind }) => [status, nonce, kind]).sort()).toEqual([
      ['confirmed', 0, 'fill'],
      ['confirmed', 1, 'call'],
      ['confirmed', 2, 'call'],
    ])
    expect(lines.find(({ kind }) => kind === 'fill')).toMatchObject({ to: relayed.address, purpose: 'fill' })
    const status = await relayed.instance.call('GET', '/access/api/relayer')
    expect(status.body.data).toMatchObject({ usedToday: 2, pending: 0 })
    await signer.stop()
  })

  it('tells that a call failed on chain', async () => {
    const relayed = await world.createRelayed()
    const id = world.newId()
    await relay(relayed, id)
    await world.settle(relayed.instance)
    // As if it had been priced before the first one was mined.
    world.proxy.replaceAnswer = ({ method }) => (method === 'eth_estimateGas' ? { result: toHex(90_000) } : undefined)
    await relay(relayed, id)
    await world.settle(relayed.instance)
    expect(await world.history(relayed.instance)).toMatchObject([
      { status: 'failed', reason: 'mined, but the call failed' },
      { status: 'confirmed', reason: null },
    ])
  })

  it('sends again what a reorganization took away', async () => {
    const relayed = await world.createRelayed()
    const id = world.newId()
    await relay(relayed, id)
    await world.settle(relayed.instance)
    expect(await states(relayed)).toEqual([['confirmed', 0]])
    await stopMining()
    await world.rpc('anvil_reorg', [1, []])
    await world.rpc('anvil_dropAllTransactions', [])
    expect(await world.recordedBy(relayed.address)).toEqual([])
    world.clock.advance(31_000)
    await world.pass()
    expect(await states(relayed)).toEqual([['pending', 0]])
    await mine()
    await world.pass()
    expect(await states(relayed)).toEqual([['confirmed', 0]])
    await eventually(() => world.recordedBy(relayed.address)).toEqual([id])
  })

  it('calls a transaction failed whose nonce was used elsewhere, once that is final', async () => {
    const relayed = await world.createRelayed()
    answerTo('eth_sendRawTransaction', 'nothing')
    await relay(relayed)
    world.proxy.replaceAnswer = undefined
    const account = privateKeyToAccount(relayed.privateKey)
    const hash = await world.node.walletClient.sendTransaction({ account, to: relayed.address, value: 0n })
    await world.node.publicClient.waitForTransactionReceipt({ hash })
    await world.pass()
    expect(await states(relayed)).toEqual([['pending', 0]])
    await world.rpc('anvil_mine', [toHex(100)])
    await world.pass()
    expect(await world.history(relayed.instance)).toMatchObject([
      { status: 'failed', reason: expect.stringContaining(`did not send: ${hash}`) },
    ])
    await relay(relayed)
    await eventually(() => world.minedNonces(relayed.address)).toEqual([0, 1])
  })

  it('keeps waiting for the receipt of a transaction that is mined, however late the node shows it', async () => {
    const relayed = await world.createRelayed()
    world.proxy.changeResult = ({ method, result }) => (method === 'eth_getTransactionReceipt' ? null : result)
    await relay(relayed)
    await eventually(() => world.minedNonces(relayed.address)).toEqual([0])
    await world.rpc('anvil_mine', [toHex(100)])
    await world.pass()
    expect(await states(relayed)).toEqual([['pending', 0]])
    world.proxy.changeResult = undefined
    await world.pass()
    expect(await states(relayed)).toEqual([['confirmed', 0]])
  })

  it('takes nothing back that is mined when a node is asked that lags behind', async () => {
    const relayed = await world.createRelayed()
    await relay(relayed)
    await world.settle(relayed.instance)
    const height = await world.node.publicClient.getBlockNumber()
    world.proxy.changeResult = ({ method, params, result }) => {
      if (method === 'eth_getTransactionReceipt') return null
      if (method === 'eth_getTransactionCount') return '0x0'
      return method === 'eth_getBlockByNumber' && params[0] === toHex(height) ? null : result
    }
    await world.pass()
    expect(await states(relayed)).toEqual([['confirmed', 0]])
    world.proxy.changeResult = undefined
    await world.pass()
    expect(await states(relayed)).toEqual([['confirmed', 0]])
  })

  it('gives up a transaction that no node takes, so that others get through', async () => {
    const relayed = await world.createRelayed()
    const refusal = { error: { code: -32000, message: 'exceeds block gas limit' } }
    answerTo('eth_sendRawTransaction', refusal)
    const { txHash } = await relay(relayed)
    expect(await world.history(relayed.instance)).toMatchObject([
      { status: 'pending', reason: 'exceeds block gas limit' },
    ])
    const raw = (await world.superuser`select raw from relay_attempts where tx_hash = ${txHash}`)[0]?.raw
    world.proxy.replaceAnswer = ({ params }) => (params[0] === raw ? refusal : undefined)
    const id = world.newId()
    await relay(relayed, id)
    world.clock.advance(STUCK_MS + 1_000)
    await world.settle(relayed.instance)
    expect(await world.recordedBy(relayed.address)).toEqual([id])
    const lines = await world.history(relayed.instance)
    expect(lines.find(({ transactionHash }) => transactionHash === txHash)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('cancelled'),
    })
    expect(lines.find(({ kind }) => kind === 'fill')).toMatchObject({ status: 'confirmed', nonce: 0 })
  })

  it('waits for money without replacing anything', async () => {
    const relayed = await world.createRelayed()
    answerTo('eth_sendRawTransaction', {
      error: { code: -32003, message: 'insufficient funds for gas * price + value' },
    })
    await relay(relayed)
    world.clock.advance(STUCK_MS + 1_000)
    await world.pass()
    expect(await world.history(relayed.instance)).toMatchObject([
      { status: 'pending', reason: expect.stringContaining('insufficient funds') },
    ])
    world.proxy.replaceAnswer = undefined
    await world.settle(relayed.instance)
    expect(await states(relayed)).toEqual([['confirmed', 0]])
  })

  it.each(['already known', 'nonce too low'])('takes "%s" for what it means', async (message) => {
    const relayed = await world.createRelayed()
    world.proxy.replaceAnswer = undefined
    answerTo('eth_sendRawTransaction', { error: { code: -32000, message } })
    await relay(relayed)
    expect(await world.history(relayed.instance)).toMatchObject([{ status: 'pending', reason: null }])
    world.proxy.replaceAnswer = undefined
    world.clock.advance(31_000)
    await world.settle(relayed.instance)
    expect(await states(relayed)).toEqual([['confirmed', 0]])
  })

  it('goes on with what a relayer left behind that is gone', async () => {
    const relayed = await world.createRelayed()
    const operator = createRelayerOperator(world.database, { clock: world.clock, keys: world.keystores.keys })
    answerTo('eth_sendRawTransaction', 'nothing')
    const id = world.newId()
    await relay(relayed, id)
    world.proxy.replaceAnswer = undefined
    const { instanceId } = relayed.instance
    await expect(operator.remove(instanceId, false)).rejects.toMatchObject({
      detail: expect.stringContaining('not mined'),
    })
    await operator.remove(instanceId, true)
    await world.settle(relayed.instance)
    expect(await world.recordedBy(relayed.address)).toEqual([id])
    expect(await states(relayed)).toEqual([['confirmed', 0]])
  })

  it('asks of relayers that have nothing open what they have left, all together, and nothing else', async () => {
    const idle = [await world.createRelayed({ ether: '2' }), await world.createRelayed({ ether: '5' })]
    const before = world.proxy.requests.length
    const reports = await world.upkeep.pass(world.served, (error) => {
      throw error
    })
    const asked = world.proxy.requests.slice(before)
    const busy = await world.superuser`select distinct sender from relays where settled_at is null`
    expect(asked.flat().filter((method) => method === 'eth_getTransactionCount')).toHaveLength(busy.length)
    const relayers =
      await world.superuser`select 1 from relayers where not address = any(${busy.map(({ sender }) => sender)})`
    expect(asked.at(-1)).toEqual(relayers.map(() => 'eth_getBalance'))
    for (const [at, { instance }] of idle.entries())
      expect(reports.find(({ instanceId }) => instanceId === instance.instanceId)).toEqual({
        ...{ instanceId: instance.instanceId, pending: 0, oldestPendingSeconds: 0 },
        balance: parseEther(['2', '5'][at] ?? ''),
      })
  })

  it('runs as a job that shows what waits and what is left to pay with', async () => {
    const relayed = await world.createRelayed({ ether: '3' })
    answerTo('eth_sendRawTransaction', 'nothing')
    await relay(relayed)
    world.clock.advance(7_000)
    const metrics = createMetrics()
    const { instanceId: instance } = relayed.instance
    const shown = async (gauge: typeof metrics.relayerPending) =>
      (await gauge.get()).values.find(({ labels }) => labels.tenant === instance)?.value
    const job = startRelayerJob({
      ...{ database: world.database, clock: world.clock, random: systemRandom, log: createLog({ level: 'silent' }) },
      ...{
        chain: world.served,
        keys: world.keystores.keys,
        metrics,
        confirmations: 3,
        stuckMs: STUCK_MS,
        intervalMs: 20,
      },
    })
    while ((await shown(metrics.relayerPending)) === undefined) await sleep(5)
    expect(await shown(metrics.relayerPending)).toBe(1)
    expect(await shown(metrics.relayerOldestPending)).toBeGreaterThanOrEqual(7)
    expect(await shown(metrics.relayerBalance)).toBe(3)
    world.proxy.replaceAnswer = undefined
    while ((await shown(metrics.relayerPending)) !== 0) await sleep(5)
    expect(await shown(metrics.relayerOldestPending)).toBe(0)
    world.proxy.replaceResponse = { status: 500, body: '' }
    while ((await metrics.relayerErrors.get()).values.every(({ value }) => value === 0)) await sleep(5)
    world.proxy.replaceResponse = undefined
    const operator = createRelayerOperator(world.database, { clock: world.clock, keys: world.keystores.keys })
    await operator.remove(instance, true)
    while ((await shown(metrics.relayerPending)) !== undefined) await sleep(5)
    await job.stop()
  })
})
