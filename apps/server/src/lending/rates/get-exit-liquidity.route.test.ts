import { wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal } from '../../../test/lending/setting-faults.ts'
import { abis } from '../contracts.ts'

const DAY = 86_400n

describe('exit liquidity and the term configuration', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let market: LiveMarket
  const borrower = wallet(5)
  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    market = await life.adopted()
    await life.admit(market, [borrower.address])
    await life.fund(market, 100_000)
  })
  afterAll(() => world.close())

  const read = (what: string, marketId = market.marketId) => world.deployer.get(`${V2}/markets/${marketId}/${what}`)
  const exit = async () => must(await read('exit-liquidity')).body.data
  const terms = async () => must(await read('term-config')).body.data
  const set = (days: bigint, terminal = 0n) =>
    life.call(market.marketAddress, abis.market, 'setTermConfig', [days * DAY, 3n * DAY, terminal, 0n])
  const lend = () => life.openLoan(market, borrower, { collateral: 100, amount: 1000 })
  const dueAt = async (loanId: bigint) => {
    const call = { address: market.marketAddress, abi: abis.market, functionName: 'loan', args: [loanId] } as const
    return Number((await world.node.publicClient.readContract(call)).effectiveDueAt)
  }

  it('shows a pool that nobody borrowed from, each read in one round trip', async () => {
    await life.call(market.marketAddress, abis.market, 'setReserveRatio', [500n])
    expect(await exit()).toEqual({
      reserveRatioBps: 500,
      borrowableLiquidity: '95000',
      availableLiquidity: '100000',
      totalBorrowed: '0',
      bookEmpty: true,
      latestDueAt: null,
      exitHorizon: { horizon: null, bounded: true, applies: false, basis: 'OPEN_LOANS' },
      disclosure: expect.stringContaining('Nothing is lent'),
    })
    expect(await terms()).toEqual({
      termStamping: 'PER_LOAN',
      stampedOnNewLoansOnly: ['maxLoanDuration', 'terminalDueDate', 'termGracePeriod', 'termPenalty'],
      appliesToOpenLoans: ['marketDueFloor'],
      termsEnabled: false,
      maxLoanDurationSeconds: 0,
      termGracePeriodSeconds: 3 * 86_400,
      terminalDueDate: null,
      marketDueFloor: null,
      termPenaltyBps: 0,
      allowExtension: true,
      latestDueAt: null,
      bookEmpty: true,
      exitHorizon: { horizon: null, bounded: true, applies: false, basis: 'OPEN_LOANS' },
      closedToNewLoans: false,
      closedReason: null,
      termFloorExposure: null,
    })
    expect(await world.roundTrips(exit)).toBe(1)
    expect(await world.roundTrips(terms)).toBe(1)
  })

  it('takes the high-water mark while the record is behind, then the open loans themselves', async () => {
    await set(30n)
    const first = await lend()
    const firstDue = await dueAt(first)
    const behind = await exit()
    expect(behind.exitHorizon).toEqual({ horizon: firstDue, bounded: null, applies: true, basis: 'HIGH_WATER_MARK' })
    expect(behind.disclosure).toContain('behind the chain')
    await world.follow()
    await set(20n)
    const second = await lend()
    await world.follow()
    expect((await exit()).exitHorizon).toEqual({ horizon: firstDue, bounded: true, applies: true, basis: 'OPEN_LOANS' })
    await life.repay(market, borrower, first, 2000)
    await world.follow()
    const now = await terms()
    expect(now.exitHorizon.horizon).toBe(await dueAt(second))
    expect(now).toMatchObject({ latestDueAt: firstDue, bookEmpty: false, termsEnabled: true })
    expect(now.termFloorExposure).toMatchObject({
      exposed: false,
      uncoveredBps: 0,
      sliceSizedToFloor: true,
      floorGapBps: 500,
      auctionMinPremiumBps: 9500,
      useDutchAuction: false,
    })
  })

  it('says that there is no horizon when an open loan has no maturity', async () => {
    await set(0n)
    await lend()
    await world.follow()
    const { exitHorizon, disclosure } = await exit()
    expect(exitHorizon).toMatchObject({ bounded: false, applies: true })
    expect(disclosure).toContain('no maturity')
  })

  it('says why nobody can open a loan', async () => {
    await life.call(market.marketAddress, abis.market, 'pause', [])
    expect(await terms()).toMatchObject({ closedToNewLoans: true, closedReason: 'PAUSED' })
    await life.call(market.marketAddress, abis.market, 'unpause', [])
    const { timestamp } = await world.node.publicClient.getBlock()
    await set(0n, timestamp + 1000n)
    await life.travel(1001)
    expect(await terms()).toMatchObject({ closedToNewLoans: true, closedReason: 'TERMINAL_DUE_DATE_PASSED' })
    const pending = await world.deployMarket({ borrowAssetAddress: await world.createCash('PEND') })
    expect(must(await read('term-config', pending.marketId)).body.data.closedReason).toBe('PENDING_CURATOR')
  })

  it.each(['exit-liquidity', 'term-config'])('refuses to guess %s when the market cannot be read', async (what) => {
    const get = () => read(what)
    expectRefusal(await world.withoutNode(get), 503, 'MARKET_STATE_UNAVAILABLE')
    expectRefusal(await world.withBroken(market.marketAddress, get), 503, 'MARKET_STATE_UNAVAILABLE')
  })
})
