import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestClient, http, multicall3Abi, parseEther, publicActions, walletActions } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isRoot, kill9, nobody, openFolder, startInChild, stopAfterTest } from '../../test/scenario.ts'
import { freePort, multicall3Address, processCommand, startAnvil } from '../index.ts'
import { isReachableBy } from '../postgres/system-user.ts'
import { previousCopyOf } from './state-file.ts'

const now = () => new Date()
const receiver = '0x00000000000000000000000000000000000000aa'
const account = mnemonicToAccount('test test test test test test test test test test test junk')

function clientOf({ url }: { url: string }) {
  return createTestClient({ mode: 'anvil', chain: foundry, transport: http(url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}

async function pay(node: { url: string }): Promise<bigint> {
  const client = clientOf(node)
  const hash = await client.sendTransaction({ account, to: receiver, value: parseEther('1') })
  const { status, blockNumber } = await client.waitForTransactionReceipt({ hash })
  expect(status).toBe('success')
  return (await client.getBlock({ blockNumber })).timestamp
}

async function received(node: { url: string }): Promise<bigint> {
  return clientOf(node).getBalance({ address: receiver })
}

describe('startAnvil', { timeout: 60_000 }, () => {
  it('mines each transaction at once, with Multicall3 at its usual address', async () => {
    const node = stopAfterTest(await startAnvil({ now }))
    await pay(node)
    const client = clientOf(node)
    expect(await client.getBlockNumber()).toBe(1n)
    const read = { address: multicall3Address, abi: multicall3Abi, functionName: 'getCurrentBlockTimestamp' } as const
    const [answer] = await client.multicall({ contracts: [read], multicallAddress: multicall3Address })
    expect(answer?.status).toBe('success')
  })

  it('mines at a pace as well when told to, on the chain asked for', async () => {
    const node = stopAfterTest(await startAnvil({ now, blockTimeSeconds: 1, chainId: 4242 }))
    const client = clientOf(node)
    expect(await client.getChainId()).toBe(4242)
    await sleep(2500)
    expect(await client.getBlockNumber()).toBeGreaterThanOrEqual(2n)
  })

  it('keeps the chain from one start to the next', async () => {
    const stateFile = join(openFolder(), 'state.json')
    const first = stopAfterTest(await startAnvil({ stateFile, now }))
    expect(first.restoration).toBe('fresh')
    await pay(first)
    await first.stop()
    const second = stopAfterTest(await startAnvil({ stateFile, now }))
    expect(second.restoration).toBe('kept')
    expect(await received(second)).toBe(parseEther('1'))
    await pay(second)
  })

  it('does not fall behind its last block after its clock was moved ahead', async () => {
    const stateFile = join(openFolder(), 'state.json')
    const first = stopAfterTest(await startAnvil({ stateFile, now, blockTimeSeconds: 1 }))
    await clientOf(first).increaseTime({ seconds: 30 * 24 * 3600 })
    await clientOf(first).mine({ blocks: 1 })
    const travelled = await pay(first)
    expect(Number(travelled) - Date.now() / 1000).toBeGreaterThan(29 * 24 * 3600)
    await first.stop()

    const second = stopAfterTest(await startAnvil({ stateFile, now, blockTimeSeconds: 1 }))
    const afterRestart = await pay(second)
    expect(afterRestart).toBeGreaterThan(travelled)
    await sleep(2100)
    expect(await pay(second)).toBeGreaterThan(afterRestart)
  })

  it('continues at the clock of its caller when that is ahead', async () => {
    const stateFile = join(openFolder(), 'state.json')
    await (await startAnvil({ stateFile, now })).stop()
    const later = new Date(Date.now() + 3600_000)
    const node = stopAfterTest(await startAnvil({ stateFile, now: () => later }))
    expect(Number(await pay(node))).toBeGreaterThanOrEqual(Math.floor(later.getTime() / 1000))
  })

  it.each([
    ['truncated', (file: string) => truncateSync(file, 4096)],
    ['emptied', (file: string) => truncateSync(file, 0)],
  ])('falls back to the previous copy of a %s state', async (_, damage) => {
    const stateFile = join(openFolder(), 'state.json')
    const first = stopAfterTest(await startAnvil({ stateFile, now }))
    await pay(first)
    await sleep(2500)
    first.kill9()
    await first.exited
    expect(JSON.parse(readFileSync(previousCopyOf(stateFile), 'utf8'))).toHaveProperty('accounts')
    damage(stateFile)
    const second = stopAfterTest(await startAnvil({ stateFile, now }))
    expect(second.restoration).toBe('previous')
    expect(await received(second)).toBe(parseEther('1'))
  })

  it('starts empty, and says so, when no state is usable', async () => {
    const stateFile = join(openFolder(), 'state.json')
    writeFileSync(stateFile, '{"block":')
    const node = stopAfterTest(await startAnvil({ stateFile, now }))
    expect(node.restoration).toBe('lost')
    expect(readFileSync(`${stateFile}.corrupt`, 'utf8')).toBe('{"block":')
  })

  it('takes over from a node whose parent was killed', async () => {
    const stateFile = join(openFolder(), 'state.json')
    const { child, reported } = await startInChild('anvil', stateFile, 'wait')
    await pay(reported)
    await kill9(child)
    expect(processCommand(reported.pid)).toContain(stateFile)
    const node = stopAfterTest(await startAnvil({ stateFile, now }))
    expect(processCommand(reported.pid)).toBeUndefined()
    expect(await received(node)).toBe(parseEther('1'))
    await expect(startAnvil({ stateFile, now })).rejects.toThrow(`belongs to process ${process.pid}`)
  })

  it('runs as an ordinary user without a home folder', async () => {
    const asNobody = isRoot && isReachableBy(nobody, import.meta.dirname)
    const stateFile = join(openFolder(), 'state.json')
    const { reported } = await startInChild('anvil', stateFile, 'stop', asNobody ? nobody : undefined)
    expect(reported.uid).toBe(asNobody ? nobody.uid : process.getuid?.())
    expect(readFileSync(stateFile, 'utf8')).toContain('"accounts"')
  })

  it('names a port that is in use', async () => {
    const port = await freePort()
    const squatter = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => {
      squatter.close()
    })
    await expect(startAnvil({ now, port })).rejects.toMatchObject({ name: 'PortInUseError', port })
  })
})
