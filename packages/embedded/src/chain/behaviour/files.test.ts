import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, parseEther, toHex } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type Client,
  clientOf,
  deploy,
  installedEngines,
  keep,
  keeper,
  kept,
  pay,
  received,
  receiver,
  rpc,
  secondAccount,
  word,
} from '../../../test/chain-scenario.ts'
import { isRoot, kill9, nobody, openFolder, startInChild, stopAfterTest } from '../../../test/scenario.ts'
import { freePort, processCommand, startChain } from '../../index.ts'
import { isReachableBy } from '../../postgres/system-user.ts'
import type { ChainEngine } from '../engine.ts'
import { engineCalled } from '../engines.ts'
import { startChainOn } from '../start-chain.ts'

const now = () => new Date()

/** Whether a file that a kill leaves whole holds the transaction: not what anvil writes itself, nor a copy in the making. */
const isSafeIn = (folder: string, hash: Hex): boolean =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'state.json' && !entry.name.endsWith('.copying'))
    .some(({ name }) => readFileSync(join(folder, name), 'utf8').includes(hash))

/** Everything that is on a chain, as its node shows it. */
async function everythingOn(client: Client) {
  const head = await client.getBlockNumber()
  const blocks = []
  for (let number = 0n; number <= head; number++)
    blocks.push(await client.getBlock({ blockNumber: number, includeTransactions: true }))
  const hashes = blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => hash))
  const receipts = []
  for (const hash of hashes) receipts.push(await rpc(client, 'eth_getTransactionReceipt', [hash]))
  return { blocks, receipts, logs: await rpc(client, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }]) }
}

