import { demoCashAbi } from '@tallystick/abi'
import { wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld } from '../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket } from '../../test/lending/market-life.ts'
import { type RpcProxy, rpcProxy } from '../../test/rpc-proxy.ts'
import type { Database, Sql } from '../platform/db/database.ts'
import { createLog } from '../platform/log.ts'
import { systemRandom } from '../platform/random.ts'
import { createMonitor } from './monitor.service.ts'

/** They need a third round trip. */
const IDLE = 220

describe('the monitor with many tenants', () => {
  let world: LendingWorld
  let proxy: RpcProxy
  let live: LiveMarket[]
  /** The borrow asset of a third market, in which nothing ever happened. */
  let unused: Address
  const borrower = wallet(3)

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async ({ url }) => {
        proxy = await rpcProxy(url)
        return [proxy.url]
      },
    })
    const life = createMarketLife(world)
    live = []
    for (const mode of ['FREEZE', 'CUSTODY'] as const) {
      const market = await life.adopted({ mode })
      live.push(market)
      await life.admit(market, [borrower.address])
      await life.fund(market, 100_000)
      for (const amount of [100, 200]) await life.openLoan(market, borrower, { collateral: 20, amount, mode })
    }
    unused = await world.createCash('USDY')
    await life.adopted({ borrowAssetAddress: unused })
    await world.follow()
  })
  afterAll(async () => {
    await world.close()
    await proxy.stop()
  })

  const mine = () => world.node.testClient.mine({ blocks: 1 })

  /** The real database, which tells how many statements it was asked. */
  function counted(database: Database): { database: Database; statements(): number } {
    let statements = 0
    const as: Database['as'] = (role, work) =>
      database.as(role, (sql) =>
        work(
          new Proxy(sql, {
            apply(query, self, given) {
              statements += 1
              return Reflect.apply(query as (...parts: unknown[]) => unknown, self, given)
            },
          }) as Sql,
        ),
      )
    return { database: { ...database, as }, statements: () => statements }
  }

  function watch() {
    const [chain] = world.chains.all
    if (!chain) throw new Error('no chain')
    const { database, statements } = counted(world.database)
    const parts = { database, clock: world.clock, random: systemRandom, log: createLog({ level: 'silent' }) }
    const monitor = createMonitor(parts)
    return async () => {
      await mine()
      const before = [statements(), proxy.requests.length] as const
      const report = await monitor.pass(chain)
      const asked = { statements: statements() - before[0], roundTrips: proxy.requests.length - before[1] }
      return { report, asked }
    }
  }

  /** Markets of others, before, between and after those that live, with contracts that the node does not know. */
  async function addIdle(from: number, to: number): Promise<void> {
    const [first] = live
    await world.superuser`
      insert into lending_markets select (jsonb_populate_record(m, jsonb_build_object(
        'market_address', '0x' || md5('market' || n) || '00000000', 'adapter', '0x' || md5('adapter' || n) || '00000000',
        'router', '0x' || md5('router' || n) || '00000000', 'deployed_block', m.deployed_block + n % 3 - 1))).*
      from lending_markets m cross join generate_series(${from}::int, ${to}::int) n
      where m.market_address = ${first?.marketAddress ?? ''}`
  }

  it('asks the database no more than before, and the node for a hundred markets at a time', async () => {
    const look = watch()
    const alone = await look()
    expect(alone.report).toMatchObject({ held: 31, broken: [], unread: [] })
    // The newest block, the books of all markets, and what is held for them.
    expect(alone.asked).toEqual({ statements: 3, roundTrips: 3 })
    await addIdle(1, 10)
    const few = await look()
    expect([few.report.unread.length, few.asked]).toEqual([10, alone.asked])
    await addIdle(11, IDLE)
    const many = await look()
    expect([many.report.held, many.report.unread.length]).toEqual([31, IDLE])
    // The newest block, three times books, and what is held for the two that live, far apart from each other.
    expect(many.asked).toEqual({ statements: 3, roundTrips: 6 })
  })

  it('asks nobody what is held for a market in which nothing is booked', async () => {
    const code = await world.node.publicClient.getCode({ address: unused })
    await world.node.testClient.setCode({ address: unused, bytecode: '0xfe' })
    const { report } = await watch()()
    expect([report.held, report.unread.length]).toEqual([31, IDLE])
    await world.node.testClient.setCode({ address: unused, bytecode: code ?? '0x' })
  })

  it('finds the broken promise of one among them', async () => {
    const [, robbed] = live
    if (!robbed) throw new Error('no market')
    const { testClient, publicClient, walletClient } = world.node
    await testClient.impersonateAccount({ address: robbed.marketAddress })
    await testClient.setBalance({ address: robbed.marketAddress, value: 10n ** 18n })
    const { request } = await publicClient.simulateContract({
      address: world.cash,
      abi: demoCashAbi,
      functionName: 'transfer',
      args: [borrower.address, 1n],
      account: robbed.marketAddress,
    })
    await walletClient.writeContract(request)
    await mine()
    const look = watch()
    expect((await look()).report).toMatchObject({ held: 30, broken: [], suspected: 1 })
    const { report } = await look()
    expect(report).toMatchObject({ held: 30, suspected: 0 })
    expect(report.broken).toMatchObject([{ contract: robbed.marketAddress, invariant: 'cash-covered' }])
    expect(report.unread).toHaveLength(IDLE)
  })
})
