import { join } from 'node:path'
import { type Hex, recoverTransactionAddress, serializeTransaction } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  account,
  type Client,
  clientOf,
  deploy,
  endless,
  installedEngines,
  keep,
  keeper,
  kept,
  pay,
  receiver,
  rpc,
  timeTeller,
  word,
} from '../../../test/chain-scenario.ts'
import { openFolder, stopAfterTest } from '../../../test/scenario.ts'
import { type ChainNode, startChain } from '../../index.ts'
import { residentBytes } from '../../process-inspection.ts'

const now = () => new Date()
const refused = '0xdeadbeef'

/** The error as the node sent it, without what a client makes of it. */
async function faultOf({ url }: ChainNode, method: string, params: readonly unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await response.json()) as { error?: { code: number; message: string; data?: unknown } }).error
}

interface SimulatedBlock {
  timestamp: Hex
  calls: { status: Hex; gasUsed: Hex; returnData: Hex; logs: { data: Hex }[]; error?: { data?: Hex } }[]
}

describe.each(installedEngines)('calls on %s', (engine) => {
  let node: ChainNode
  let client: Client
  let store: Hex
  beforeAll(async () => {
    node = await startChain({ engine, now })
    client = clientOf(node)
    store = await deploy(client, keeper)
    await keep(client, store, 1)
  })
  afterAll(() => node.stop())

  const call = (params: readonly unknown[]) => rpc<Hex>(client, 'eth_call', params)
  const fault = (method: string, params: readonly unknown[]) => faultOf(node, method, params)

  it('answers what a call returns and changes nothing by it', async () => {
    expect(await call([{ to: store, data: word(9) }, 'latest'])).toBe(word(9))
    expect(await kept(client, store)).toBe(1)
  })

  it('answers pages of any origin', async () => {
    const headers = { origin: 'https://wallet.example', 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    const asked = {
      ...headers,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    }
    const mayAsk = await fetch(node.url, { method: 'OPTIONS', headers: asked })
    expect(mayAsk.ok).toBe(true)
    expect(mayAsk.headers.get('access-control-allow-headers')).toMatch(/content-type/i)
    expect(mayAsk.headers.get('access-control-allow-methods')).toContain('POST')
    const answered = await fetch(node.url, { method: 'POST', headers, body })
    expect(answered.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answered.json()).toMatchObject({ result: '0x7a69' })
  })

  it('answers several calls of one request in their order', async () => {
    const ask = (id: number, value: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_call',
      params: [{ to: store, data: word(value) }, 'latest'],
    })
    const body = JSON.stringify([ask(1, 5), ask(2, 0), ask(3, 6)])
    const response = await fetch(node.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const answers = (await response.json()) as { id: number; result?: Hex; error?: { data?: Hex } }[]
    expect(answers.map(({ id, result, error }) => [id, result ?? error?.data])).toEqual([
      [1, word(5)],
      [2, refused],
      [3, word(6)],
    ])
  })

  it.each(['eth_call', 'eth_estimateGas'])('tells the data of a revert: %s', async (method) => {
    expect(await fault(method, [{ from: account.address, to: store, data: word(0) }, 'latest'])).toMatchObject({
      code: 3,
      message: expect.stringMatching(/^execution reverted/),
      data: refused,
    })
  })

  it('says that it does not know a method', async () => {
    expect(await fault('tally_nothing', [])).toMatchObject({ code: -32601 })
  })

  it('calls with the code and the storage of an override', async () => {
    const code = '0x60005460005260206000f3'
    const overrides = { [receiver]: { code, stateDiff: { [word(0)]: word(77) } } }
    expect(await call([{ to: receiver }, 'latest', overrides])).toBe(word(77))
    expect(await client.getCode({ address: receiver })).toBeUndefined()
  })

  it('calls as if a block had been mined at a later second', async () => {
    const teller = await deploy(client, timeTeller)
    const { number, timestamp } = await client.getBlock()
    const later = timestamp + 1_000_000n
    expect(BigInt(await call([{ to: teller }, 'latest', {}, { time: `0x${later.toString(16)}` }]))).toBe(later)
    expect(await client.getBlock()).toMatchObject({ number, timestamp })
  })

  it('simulates calls in their order, at a chosen second, from an address whose key nobody has, and leaves no trace', async () => {
    const before = await client.getBlock()
    const from = '0x00000000000000000000000000000000000000cc'
    const time = `0x${(before.timestamp + 5_000n).toString(16)}`
    const calls = [11, 0, 12].map((value) => ({ from, to: store, data: word(value) }))
    const payload = { blockStateCalls: [{ blockOverrides: { time }, calls }], validation: false }
    const [block] = await rpc<SimulatedBlock[]>(client, 'eth_simulateV1', [payload, 'latest'])
    expect(block?.timestamp).toBe(time)
    expect(block?.calls.map(({ status, returnData }) => [status, returnData])).toEqual([
      ['0x1', word(11)],
      ['0x0', refused],
      ['0x1', word(12)],
    ])
    expect(block?.calls[1]?.error?.data ?? block?.calls[1]?.returnData).toBe(refused)
    expect(block?.calls[0]?.logs).toEqual([expect.objectContaining({ data: word(11) })])
    expect(await kept(client, store)).toBe(1)
    expect(await client.getBlock()).toMatchObject({ number: before.number, hash: before.hash })
    await pay(node)
  })

  it('keeps readers out of what it only simulates', async () => {
    const calls = [{ from: account.address, to: store, data: word(99) }]
    const simulated = Array.from({ length: 10 }, () =>
      rpc(client, 'eth_simulateV1', [{ blockStateCalls: [{ calls }] }, 'latest']),
    )
    const seen = await Promise.all(Array.from({ length: 20 }, () => kept(client, store)))
    await Promise.all(simulated)
    expect(new Set(seen)).toEqual(new Set([1]))
  })

  it('signs for its own accounts, also after it has simulated calls from them', async () => {
    const calls = [{ from: account.address, to: store, data: word(99) }]
    await rpc(client, 'eth_simulateV1', [{ blockStateCalls: [{ calls }] }, 'latest'])
    const hash = await client.sendTransaction({ account: account.address, to: receiver, value: 1n })
    const sent = await client.getTransaction({ hash })
    const { type, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, value, input, r, s, yParity } = sent
    if (type !== 'eip1559') throw new Error(type)
    const fees = { gas, maxFeePerGas, maxPriorityFeePerGas }
    const parts = { type, chainId: client.chain.id, nonce, ...fees, to, value, data: input }
    const raw = serializeTransaction(parts, { r, s, yParity })
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(account.address)
  })

  it('traces the calls of a transaction, and what a refused one returned', async () => {
    await rpc(client, 'evm_setAutomine', [true])
    const hash = await client.sendTransaction({ account, to: store, data: word(0), gas: 100_000n })
    expect((await client.waitForTransactionReceipt({ hash })).status).toBe('reverted')
    const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
    expect(await rpc(client, 'debug_traceTransaction', [hash, options])).toMatchObject({ to: store, output: refused })
  })

  it('estimates what a transaction then uses', async () => {
    const gas = await client.estimateGas({ account, to: store, data: word(2) })
    const hash = await client.sendTransaction({ account, to: store, data: word(2), gas })
    const { gasUsed, status } = await client.waitForTransactionReceipt({ hash })
    expect(status).toBe('success')
    expect(gas).toBeGreaterThanOrEqual(gasUsed)
    expect(gas).toBeLessThan((gasUsed * 3n) / 2n)
  })
})

describe.each(installedEngines)('hostile calls on %s', (engine) => {
  it('leave a node with files small when a contract never returns', async () => {
    const node = stopAfterTest(await startChain({ engine, now, folder: join(openFolder(), 'chain') }))
    const client = clientOf(node)
    const store = await deploy(client, keeper)
    const trap = await deploy(client, endless)
    for (let times = 0; times < 8; times++)
      expect((await faultOf(node, 'eth_call', [{ to: trap }, 'latest']))?.message).toMatch(/out of gas|OutOfGas/i)
    expect(residentBytes(node.pid)).toBeLessThan(1_000_000_000)
    expect(await rpc(client, 'eth_call', [{ to: store, data: word(3) }, 'latest'])).toBe(word(3))
  })
})
