import { demoCashAbi, demoSecurityAbi } from '@tallystick/abi'
import { wallet } from '@tallystick/testkit'
import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  numberToHex,
} from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, units } from '../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../test/lending/market-life.ts'
import { type RpcProxy, rpcProxy } from '../../test/rpc-proxy.ts'
import { createLog } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { systemRandom } from '../platform/random.ts'
import { startMonitorJob } from './monitor.job.ts'
import { createMonitor } from './monitor.service.ts'

describe('the monitor', () => {
  let world: LendingWorld
  let proxy: RpcProxy
  let life: MarketLife
  let frozen: LiveMarket
  let custody: LiveMarket
  const borrower = wallet(3)
  let frozenLoan: Awaited<ReturnType<MarketLife['openLoan']>>

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async ({ url }) => {
        proxy = await rpcProxy(url)
        return [proxy.url]
      },
    })
    life = createMarketLife(world)
    frozen = await life.adopted()
    custody = await life.adopted({ mode: 'CUSTODY' })
    await life.admit(frozen, [borrower.address])
    await life.admit(custody)
    for (const market of [frozen, custody]) await life.fund(market, 100_000)
    frozenLoan = await life.openLoan(frozen, borrower, { collateral: 10, amount: 100 })
    await life.openLoan(custody, borrower, { collateral: 20, amount: 100, mode: 'CUSTODY' })
    const repaid = await life.openLoan(custody, borrower, { collateral: 20, amount: 100, mode: 'CUSTODY' })
    await life.repay(custody, borrower, repaid, 1_000)
    await world.follow()
  })
  afterAll(async () => {
    await world.close()
    await proxy.stop()
  })
  afterEach(() => {
    proxy.changeCall = undefined
    proxy.changeResult = undefined
  })

  const parts = () => ({
    database: world.database,
    clock: world.clock,
    random: systemRandom,
    log: createLog({ level: 'silent' }),
  })
  const chain = () => {
    const [served] = world.chains.all
    if (!served) throw new Error('no chain')
    return served
  }
  /** Nothing happens in the newest block, so that all that did is seen. */
  const mine = () => world.node.testClient.mine({ blocks: 1 })
  /** Two looks at two blocks. */
  async function passTwice() {
    const monitor = createMonitor(parts())
    await mine()
    const first = await monitor.pass(chain())
    await mine()
    return [first, await monitor.pass(chain())] as const
  }
  const pass = async () => {
    await mine()
    return createMonitor(parts()).pass(chain())
  }
  const rows = async () => [
    ...(await world.database.as(
      'tally_operator',
      (sql) =>
        sql`select contract, invariant, detail, healed_at is not null as healed from invariant_breaks order by opened_at, invariant`,
    )),
  ]

  /** What no key can do: the contract itself gives its tokens away. */
  async function steal(from: Address, token: Address, abi: Abi, to: Address, amount: bigint): Promise<void> {
    const { testClient } = world.node
    await testClient.impersonateAccount({ address: from })
    await testClient.setBalance({ address: from, value: 10n ** 18n })
    const { request } = await world.node.publicClient.simulateContract({
      address: token,
      abi,
      functionName: 'transfer',
      args: [to, amount],
      account: from,
    })
    await world.node.walletClient.writeContract(request)
    await testClient.mine({ blocks: 1 })
    await testClient.stopImpersonatingAccount({ address: from })
  }

  it('finds every promise of living markets kept', async () => {
    const { held, broken, unread } = await pass()
    expect([broken, unread]).toEqual([[], []])
    // Ten of the frozen one, eleven of the one in custody: its escrow is looked at too.
    expect(held).toBe(21)
    expect(await rows()).toEqual([])
  })

  it('tells once what broke, shows it as a metric, and when it holds again', async () => {
    await steal(custody.adapter, world.security.token, demoSecurityAbi, borrower.address, units(1))
    await steal(frozen.marketAddress, world.cash, demoCashAbi, borrower.address, 1n)
    const [first, second] = await passTwice()
    expect(first).toMatchObject({ held: 19, broken: [], suspected: 2 })
    expect(second).toMatchObject({
      held: 19,
      broken: [
        { contract: frozen.marketAddress, invariant: 'cash-covered' },
        { contract: custody.marketAddress, invariant: 'escrow-covered' },
      ],
      suspected: 0,
    })
    expect(await rows()).toMatchObject([
      { contract: frozen.marketAddress, invariant: 'cash-covered', healed: false },
      {
        contract: custody.marketAddress,
        invariant: 'escrow-covered',
        detail: `${units(19)} held, ${units(20)} booked`,
        healed: false,
      },
    ])

    const metrics = createMetrics()
    const job = startMonitorJob({ ...parts(), chain: chain(), metrics, intervalMs: 10 })
    const shown = async () => {
      await mine()
      return metrics.registry.metrics()
    }
    const shows = (text: string) => expect.poll(shown).toContain(text)
    const label = `chain="31337",contract="${custody.marketAddress}",invariant="escrow-covered"`
    await shows(`tally_invariant_broken{${label}} 1`)
    await life.call(world.security.token, demoSecurityAbi, 'transfer', [custody.adapter, units(1)], borrower)
    await life.call(world.cash, demoCashAbi, 'transfer', [frozen.marketAddress, 1n], borrower)
    await shows('tally_invariants_held{chain="31337"} 21')
    await job.stop()
    expect(await metrics.registry.metrics()).not.toContain('invariant="escrow-covered"')
    expect((await rows()).map(({ healed }) => healed)).toEqual([true, true])
  })

  const isAtABlock = ({ method, params }: { method: string; params: readonly unknown[] }) =>
    method === 'eth_call' && typeof params[1] === 'object'
  /** After the first call of a look, a part of a loan is repaid; calls after that may be answered from the newest block. */
  function repayDuringTheLook(answersFromNewest: number): { mistakesLeft(): number } {
    let left = 0
    proxy.changeCall = (call) => {
      if (!isAtABlock(call) || left === 0) return call
      left -= 1
      return { ...call, params: [call.params[0], 'latest'] }
    }
    proxy.afterCall = async (method) => {
      if (method !== 'eth_call') return
      proxy.afterCall = undefined
      await life.repay(frozen, borrower, frozenLoan, 10)
      left = answersFromNewest
    }
    return { mistakesLeft: () => left }
  }

  it('believes no answer from another block than the one it looks at', async () => {
    const monitor = createMonitor(parts())
    await mine()
    const { mistakesLeft } = repayDuringTheLook(1)
    expect(await monitor.pass(chain())).toMatchObject({ held: 21, broken: [], suspected: 0 })
    expect(mistakesLeft()).toBe(0)
  })

  /** The same answers of several reads, said to be of another block. The first of them is the height. */
  function underHeight(returned: Hex, height: bigint): Hex {
    const reads = { abi: multicall3Abi, functionName: 'aggregate3' } as const
    const [, ...answers] = decodeFunctionResult({ ...reads, data: returned })
    const returnData = numberToHex(height, { size: 32 })
    return encodeFunctionResult({ ...reads, result: [{ success: true, returnData }, ...answers] })
  }

  it('says nothing when one look is mistaken and the next, at another block, is not', async () => {
    const monitor = createMonitor(parts())
    await mine()
    const newest = await world.node.publicClient.getBlockNumber()
    repayDuringTheLook(1)
    // A node that shows half of another block under the height of the one that it was asked for.
    proxy.changeResult = ({ method, params, result }) =>
      method === 'eth_call' && params[1] === 'latest' ? underHeight(result as Hex, newest - 1n) : result
    const first = await monitor.pass(chain())
    expect(first.suspected).toBeGreaterThan(0)
    expect(first.broken).toEqual([])
    proxy.changeCall = undefined
    proxy.changeResult = undefined
    await mine()
    expect(await monitor.pass(chain())).toMatchObject({
      held: 21,
      broken: [],
      suspected: 0,
      dismissed: first.suspected,
    })
    expect(await rows()).toHaveLength(2)
  })

  it('does not look at the newest block, of which a node may know only a part', async () => {
    await mine()
    const newest = await world.node.publicClient.getBlock()
    const places = new Set<unknown>()
    proxy.changeCall = (call) => {
      if (call.method === 'eth_call') places.add((call.params[1] as { blockHash?: unknown }).blockHash)
      return call
    }
    expect((await createMonitor(parts()).pass(chain())).blockNumber).toBe(newest.number - 1n)
    expect([...places]).toEqual([newest.parentHash])
  })

  it('says which contract it could not read, and keeps what it knew of it', async () => {
    const code = await world.node.publicClient.getCode({ address: frozen.router })
    await world.node.testClient.setCode({ address: frozen.router, bytecode: '0xfe' })
    expect(await pass()).toMatchObject({ held: 11, broken: [], unread: [frozen.marketAddress] })
    await world.node.testClient.setCode({ address: frozen.router, bytecode: code ?? '0x' })
  })
})