/** The engine, on a machine where another chain gets the first port between the look whether it is free and the node. */
function overtaken(engine: ChainEngine): ChainEngine {
  let isFirst = true
  return {
    ...engine,
    command(node) {
      if (isFirst) {
        const other = createHttpServer((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'))
        other.listen(node.port, '127.0.0.1')
        onTestFinished(() => {
          other.close()
        })
      }
      isFirst = false
      return engine.command(node)
    },
  }
}

describe.each(installedEngines)('a chain in files on %s', (engine) => {
  const start = (folder: string, more: Partial<Parameters<typeof startChain>[0]> = {}) =>
    startChain({ engine, folder, now, ...more }).then(stopAfterTest)

  it('goes on with the same blocks, transactions, receipts, logs, balances, code and storage', async () => {
    const folder = join(openFolder(), 'chain')
    const first = await start(folder)
    expect([first.engine, first.restoration]).toEqual([engine, 'fresh'])
    const client = clientOf(first)
    const store = await deploy(client, keeper)
    for (const value of [1, 2, 3]) await keep(client, store, value)
    await pay(first)
    await client.setBalance({ address: '0x00000000000000000000000000000000000000dd', value: 5n })
    await client.setStorageAt({ address: store, index: 9, value: word(9) })
    await client.mine({ blocks: 5 })
    const before = await everythingOn(client)
    const code = await client.getCode({ address: store })
    await first.stop()

    const second = await start(folder)
    expect(second.restoration).toBe('kept')
    const again = clientOf(second)
    expect(await everythingOn(again)).toEqual(before)
    expect(await received(second)).toBe(parseEther('1'))
    expect(await kept(again, store)).toBe(3)
    expect(await again.getCode({ address: store })).toBe(code)
    expect(await again.getBalance({ address: '0x00000000000000000000000000000000000000dd' })).toBe(5n)
    expect(await again.getStorageAt({ address: store, slot: word(9) })).toBe(word(9))
    // And on, as if it had never stopped.
    await keep(again, store, 4)
    const [last, child] = [before.blocks.at(-1), await again.getBlock()]
    expect([child.parentHash, child.number]).toEqual([last?.hash, (last?.number ?? 0n) + 1n])
    expect(await kept(again, store)).toBe(4)
  })

  it('goes on with more slots than a start can tell the engine of', async () => {
    const folder = join(openFolder(), 'chain')
    const first = await start(folder)
    const [store, small] = [await deploy(clientOf(first), keeper), await deploy(clientOf(first), keeper)]
    const setSlot = (slot: number) => ({
      ...{ jsonrpc: '2.0', id: slot, method: 'anvil_setStorageAt' },
      params: [store, word(slot), word(slot + 1)],
    })
    const body = JSON.stringify(Array.from({ length: 4_100 }, (_, slot) => setSlot(slot)))
    await fetch(first.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    await keep(clientOf(first), small, 7)
    await first.stop()
    const again = clientOf(await start(folder))
    const slot = async (number: number) => Number(await again.getStorageAt({ address: store, slot: toHex(number) }))
    expect(await Promise.all([0, 3_999, 4_000, 4_099, 4_100].map(slot))).toEqual([1, 4_000, 4_001, 4_100, 0])
    expect([await kept(again, store), await kept(again, small)]).toEqual([1, 7])
    await keep(again, store, 9)
    expect(await Promise.all([0, 4_099, 4_100].map(slot))).toEqual([9, 4_100, 0])
  })

  it('loses nothing that was there for a while to a kill', async () => {
    const folder = join(openFolder(), 'chain')
    const first = await start(folder)
    const store = await deploy(clientOf(first), keeper)
    const last = await keep(clientOf(first), store, 7)
    const before = await everythingOn(clientOf(first))
    while (!isSafeIn(folder, last)) await sleep(50)
    first.kill9()
    await first.exited
    const second = await start(folder)
    expect(await everythingOn(clientOf(second))).toEqual(before)
    expect(await kept(clientOf(second), store)).toBe(7)
  })

  it('is gone back on and replaced as one in memory, and stays so', async () => {
    const folder = join(openFolder(), 'chain')
    const first = await start(folder)
    const client = clientOf(first)
    const store = await deploy(client, keeper)
    await keep(client, store, 1)
    const lost = await keep(client, store, 2)
    const raw = await rpc<Hex>(client, 'eth_getRawTransactionByHash', [lost])
    await rpc(client, 'anvil_reorg', [1, []])
    expect(await kept(client, store)).toBe(1)
    await rpc(client, 'anvil_reorg', [1, [[raw, 0]]])
    expect(await kept(client, store)).toBe(2)
    await keep(client, store, 3)
    await rpc(client, 'anvil_rollback', [1])
    expect(await kept(client, store)).toBe(2)
    const before = await everythingOn(client)
    await first.stop()
    const second = await start(folder)
    expect(await everythingOn(clientOf(second))).toEqual(before)
    expect(await kept(clientOf(second), store)).toBe(2)
    await keep(clientOf(second), store, 4)
  })

  it('shows the same first block after every start', async () => {
    const folder = join(openFolder(), 'chain')
    const seen = new Set<string>()
    for (let times = 1; times <= 4; times++) {
      const node = await start(folder)
      await clientOf(node).mine({ blocks: 1 })
      const genesis = await clientOf(node).getBlock({ blockNumber: 0n })
      expect((await clientOf(node).getBlock({ blockNumber: 1n })).parentHash).toBe(genesis.hash)
      seen.add(genesis.hash)
      await node.stop()
    }
    expect(seen.size).toBe(1)
  })

  it('does not fall behind its last block after its clock was moved ahead', async () => {
    const folder = join(openFolder(), 'chain')
    const first = await start(folder, { blockTimeSeconds: 1 })
    await clientOf(first).increaseTime({ seconds: 30 * 24 * 3600 })
    await clientOf(first).mine({ blocks: 1 })
    const travelled = await pay(first)
    expect(Number(travelled) - Date.now() / 1000).toBeGreaterThan(29 * 24 * 3600)
    await first.stop()

    const second = await start(folder, { blockTimeSeconds: 1 })
    const afterRestart = await pay(second)
    expect(afterRestart).toBeGreaterThan(travelled)
    await sleep(2100)
    expect(await pay(second)).toBeGreaterThan(afterRestart)
  })

  it('continues at the clock of its caller when that is ahead', async () => {
    const folder = join(openFolder(), 'chain')
    await (await start(folder)).stop()
    const later = new Date(Date.now() + 3600_000)
    const node = await start(folder, { now: () => later })
    expect(Number(await pay(node))).toBeGreaterThanOrEqual(Math.floor(later.getTime() / 1000))
  })

  it('begins in the past where it is told to, catches up when asked, and goes on from now', async () => {
    const folder = join(openFolder(), 'chain')
    const beginsAt = new Date(Date.now() - 28 * 24 * 3600_000)
    const first = await start(folder, { beginsAt })
    const old = Number(await pay(first))
    expect(old).toBeGreaterThanOrEqual(Math.floor(beginsAt.getTime() / 1000))
    expect(old).toBeLessThan(beginsAt.getTime() / 1000 + 3600)
    await clientOf(first).increaseTime({ seconds: 28 * 24 * 3600 })
    expect(Math.abs(Number(await pay(first)) - Date.now() / 1000)).toBeLessThan(3600)
    await first.stop()

    // It has blocks: where it began no longer matters.
    const second = await start(folder, { beginsAt })
    expect(Math.abs(Number(await pay(second)) - Date.now() / 1000)).toBeLessThan(3600)
  })

  it('keeps the accounts of another phrase', async () => {
    const folder = join(openFolder(), 'chain')
    const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
    const node = await start(folder, { mnemonic, accounts: 2 })
    const accounts = await rpc<string[]>(clientOf(node), 'eth_accounts')
    expect(accounts).toHaveLength(2)
    expect(accounts).not.toContain(secondAccount.address.toLowerCase())
    expect(await clientOf(node).getBalance({ address: accounts[1] as Hex })).toBe(parseEther('10000'))
  })

  it('takes over from a node whose parent was killed', async () => {
    const folder = join(openFolder(), 'chain')
    const { child, reported } = await startInChild(engine, folder, 'wait')
    await pay(reported)
    await kill9(child)
    expect(processCommand(reported.pid)).toContain(folder)
    const node = await start(folder)
    expect(processCommand(reported.pid)).toBeUndefined()
    expect(await received(node)).toBe(parseEther('1'))
    await expect(startChain({ engine, folder, now })).rejects.toThrow(`belongs to process ${process.pid}`)
  })

  it('runs as an ordinary user without a home folder, the second time too', async () => {
    const asNobody = isRoot && isReachableBy(nobody, import.meta.dirname)
    const folder = join(openFolder(), 'chain')
    const { reported } = await startInChild(engine, folder, 'stop', asNobody ? nobody : undefined)
    expect(reported.uid).toBe(asNobody ? nobody.uid : process.getuid?.())
    expect(readdirSync(folder).length).toBeGreaterThan(0)
    const again = await startInChild(engine, folder, 'stop', asNobody ? nobody : undefined)
    expect(again.reported.uid).toBe(reported.uid)
  })

  it('names a port that is in use', async () => {
    const port = await freePort()
    const squatter = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => {
      squatter.close()
    })
    await expect(startChain({ engine, now, port })).rejects.toMatchObject({ name: 'PortInUseError', port })
  })

  it('takes nobody for its own node who gets the port while it starts', async () => {
    const port = await freePort()
    await expect(startChainOn(overtaken(engineCalled(engine)), { now, port })).rejects.toMatchObject({
      name: 'PortInUseError',
      port,
    })
  })

  it('takes another port when the one it found is lost', async () => {
    const node = stopAfterTest(await startChainOn(overtaken(engineCalled(engine)), { now }))
    await pay(node)
    expect(await received(node)).toBe(parseEther('1'))
  })

  it.each(installedEngines.filter((other) => other !== engine))(
    'refuses to go on in %s, and says what to do',
    async (other) => {
      const folder = join(openFolder(), 'chain')
      await (await start(folder)).stop()
      await expect(startChain({ engine: other, folder, now })).rejects.toThrow(`CHAIN_NODE=${engine}`)
      // Whoever does not choose goes on with the engine that made it.
      const node = stopAfterTest(await startChain({ folder, now }))
      expect([node.engine, node.restoration]).toEqual([engine, 'kept'])
    },
  )

  it('starts empty, and says so, when nothing is usable', async () => {
    const folder = join(openFolder(), 'chain')
    await (await start(folder)).stop()
    for (const name of readdirSync(folder)) if (/state|blocks/.test(name)) writeFileSync(join(folder, name), '{"bro')
    const node = await start(folder)
    expect(node.restoration).toBe('lost')
    expect(readdirSync(folder).some((name) => name.endsWith('.corrupt'))).toBe(true)
    await pay(node)
  })
})

/** Whether a copy of the state has the payment. A copy is there whole or not at all. */
const isPaidIn = (copy: string): boolean =>
  existsSync(copy) && Object.hasOwn(JSON.parse(readFileSync(copy, 'utf8')).accounts, receiver)

describe.each(installedEngines.filter((engine) => engine === 'anvil'))('the files of %s', (engine) => {
  it.each([
    ['truncated', (file: string) => truncateSync(file, 4096)],
    ['emptied', (file: string) => truncateSync(file, 0)],
  ])('fall back to the previous copy of a %s state', async (_, damage) => {
    const folder = join(openFolder(), 'chain')
    const stateFile = join(folder, 'state.json')
    const first = stopAfterTest(await startChain({ engine, folder, now }))
    await pay(first)
    while (!isPaidIn(`${stateFile}.previous`)) await sleep(50)
    first.kill9()
    await first.exited
    damage(stateFile)
    const second = stopAfterTest(await startChain({ engine, folder, now }))
    expect(second.restoration).toBe('previous')
    expect(await received(second)).toBe(parseEther('1'))
  })

  it('tell nothing rather than something wrong of the states from before the last start', async () => {
    const folder = join(openFolder(), 'chain')
    const first = stopAfterTest(await startChain({ engine, folder, now }))
    const store = await deploy(clientOf(first), keeper)
    for (const value of [1, 2]) await keep(clientOf(first), store, value)
    await first.stop()

    const client = clientOf(stopAfterTest(await startChain({ engine, folder, now })))
    const before = { address: store, slot: word(0), blockNumber: (await client.getBlockNumber()) - 1n }
    await expect(client.getStorageAt(before)).rejects.toThrow('BlockOutOfRangeError')
    await expect(rpc(client, 'anvil_rollback', [1])).rejects.toThrow('Required data unavailable')
    expect(await kept(client, store)).toBe(2)
  })
})

describe('the files of EDR', () => {
  it('lose only the line that a kill tore', async () => {
    const folder = join(openFolder(), 'chain')
    const first = stopAfterTest(await startChain({ engine: 'edr', folder, now }))
    await pay(first)
    const whole = await everythingOn(clientOf(first))
    await pay(first)
    await first.stop()
    const file = join(folder, 'blocks-000001.log')
    truncateSync(file, readFileSync(file).length - 100)
    const second = stopAfterTest(await startChain({ engine: 'edr', folder, now }))
    expect(second.restoration).toBe('kept')
    expect(await everythingOn(clientOf(second))).toEqual(whole)
    await pay(second)
    await second.stop()
    expect(existsSync(file)).toBe(true)
    const third = stopAfterTest(await startChain({ engine: 'edr', folder, now }))
    expect(await received(third)).toBe(parseEther('2'))
  })

  it('show nothing of blocks that were replaced, also of those from before the last start', async () => {
    const folder = join(openFolder(), 'chain')
    const first = stopAfterTest(await startChain({ engine: 'edr', folder, now }))
    const store = await deploy(clientOf(first), keeper)
    for (const value of [1, 2]) await keep(clientOf(first), store, value)
    await first.stop()

    const client = clientOf(stopAfterTest(await startChain({ engine: 'edr', folder, now })))
    const newest = await client.getBlockNumber()
    const keptBy = async (blockNumber: bigint) =>
      Number(await client.getStorageAt({ address: store, slot: word(0), blockNumber }))
    const keptAround = async () => [await keptBy(newest - 1n), await keptBy(newest), await kept(client, store)]
    for (const _twice of [1, 2]) expect(await keptAround()).toEqual([1, 2, 2])
    await rpc(client, 'anvil_rollback', [2])
    for (const value of [5, 6]) await keep(client, store, value)
    for (const _twice of [1, 2]) expect(await keptAround()).toEqual([5, 6, 6])
  })
})
