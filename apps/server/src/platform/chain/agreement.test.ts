import { startTestChain, type TestChain } from '@tallystick/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../app-error.ts'
import { systemClock } from '../clock.ts'
import { ChainDisagreementError, corroborate, surveyNodes } from './agreement.ts'
import { type Chains, connectChains } from './chains.ts'
import { createRpc, type Rpc } from './rpc.ts'

const NOBODY = 'http://127.0.0.1:1'
const GENESIS = new Date('2031-01-01T00:00:00Z')
const options = { timeoutMs: 5_000, clock: systemClock }
const open: { close(): Promise<void> }[] = []

/** `left`, `twin` and `lagging` start alike; `left` and `twin` go separate ways at block 2. */
describe('several nodes', () => {
  let left: TestChain
  let twin: TestChain
  let lagging: TestChain
  let otherChain: TestChain
  let otherGenesis: TestChain
  const seconds = Math.floor(GENESIS.getTime() / 1000)

  async function mineAt(node: TestChain, second: number): Promise<void> {
    await node.testClient.setNextBlockTimestamp({ timestamp: BigInt(seconds + second) })
    await node.testClient.mine({ blocks: 1 })
  }
  const hashAt = async (node: TestChain, blockNumber: bigint) =>
    (await node.publicClient.getBlock({ blockNumber })).hash

  beforeAll(async () => {
    const now = () => GENESIS
    ;[left, twin, lagging, otherChain, otherGenesis] = await Promise.all([
      startTestChain({ now }),
      startTestChain({ now }),
      startTestChain({ now }),
      startTestChain({ now, chainId: 31_338 }),
      startTestChain({ now: () => new Date(GENESIS.getTime() + 60_000) }),
    ])
    for (const node of [left, twin, lagging]) await mineAt(node, 10)
    await mineAt(left, 20)
    await mineAt(twin, 21)
  })
  afterAll(async () => {
    await Promise.all([left, twin, lagging, otherChain, otherGenesis].map((node) => node.stop()))
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()))
  })

  function nodes(...urls: string[]): Rpc {
    const rpc = createRpc(urls, options)
    open.push(rpc)
    return rpc
  }
  async function connect(...configured: Parameters<typeof connectChains>[0]): Promise<Chains> {
    const chains = await connectChains(configured, options)
    open.push(chains)
    return chains
  }

  describe('as witnesses of a block', () => {
    it('agree on what both have seen', async () => {
      expect(await hashAt(left, 1n)).toBe(await hashAt(twin, 1n))
      await expect(corroborate(nodes(left.url, twin.url), 1n, await hashAt(left, 1n))).resolves.toBeUndefined()
    })

    it('contradict each other when they show different blocks at one height', async () => {
      expect(await hashAt(left, 2n)).not.toBe(await hashAt(twin, 2n))
      for (const hash of [await hashAt(left, 2n), await hashAt(twin, 2n)])
        await expect(corroborate(nodes(left.url, twin.url), 2n, hash)).rejects.toThrow(ChainDisagreementError)
      await expect(corroborate(nodes(left.url, lagging.url, twin.url), 2n, await hashAt(left, 2n))).rejects.toThrow(
        'node 3 of 3 shows another block at height 2',
      )
    })

    it('do not count while they lag or are down', async () => {
      const hash = await hashAt(left, 2n)
      await expect(corroborate(nodes(left.url, lagging.url, NOBODY), 2n, hash)).resolves.toBeUndefined()
    })

    it('are not asked when there is only one', async () => {
      await expect(corroborate(nodes(NOBODY), 2n, await hashAt(left, 2n))).resolves.toBeUndefined()
    })
  })

  describe('when surveyed', () => {
    it('agree while one only lags', async () => {
      expect(await surveyNodes(nodes(left.url, lagging.url))).toEqual({ reachable: 2, agree: true, heads: [2n, 1n] })
    })

    it('are reported when they disagree', async () => {
      expect(await surveyNodes(nodes(left.url, twin.url))).toEqual({ reachable: 2, agree: false, heads: [2n, 2n] })
    })

    it('are reported when one that lags is on another fork', async () => {
      expect(await surveyNodes(nodes(left.url, otherGenesis.url))).toEqual({
        reachable: 2,
        agree: false,
        heads: [2n, 0n],
      })
    })

    it('are reported when they are down', async () => {
      expect(await surveyNodes(nodes(NOBODY, left.url))).toEqual({ reachable: 1, agree: true, heads: [null, 2n] })
      expect(await surveyNodes(nodes(NOBODY, NOBODY))).toEqual({ reachable: 0, agree: true, heads: [null, null] })
    })
  })

  describe('at start', () => {
    it('are one chain when id and genesis are the same, although one lags', async () => {
      const chains = await connect({ chainId: 31_337, urls: [left.url, lagging.url] })
      expect(chains.get(31_337).chainId).toBe(31_337)
      expect(chains.all).toHaveLength(1)
    })

    it('tell which chain they serve when none was named', async () => {
      const chains = await connect({ chainId: undefined, urls: [otherChain.url] })
      expect(chains.get(31_338).chainId).toBe(31_338)
    })

    it('may be down as long as one answers', async () => {
      const chains = await connect({ chainId: 31_337, urls: [NOBODY, left.url] })
      expect((await chains.get(31_337).latest()).number).toBe(2n)
    })

    it('are refused when one serves another chain', async () => {
      await expect(connect({ chainId: undefined, urls: [left.url, otherChain.url] })).rejects.toThrow(
        'the RPC URLs serve different chains',
      )
    })

    it('are refused when one has the same chain id but another genesis', async () => {
      await expect(connect({ chainId: 31_337, urls: [left.url, otherGenesis.url] })).rejects.toThrow(
        ChainDisagreementError,
      )
    })

    it('are refused when they serve another chain than was named', async () => {
      await expect(connect({ chainId: 1, urls: [left.url] })).rejects.toThrow(
        'RPC_URL promises chain 1, but the node serves chain 31337',
      )
    })

    it('are refused when none answers', async () => {
      await expect(connect({ chainId: 31_337, urls: [NOBODY, NOBODY] })).rejects.toThrow(
        'none of the 2 chain nodes answers',
      )
    })

    it('serve several chains side by side, and no other', async () => {
      const chains = await connect({ chainId: 31_337, urls: [left.url] }, { chainId: 31_338, urls: [otherChain.url] })
      expect((await chains.get(31_337).latest()).number).toBe(2n)
      expect((await chains.get(31_338).latest()).number).toBe(0n)
      expect(() => chains.get(1)).toThrow(AppError)
      expect(() => chains.get(1)).toThrow('does not serve chain 1')
    })
  })
})
