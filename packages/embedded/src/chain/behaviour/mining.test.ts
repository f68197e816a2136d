import { setTimeout as sleep } from 'node:timers/promises'
import { multicall3Abi, parseEther, parseGwei } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  account,
  type Client,
  clientOf,
  deploy,
  installedEngines,
  pay,
  receiver,
  rpc,
  secondAccount,
  timeTeller,
} from '../../../test/chain-scenario.ts'
import { stopAfterTest } from '../../../test/scenario.ts'
import { type ChainNode, multicall3Address, startChain } from '../../index.ts'

const now = () => new Date()

describe.each(installedEngines)('blocks and time on %s', (engine) => {
  let node: ChainNode
  let client: Client
  beforeAll(async () => {
    node = await startChain({ engine, now })
    client = clientOf(node)
  })
  afterAll(() => node.stop())

  const latest = () => client.getBlock({ blockTag: 'latest' })

  it('mines each transaction at once, in a block that tells its parent', async () => {
    const before = await latest()
    await pay(node)
    const after = await latest()
    expect(after.number).toBe(before.number + 1n)
    expect(after.parentHash).toBe(before.hash)
    expect(after.timestamp).toBeGreaterThanOrEqual(before.timestamp)
    expect(after.transactions).toHaveLength(1)
  })

  it('has Multicall3 at its usual address, and ten accounts with funds', async () => {
    const read = { address: multicall3Address, abi: multicall3Abi, functionName: 'getCurrentBlockTimestamp' } as const
    const [answer] = await client.multicall({ contracts: [read], multicallAddress: multicall3Address })
    expect(answer).toEqual({ status: 'success', result: (await latest()).timestamp })
    const accounts = await rpc<string[]>(client, 'eth_accounts')
    expect(accounts).toHaveLength(10)
    expect(await client.getBalance({ address: secondAccount.address })).toBe(parseEther('10000'))
  })

  it('has the deployer by CREATE2 at its usual address', async () => {
    expect(await client.getCode({ address: '0x4e59b44847b379578588920ca78fbf26c0b4956c' })).toMatch(/^0x7f/)
  })

  it('mines at a pace as well when told to, on the chain asked for', async () => {
    const paced = stopAfterTest(await startChain({ engine, now, blockTimeSeconds: 1, chainId: 4242 }))
    expect(await clientOf(paced).getChainId()).toBe(4242)
    await sleep(2500)
    expect(await clientOf(paced).getBlockNumber()).toBeGreaterThanOrEqual(2n)
  })

  it('waits for a block when it is told not to mine, and puts all that waited into it, in the order of arrival', async () => {
    await client.setAutomine(false)
    onTestFinished(() => client.setAutomine(true))
    const before = await latest()
    const first = await client.sendTransaction({ account: secondAccount, to: receiver, value: 1n })
    const second = await client.sendTransaction({ account, to: receiver, value: 2n })
    expect((await latest()).number).toBe(before.number)
    expect(await client.getTransaction({ hash: first })).toMatchObject({ blockNumber: null })
    await client.mine({ blocks: 1 })
    expect((await latest()).transactions).toEqual([first, second])
  })

  it('keeps a transaction behind a gap of nonces, until the gap is filled', async () => {
    const before = await latest()
    const nonce = await client.getTransactionCount({ address: secondAccount.address })
    const later = await client.sendTransaction({
      account: secondAccount,
      to: receiver,
      value: 1n,
      nonce: nonce + 1,
      gas: 21_000n,
    })
    await sleep(100)
    expect((await latest()).number).toBe(before.number)
    expect(await client.getTransactionCount({ address: secondAccount.address, blockTag: 'pending' })).toBe(nonce)
    expect(await client.getTxpoolStatus()).toEqual({ pending: 0, queued: 1 })
    const filling = await client.sendTransaction({
      account: secondAccount,
      to: receiver,
      value: 1n,
      nonce,
      gas: 21_000n,
    })
    for (const hash of [filling, later])
      expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
  })

  it('replaces a waiting transaction for a higher fee, and refuses one for the same', async () => {
    await client.setAutomine(false)
    onTestFinished(() => client.setAutomine(true))
    const nonce = await client.getTransactionCount({ address: account.address })
    const fees = (gwei: string) => ({ maxFeePerGas: parseGwei(gwei), maxPriorityFeePerGas: parseGwei(gwei) })
    const wish = { account, to: receiver, nonce, gas: 21_000n } as const
    const first = await client.sendTransaction({ ...wish, value: 1n, ...fees('10') })
    await expect(client.sendTransaction({ ...wish, value: 2n, ...fees('10') })).rejects.toThrow(/underpriced/i)
    const second = await client.sendTransaction({ ...wish, value: 3n, ...fees('20') })
    await client.mine({ blocks: 1 })
    expect((await latest()).transactions).toEqual([second])
    await expect(client.getTransactionReceipt({ hash: first })).rejects.toThrow('could not be found')
  })

  it('says in the usual words that a nonce is used, or that funds are missing', async () => {
    await pay(node)
    await expect(client.sendTransaction({ account, to: receiver, nonce: 0, gas: 21_000n })).rejects.toThrow(
      /nonce too low/i,
    )
    const poor = client.sendTransaction({ account, to: receiver, value: parseEther('1000000'), gas: 21_000n })
    await expect(poor).rejects.toThrow(/insufficient funds/i)
  })

  it('takes a waiting transaction back', async () => {
    await client.setAutomine(false)
    onTestFinished(() => client.setAutomine(true))
    const hash = await client.sendTransaction({ account, to: receiver, value: 1n })
    await client.dropTransaction({ hash })
    await client.mine({ blocks: 1 })
    expect((await latest()).transactions).toEqual([])
  })

  it('mines the next block at the second it is told, and goes on from there', async () => {
    const at = (await latest()).timestamp + 3600n
    await client.setNextBlockTimestamp({ timestamp: at })
    await client.mine({ blocks: 1 })
    expect((await latest()).timestamp).toBe(at)
    expect((await pay(node)) - at).toBeLessThan(60n)
  })

  it('moves its clock ahead', async () => {
    const before = (await latest()).timestamp
    await client.increaseTime({ seconds: 86_400 })
    await client.mine({ blocks: 3 })
    expect((await latest()).timestamp - before).toBeGreaterThanOrEqual(86_400n)
  })

  it('mines many blocks with a distance', async () => {
    const { number, timestamp } = await latest()
    await client.mine({ blocks: 5, interval: 60 })
    const after = await latest()
    expect(after.number).toBe(number + 5n)
    expect(after.timestamp - timestamp).toBeGreaterThanOrEqual(4n * 60n)
  })

  it('shows contracts the second of the block', async () => {
    const teller = await deploy(client, timeTeller)
    const { data } = await client.call({ to: teller })
    expect(BigInt(data ?? 0)).toBe((await latest()).timestamp)
  })

  it('lets the test sign for any address, and put balance, code and storage in place', async () => {
    const stranger = '0x00000000000000000000000000000000000000bb'
    await client.setBalance({ address: stranger, value: parseEther('2') })
    await client.impersonateAccount({ address: stranger })
    const hash = await client.sendTransaction({ account: stranger, to: receiver, value: 7n })
    expect((await client.waitForTransactionReceipt({ hash })).from).toBe(stranger)
    await client.stopImpersonatingAccount({ address: stranger })
    await client.setCode({ address: stranger, bytecode: '0x60005460005260206000f3' })
    await client.setStorageAt({ address: stranger, index: 0, value: `0x${'2a'.padStart(64, '0')}` })
    expect(BigInt((await client.call({ to: stranger })).data ?? 0)).toBe(42n)
  })

  it('answers the receipt with the sending where it is asked to', async () => {
    const request = { from: account.address, to: receiver, value: '0x1' }
    const receipt = await rpc<{ status: string; blockTimestamp: string }>(client, 'eth_sendTransactionSync', [request])
    expect(receipt.status).toBe('0x1')
    expect(BigInt(receipt.blockTimestamp)).toBe((await latest()).timestamp)
  })
})
