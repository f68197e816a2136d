import { demoCashAbi, demoSecurityAbi } from '@tallystick/abi'
import { wallet } from '@tallystick/testkit'
import type { Abi, Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, units } from '../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../test/lending/market-life.ts'
import { createLog } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { systemRandom } from '../platform/random.ts'
import { startMonitorJob } from './monitor.job.ts'
import { createMonitor } from './monitor.service.ts'

describe('the monitor', () => {
  let world: LendingWorld
  let life: MarketLife
  let frozen: LiveMarket
  let custody: LiveMarket
  const borrower = wallet(3)

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    frozen = await life.adopted()
    custody = await life.adopted({ mode: 'CUSTODY' })
    await life.admit(frozen, [borrower.address])
    await life.admit(custody)
    for (const market of [frozen, custody]) await life.fund(market, 100_000)
    await life.openLoan(frozen, borrower, { collateral: 10, amount: 100 })
    await life.openLoan(custody, borrower, { collateral: 20, amount: 100, mode: 'CUSTODY' })
    const repaid = await life.openLoan(custody, borrower, { collateral: 20, amount: 100, mode: 'CUSTODY' })
    await life.repay(custody, borrower, repaid, 1_000)
    await world.follow()
  })
  afterAll(() => world.close())

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
  const pass = () => createMonitor(parts()).pass(chain())
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
    const found = [await pass(), await pass()]
    for (const { broken } of found)
      expect(broken.map(({ contract, invariant }) => `${contract} ${invariant}`)).toEqual([
        `${frozen.marketAddress} cash-covered`,
        `${custody.marketAddress} escrow-covered`,
      ])
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
    const shows = (text: string) => expect.poll(() => metrics.registry.metrics(), { timeout: 5_000 }).toContain(text)
    const label = `chain="31337",contract="${custody.marketAddress}",invariant="escrow-covered"`
    await shows(`tally_invariant_broken{${label}} 1`)
    await life.call(world.security.token, demoSecurityAbi, 'transfer', [custody.adapter, units(1)], borrower)
    await life.call(world.cash, demoCashAbi, 'transfer', [frozen.marketAddress, 1n], borrower)
    await shows('tally_invariants_held{chain="31337"} 21')
    await job.stop()
    expect(await metrics.registry.metrics()).not.toContain('invariant="escrow-covered"')
    expect((await rows()).map(({ healed }) => healed)).toEqual([true, true])
  })

  it('says which contract it could not read, and keeps what it knew of it', async () => {
    const code = await world.node.publicClient.getCode({ address: frozen.router })
    await world.node.testClient.setCode({ address: frozen.router, bytecode: '0xfe' })
    expect(await pass()).toMatchObject({ held: 11, broken: [], unread: [frozen.marketAddress] })
    await world.node.testClient.setCode({ address: frozen.router, bytecode: code ?? '0x' })
  })
})
