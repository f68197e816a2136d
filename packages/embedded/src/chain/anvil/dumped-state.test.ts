import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { clientOf, installedEngines, pay, received, rpc } from '../../../test/chain-scenario.ts'
import { openFolder, stopAfterTest } from '../../../test/scenario.ts'
import { startChain } from '../../index.ts'
import { type DumpedState, parseDump, withFirstGenesis, withNewestBlocks } from './dumped-state.ts'

const block = (number: number, timestamp = number) => ({
  header: { number: String(number), timestamp: String(timestamp) },
})

describe('a dump', () => {
  it('is none when it was cut short or has no accounts', () => {
    expect(parseDump('{"block":')).toBeUndefined()
    expect(parseDump('{"block":{"timestamp":"0x1"}}')).toBeUndefined()
    expect(parseDump('{"block":{"timestamp":"0x1"},"accounts":{}}')).toBeDefined()
  })

  it('keeps the first of its genesis blocks', () => {
    const state: DumpedState = { blocks: [block(0, 9), block(1), block(0, 5)] }
    expect(withFirstGenesis(state).blocks).toEqual([block(1), block(0, 5)])
    const tidy = { blocks: [block(0), block(1)] }
    expect(withFirstGenesis(tidy)).toBe(tidy)
  })

  it('keeps the newest blocks that fit, with their transactions, and block 0', () => {
    const numbers = [0, 1, 2, 3, 4, 5]
    const state = {
      blocks: numbers.map((number) => block(number)),
      transactions: numbers.map((number) => ({ block_number: number })),
    }
    const size = JSON.stringify(block(5)).length + JSON.stringify({ block_number: 5 }).length
    const cut = withNewestBlocks(state, 2 * size)
    expect(cut.blocks).toEqual([block(0), block(4), block(5)])
    expect(cut.transactions).toEqual([{ block_number: 4 }, { block_number: 5 }])
  })
})

describe.each(installedEngines.filter((engine) => engine === 'anvil'))('%s', (engine) => {
  it('goes on from a dump without its oldest blocks', async () => {
    const now = () => new Date()
    const folder = join(openFolder(), 'chain')
    const first = stopAfterTest(await startChain({ engine, folder, now }))
    for (let times = 0; times < 10; times++) await pay(first)
    const head = await clientOf(first).getBlock()
    await first.stop()
    const file = join(folder, 'state.json')
    const state = JSON.parse(readFileSync(file, 'utf8')) as DumpedState
    writeFileSync(file, JSON.stringify(withNewestBlocks(state, 12_000)))

    const second = stopAfterTest(await startChain({ engine, folder, now }))
    const client = clientOf(second)
    expect(await client.getBlock()).toMatchObject({ number: head.number, hash: head.hash })
    expect(await received(second)).toBe(parseEther('10'))
    expect(await rpc(client, 'eth_getBlockByNumber', ['0x1', false])).toBeNull()
    expect(await rpc(client, 'eth_getTransactionReceipt', [head.transactions[0]])).not.toBeNull()
    expect(await rpc(client, 'eth_getBlockByNumber', ['0x0', false])).not.toBeNull()
    await pay(second)
    expect((await client.getBlock()).parentHash).toBe(head.hash)
  })
})
