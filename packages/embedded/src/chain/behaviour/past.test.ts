import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  account,
  type Client,
  clientOf,
  deploy,
  installedEngines,
  keep,
  keeper,
  kept,
  pay,
  receiver,
  rpc,
  word,
} from '../../../test/chain-scenario.ts'
import { type ChainNode, startChain } from '../../index.ts'

const now = () => new Date()

describe.each(installedEngines)('the past on %s', (engine) => {
  let node: ChainNode
  let client: Client
  let store: Hex
  beforeAll(async () => {
    node = await startChain({ engine, now })
    client = clientOf(node)
    store = await deploy(client, keeper)
  })
  afterAll(() => node.stop())

  const head = () => client.getBlock({ blockTag: 'latest' })

  it('calls a block safe one behind the newest, and final two behind', async () => {
    await client.mine({ blocks: 3 })
    const { number } = await head()
    expect((await client.getBlock({ blockTag: 'safe' })).number).toBe(number - 1n)
    expect((await client.getBlock({ blockTag: 'finalized' })).number).toBe(number - 2n)
    expect(await client.getBalance({ address: receiver, blockTag: 'finalized' })).toBeTypeOf('bigint')
  })

  it('reads as of an earlier block, by number and by hash', async () => {
    await keep(client, store, 1)
    const earlier = await head()
    await keep(client, store, 2)
    const at = (block: unknown) => rpc<Hex>(client, 'eth_getStorageAt', [store, word(0), block])
    expect(await at(`0x${earlier.number.toString(16)}`)).toBe(word(1))
    expect(await at({ blockHash: earlier.hash, requireCanonical: true })).toBe(word(1))
    expect(await at('latest')).toBe(word(2))
  })

  it('finds logs by range, by block, by address and by topic', async () => {
    const first = await client.getBlockNumber()
    await keep(client, store, 3)
    const { number, hash } = await head()
    await keep(client, store, 4)
    const logs = async (filter: object) =>
      (await rpc<{ data: Hex }[]>(client, 'eth_getLogs', [filter])).map(({ data }) => Number(data))
    const from = `0x${(first + 1n).toString(16)}`
    expect(await logs({ fromBlock: from, toBlock: 'latest' })).toEqual([3, 4])
    expect(await logs({ fromBlock: from, toBlock: `0x${number.toString(16)}` })).toEqual([3])
    expect(await logs({ blockHash: hash })).toEqual([3])
    expect(await logs({ fromBlock: from, toBlock: 'latest', address: [store, receiver], topics: [[word(1)]] })).toEqual(
      [3, 4],
    )
    expect(await logs({ fromBlock: from, toBlock: 'latest', topics: [word(2)] })).toEqual([])
    expect(await logs({ fromBlock: from, toBlock: 'latest', address: receiver })).toEqual([])
    expect(await logs({ fromBlock: from, toBlock: 'safe' })).toEqual([3])
  })

  it('replaces blocks by others, which hold the transactions that were chosen', async () => {
    await keep(client, store, 5)
    const before = await head()
    const lost = await keep(client, store, 6)
    const raw = await rpc<Hex>(client, 'eth_getRawTransactionByHash', [lost])
    const undone = await head()
    await rpc(client, 'anvil_reorg', [1, []])
    const other = await head()
    expect(other.number).toBe(undone.number)
    expect(other.hash).not.toBe(undone.hash)
    expect(other.parentHash).toBe(before.hash)
    expect(await kept(client, store)).toBe(5)
    await expect(client.getTransactionReceipt({ hash: lost })).rejects.toThrow('could not be found')
    expect(await rpc(client, 'eth_getBlockByHash', [undone.hash, false])).toBeNull()

    await rpc(client, 'anvil_reorg', [1, [[raw, 0]]])
    expect((await head()).transactions).toEqual([lost])
    expect(await kept(client, store)).toBe(6)
  })

  it('becomes shorter', async () => {
    await keep(client, store, 7)
    const { number, hash } = await head()
    await keep(client, store, 8)
    await keep(client, store, 9)
    await rpc(client, 'anvil_rollback', [2])
    expect(await head()).toMatchObject({ number, hash })
    expect(await kept(client, store)).toBe(7)
    await keep(client, store, 10)
    expect((await head()).number).toBe(number + 1n)
  })

  it('replaces ten blocks at once', async () => {
    const { number } = await head()
    for (let value = 20; value < 30; value++) await keep(client, store, value)
    await rpc(client, 'anvil_reorg', [10, []])
    expect((await head()).number).toBe(number + 10n)
    expect(await kept(client, store)).toBe(10)
    const nonce = await client.getTransactionCount({ address: account.address })
    await keep(client, store, 30)
    expect(await client.getTransactionCount({ address: account.address })).toBe(nonce + 1)
  })

  it('goes back to a snapshot, once', async () => {
    await keep(client, store, 40)
    const before = await head()
    const id = await client.snapshot()
    await keep(client, store, 41)
    await client.setStorageAt({ address: store, index: 0, value: word(42) })
    await client.mine({ blocks: 2 })
    await client.revert({ id })
    expect(await head()).toMatchObject({ number: before.number, hash: before.hash })
    expect(await kept(client, store)).toBe(40)
    expect(await rpc(client, 'evm_revert', [id])).toBe(false)
    await pay(node)
  })
})
