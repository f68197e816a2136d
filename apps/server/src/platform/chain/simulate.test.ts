import { notaryAbi, notaryBytecode } from '@tallystick/abi/testing'
import { deploy, send, startEmptyChain, type TestChain } from '@tallystick/testkit'
import { encodeFunctionData, type Hex, hexToNumber, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { systemClock } from '../clock.ts'
import { type Chain, createChain } from './chain.ts'
import { explainReverts } from './reverts.ts'
import { ChainUnavailableError, createRpc } from './rpc.ts'
import { simulate, type UnsignedCall } from './simulate.ts'

/** Reverts with the block's time: TIMESTAMP PUSH0 MSTORE PUSH1 32 PUSH0 REVERT. */
const TELLS_TIME: Hex = '0x425f5260205ffd'
/** Reverts with its caller: CALLER PUSH0 MSTORE PUSH1 32 PUSH0 REVERT. */
const TELLS_CALLER: Hex = '0x335f5260205ffd'
const TELLER: Hex = `0x${'88'.repeat(20)}`

const explain = explainReverts([notaryAbi], {
  AlreadyRecorded: { code: 'ALREADY_RECORDED', message: 'This id is taken.' },
  NotRecorded: { code: 'NOT_RECORDED', message: 'There is nothing to erase.' },
  ZeroAmount: { unreachable: 'amounts are checked before' },
})

describe('a simulation', () => {
  let node: TestChain
  let proxy: RpcProxy
  let chain: Chain
  let notary: Hex
  let signer: Hex
  let ids = 0

  beforeAll(async () => {
    node = await startEmptyChain()
    proxy = await rpcProxy(node.url)
    chain = createChain(31_337, createRpc([proxy.url], { timeoutMs: 5_000, clock: systemClock }))
    notary = await deploy(node, { abi: notaryAbi, bytecode: notaryBytecode })
    signer = node.walletClient.account.address
  })
  beforeEach(() => {
    proxy.replaceAnswer = undefined
    proxy.requests.length = 0
  })
  afterAll(async () => {
    await chain.rpc.close()
    await proxy.stop()
    await node.stop()
  })

  const freshId = () => keccak256(toHex(++ids))
  const record = (id: Hex, amount = 1n): UnsignedCall => ({
    to: notary,
    data: encodeFunctionData({ abi: notaryAbi, functionName: 'record', args: [id, amount] }),
    value: 0n,
  })
  const erase = (id: Hex): UnsignedCall => ({
    to: notary,
    data: encodeFunctionData({ abi: notaryAbi, functionName: 'erase', args: [id] }),
    value: 0n,
  })
  const run = (...calls: UnsignedCall[]) => simulate(chain, signer, calls, { clock: systemClock, explain })
  const without = (...methods: string[]) => {
    proxy.replaceAnswer = ({ method }) =>
      methods.includes(method) ? { error: { code: -32_601, message: 'Method not found' } } : undefined
  }

  it('of a call that would succeed tells the gas it would use, and changes nothing', async () => {
    const id = freshId()
    const simulated = await run(record(id))
    expect(simulated).toEqual({ simulated: true, success: true, gasUsed: expect.any(BigInt), revert: null })
    const receipt = await send(node, { address: notary, abi: notaryAbi, functionName: 'record', args: [id, 1n] })
    expect(simulated.gasUsed).toBe(receipt.gasUsed)
  })

  it('of a call that would fail tells why in the words of the table', async () => {
    const id = freshId()
    await send(node, { address: notary, abi: notaryAbi, functionName: 'record', args: [id, 1n] })
    expect(await run(record(id))).toMatchObject({
      simulated: true,
      success: false,
      revert: { error: 'AlreadyRecorded', code: 'ALREADY_RECORDED', message: `This id is taken. (${id})` },
    })
    expect((await run(record(freshId(), 0n))).revert).toMatchObject({ error: 'ZeroAmount', code: null })
  })

  it('runs the steps in order, each on what the steps before it did', async () => {
    const id = freshId()
    expect(await run(record(id), erase(id), record(id))).toMatchObject({ simulated: true, success: true })
    expect(await run(erase(id), record(id))).toMatchObject({ success: false, revert: { code: 'NOT_RECORDED' } })
    expect(await run(record(id), record(id))).toMatchObject({ success: false, revert: { code: 'ALREADY_RECORDED' } })
    const [alone, both] = [await run(record(id)), await run(record(id), erase(id))]
    expect(both.gasUsed).toBeGreaterThan(alone.gasUsed ?? 0n)
  })

  it('sends from the signer, or from nobody when none is known', async () => {
    await node.testClient.setCode({ address: TELLER, bytecode: TELLS_CALLER })
    const told: Hex[] = []
    const listen = (data: Hex) => {
      told.push(`0x${data.slice(26)}`)
      return { error: 'Told', code: null, message: '' }
    }
    for (const from of [signer, null])
      await simulate(chain, from, [{ to: TELLER, data: '0x', value: 0n }], { clock: systemClock, explain: listen })
    expect(told).toEqual([signer.toLowerCase(), `0x${'00'.repeat(20)}`])
  })

  it('runs at a block time that is behind neither the wall clock nor the chain', async () => {
    await node.testClient.setCode({ address: TELLER, bytecode: TELLS_TIME })
    const { timestamp } = await node.publicClient.getBlock()
    async function timeWhenWallSays(seconds: number): Promise<number> {
      let told = 0
      const listen = (data: Hex) => {
        told = hexToNumber(data)
        return { error: 'Told', code: null, message: '' }
      }
      const clock = { now: () => new Date(seconds * 1_000 + 900) }
      await simulate(chain, signer, [{ to: TELLER, data: '0x', value: 0n }], { clock, explain: listen })
      return told
    }
    const head = Number(timestamp)
    expect(await timeWhenWallSays(head + 86_400)).toBe(head + 86_400)
    expect(await timeWhenWallSays(head - 86_400)).toBe(head + 1)
  })

  describe('on a node without eth_simulateV1', () => {
    beforeEach(() => without('eth_simulateV1'))

    it('estimates the gas instead', async () => {
      const simulated = await run(record(freshId()))
      expect(simulated).toMatchObject({ simulated: true, success: true, revert: null })
      expect(simulated.gasUsed).toBeGreaterThan(21_000n)
      expect(proxy.requests.flat()).toContain('eth_estimateGas')
    })

    it('tells why a call would fail', async () => {
      expect(await run(erase(freshId()))).toMatchObject({
        simulated: true,
        success: false,
        gasUsed: null,
        revert: { error: 'NotRecorded', code: 'NOT_RECORDED' },
      })
    })

    it('claims nothing about a later step that fails only because the earlier ones were not made', async () => {
      const id = freshId()
      const unknown = { simulated: false, success: false, gasUsed: null, revert: null }
      expect(await run(record(id), erase(id))).toEqual(unknown)
      expect(await run(record(freshId()), record(freshId()))).toMatchObject({ simulated: true, success: true })
    })

    it('says that nothing is known when the node cannot estimate either', async () => {
      without('eth_simulateV1', 'eth_estimateGas')
      const unknown = { simulated: false, success: false, gasUsed: null, revert: null }
      expect(await run(record(freshId()))).toEqual(unknown)
    })
  })

  it('says that nothing is known when the node takes too long over it, but not when it is away', async () => {
    const unknown = { simulated: false, success: false, gasUsed: null, revert: null }
    const lateAt = (...methods: string[]): Chain => ({
      ...chain,
      rpc: {
        ...chain.rpc,
        batch: async (calls) => {
          if (calls.some(({ method }) => methods.includes(method))) throw new ChainUnavailableError('no answer in time')
          return chain.rpc.batch(calls)
        },
      },
    })
    const ask = (on: Chain) => simulate(on, signer, [record(freshId())], { clock: systemClock, explain })
    expect(await ask(lateAt('eth_simulateV1'))).toEqual(unknown)
    await expect(ask(lateAt('eth_getBlockByNumber'))).rejects.toThrow(ChainUnavailableError)
  })
})
