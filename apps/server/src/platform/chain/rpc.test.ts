import { startEmptyChain, type TestChain, tcpProxy } from '@tallystick/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { systemClock } from '../clock.ts'
import { ChainUnavailableError, createEndpoint, createRpc, type Rpc, type RpcCall } from './rpc.ts'

const chainId: RpcCall = { method: 'eth_chainId', params: [] }
const options = { timeoutMs: 5_000, clock: systemClock }

/** Ways in which a node that can be reached gives no usable answer. */
const faults: [string, (proxy: RpcProxy) => void][] = [
  ['answers HTTP 500', (proxy) => Object.assign(proxy, { replaceResponse: { status: 500, body: '[]' } })],
  ['answers HTTP 429', (proxy) => Object.assign(proxy, { replaceResponse: { status: 429, body: 'slow down' } })],
  ['answers no JSON', (proxy) => Object.assign(proxy, { replaceResponse: { status: 200, body: '<html>' } })],
  [
    'refuses batches',
    (proxy) => Object.assign(proxy, { replaceResponse: { status: 200, body: '{"error":{"code":1}}' } }),
  ],
  [
    'answers an array of nothing',
    (proxy) => Object.assign(proxy, { replaceResponse: { status: 200, body: '[null]' } }),
  ],
  ['leaves a call unanswered', (proxy) => Object.assign(proxy, { replaceAnswer: () => 'nothing' })],
  [
    'is over its limits',
    (proxy) => Object.assign(proxy, { replaceAnswer: () => ({ error: { code: -32_005, message: 'limit' } }) }),
  ],
]

describe('the nodes of a chain', () => {
  let node: TestChain
  let first: RpcProxy
  let second: RpcProxy
  let rpc: Rpc | undefined

  beforeAll(async () => {
    node = await startEmptyChain()
  })
  afterAll(() => node.stop())
  beforeEach(async () => {
    first = await rpcProxy(node.url)
    second = await rpcProxy(node.url)
  })
  afterEach(async () => {
    await rpc?.close()
    rpc = undefined
    await Promise.all([first.stop(), second.stop()])
  })

  const connect = (urls: string[], given: Partial<typeof options> = {}) => {
    rpc = createRpc(urls, { ...options, ...given })
    return rpc
  }

  it('answer a batch in one HTTP request, each call with its own answer or fault', async () => {
    const answers = await connect([first.url]).batch([
      chainId,
      { method: 'tally_unknown', params: [] },
      { method: 'web3_sha3', params: ['0x68656c6c6f20776f726c64'] },
    ])
    expect(answers).toEqual([
      { ok: true, value: '0x7a69' },
      { ok: false, fault: expect.objectContaining({ code: -32_601 }) },
      { ok: true, value: '0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad' },
    ])
    expect(first.requests).toEqual([['eth_chainId', 'tally_unknown', 'web3_sha3']])
  })

  it('may answer in any order', async () => {
    const body = JSON.stringify([
      { jsonrpc: '2.0', id: 2, result: 'second' },
      { jsonrpc: '2.0', id: 1, result: 'first' },
    ])
    first.replaceResponse = { status: 200, body }
    expect(await connect([first.url]).batch([chainId, chainId])).toEqual([
      { ok: true, value: 'first' },
      { ok: true, value: 'second' },
    ])
  })

  it('get the user and password of their URL as a header', async () => {
    const url = new URL(first.url)
    url.username = 'tally'
    url.password = encodeURIComponent('p@ss:wörd')
    await connect([url.toString()]).batch([chainId])
    const expected = `Basic ${Buffer.from('tally:p@ss:wörd').toString('base64')}`
    expect(first.headers[0]?.authorization).toBe(expected)
  })

  it.each(faults)('are unavailable when the only one %s', async (_, breakNode) => {
    breakNode(first)
    await expect(connect([first.url]).batch([chainId])).rejects.toThrow(ChainUnavailableError)
  })

  it.each(faults)('fail over to the second when the first %s', async (_, breakNode) => {
    breakNode(first)
    expect(await connect([first.url, second.url]).batch([chainId])).toEqual([{ ok: true, value: '0x7a69' }])
    expect([first.requests.length, second.requests.length]).toEqual([1, 1])
  })

  it('are unavailable when nobody listens, and when the answer takes too long', async () => {
    const line = await tcpProxy(node.url)
    try {
      const endpoint = createEndpoint(line.url, 200)
      line.delay(2_000)
      await expect(endpoint.batch([chainId])).rejects.toThrow(ChainUnavailableError)
      line.delay(0)
      await line.cut()
      await expect(endpoint.batch([chainId])).rejects.toThrow(ChainUnavailableError)
      await endpoint.close()
    } finally {
      await line.stop()
    }
  })

  it('serve in the order given: the first alone while it is healthy, again once it has rested after a failure', async () => {
    let now = 0
    const line = await tcpProxy(first.url)
    const { batch } = connect([line.url, second.url], { clock: { now: () => new Date(now) } })
    const served = async () => {
      const before = [first.requests.length, second.requests.length]
      expect(await batch([chainId])).toEqual([{ ok: true, value: '0x7a69' }])
      return first.requests.length > (before[0] ?? 0) ? 'first' : 'second'
    }
    try {
      expect([await served(), await served()]).toEqual(['first', 'first'])
      await line.cut()
      expect([await served(), await served()]).toEqual(['second', 'second'])
      await line.restore()
      now += 499
      expect(await served()).toBe('second')
      now += 1
      expect([await served(), await served()]).toEqual(['first', 'first'])
      expect(second.requests).toHaveLength(3)
    } finally {
      await line.stop()
    }
  })

  it('rest twice as long after each further failure, and no longer after a success', async () => {
    let now = 0
    const { batch } = connect([first.url, second.url], { clock: { now: () => new Date(now) } })
    const asked = async () => {
      const before = first.requests.length
      await batch([chainId])
      return first.requests.length > before
    }
    const broken = { status: 500, body: '' }
    first.replaceResponse = broken
    for (const rest of [500, 1_000, 2_000, 4_000]) {
      expect(await asked()).toBe(true)
      now += rest - 1
      expect(await asked()).toBe(false)
      now += 1
    }
    for (let failure = 0; failure < 12; failure++) {
      await batch([chainId])
      now += 30_000
    }
    expect(await asked()).toBe(true)
    now += 30_000
    first.replaceResponse = undefined
    expect(await asked()).toBe(true)
    first.replaceResponse = broken
    expect(await asked()).toBe(true)
    now += 500
    expect(await asked()).toBe(true)
  })

  it('are asked although they rest when there is nobody else', async () => {
    const { batch } = connect([first.url, second.url], { clock: { now: () => new Date(0) } })
    for (const proxy of [first, second]) proxy.replaceResponse = { status: 503, body: '' }
    await expect(batch([chainId])).rejects.toThrow('HTTP 503')
    second.replaceResponse = undefined
    expect(await batch([chainId])).toEqual([{ ok: true, value: '0x7a69' }])
  })

  it('do not fail over for a call that the node refuses: another node would refuse it too', async () => {
    const answers = await connect([first.url, second.url]).batch([{ method: 'tally_unknown', params: [] }])
    expect(answers).toMatchObject([{ ok: false }])
    expect(second.requests).toEqual([])
  })
})
