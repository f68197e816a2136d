import { wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFiguresLife } from '../../../test/lending/figures-life.ts'
import { createLendingWorld, type LendingWorld, must, units, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { abis } from '../contracts.ts'

describe('the figures of a market', () => {
  let world: LendingWorld
  let life: MarketLife
  let figures: ReturnType<typeof createFiguresLife>
  let market: LiveMarket
  const borrower = wallet(4)

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    figures = createFiguresLife(world, life)
    market = await life.adopted()
    await life.admit(market, [borrower.address, world.deployer.wallet.address])
    await life.fund(market, 10_000)
    await world.follow()
  })
  afterAll(() => world.close())

  it('are zero and at the bottom of the curve while nothing is lent', async () => {
    const { data, metadata } = await figures.get(market, 'metrics')
    expect(metadata.blockNumber).toBeDefined()
    expect(data).toMatchObject({
      isOnChain: true,
      paused: false,
      liquidationContract: market.router,
      priceSource: 'NAV',
      totalDeposits: '10000',
      totalBorrows: '0',
      availableLiquidity: '10000',
      borrowableLiquidity: '10000',
      utilizationRate: '0',
      borrowRate: '200',
      curveBorrowRate: '200',
      supplyRate: '0',
      totalShares: '10000',
      totalCollateral: '0',
      activeLoans: '0',
      totalLoansCreated: '0',
      activeAuctions: '0',
      totalAuctions: '0',
      pendingLiquidations: '0',
      pendingLiquidationDebt: '0',
      auctionModule: null,
      rateMode: 'CURVE',
      stampsFixedRate: false,
      maxLoanDuration: null,
      terminalDueDate: null,
      termConfig: { terminalDueDate: '0', marketDueFloor: '0', termStamping: 'PER_LOAN' },
      exitHorizon: { applies: false },
      newLoansClosed: false,
      newLoansClosedReason: null,
      useVaultLiquidity: false,
      vaultOnlyLiquidity: true,
      reserveRatio: '0',
      operatorShare: '800',
      distributorShare: '500',
      operatorWallet: world.deployer.wallet.address.toLowerCase(),
      operatorFeesPayable: '0',
      operatorFeesPayableRaw: '0',
    })
    expect(data).not.toHaveProperty('readFailed')
  })

  it('follow the curve, the reserve and the fees', async () => {
    const loanId = await life.openLoan(market, borrower, { collateral: 50, amount: 2500 })
    await figures.on(market, 'setReserveRatio', [500n])
    const lent = (await figures.get(market, 'metrics')).data
    expect(lent).toMatchObject({
      totalDeposits: '10000',
      totalBorrows: '2500',
      availableLiquidity: '7500',
      borrowableLiquidity: '7000',
      utilizationRate: '2500',
      borrowRate: '450',
      curveBorrowRate: '450',
      supplyRate: '83.1937',
      totalCollateral: '50',
      activeLoans: '1',
      totalLoansCreated: '1',
      reserveRatioBps: '500',
    })
    await life.travel(365 * 86_400)
    await life.repay(market, borrower, loanId, 100)
    const { data } = await figures.get(market, 'metrics')
    const fees = [data.infrastructureFeesPayable, data.operatorFeesPayable, data.distributorFeesPayable]
    // 100 paid, all of it interest: 15 of it first, then 8 % and 5 % of the other 85.
    expect(fees).toEqual(['15', '6.8', '4.25'])
    expect(data.infrastructureFeesPayableRaw).toBe('15000000')
    await life.call(market.oracle, abis.oracle, 'updatePrice', [100_000_000n])
  })

  it('show the raw curve beside a clamp, and the stamp where loans are stamped', async () => {
    const model = async (functionName: string, args: readonly unknown[]) => {
      // Gas is estimated a moment before a call is mined: interest must not begin to accrue in between.
      await life.travel(60)
      await life.call(market.rateModel, abis.rateModel, functionName, args)
    }
    await model('setRateMode', [1, 600n, 900n, 0n])
    const clamped = (await figures.get(market, 'metrics')).data
    expect(clamped).toMatchObject({ rateMode: 'CLAMPED', rateFloor: '600', rateCap: '900', borrowRate: '600' })
    expect(Number(clamped.curveBorrowRate)).toBeLessThan(460)
    await figures.on(market, 'setTermConfig', [BigInt(30 * 86_400), BigInt(3 * 86_400), 0n, 0n])
    await model('setRateMode', [2, 0n, 0n, 777n])
    const { data } = await figures.get(market, 'metrics')
    expect(data).toMatchObject({
      rateMode: 'FIXED',
      borrowRate: '777',
      fixedStampRateBps: '777',
      stampsFixedRate: true,
      maxLoanDuration: String(30 * 86_400),
      termGracePeriod: String(3 * 86_400),
    })
    const utilization = Number(data.utilizationRate) / 10_000
    expect(Number(data.supplyRate)).toBeCloseTo(777 * utilization * 0.7395, 2)
    await life.travel(60)
    await life.openLoan(market, borrower, { collateral: 10, amount: 500 })
    await world.follow()
    const open = (await figures.get(market, 'metrics')).data
    expect(open.exitHorizon).toMatchObject({ applies: true, bounded: false, horizon: open.latestDueAt })
  })

  it('say when and why no loan can be opened', async () => {
    await figures.on(market, 'pause')
    const paused = (await figures.get(market, 'metrics')).data
    expect(paused).toMatchObject({ paused: true, newLoansClosed: true, newLoansClosedReason: 'PAUSED' })
    await figures.on(market, 'unpause')
    const { marketId } = await world.deployMarket({ mode: 'CUSTODY' })
    const seeking = (await figures.get({ marketId }, 'metrics')).data
    expect(seeking).toMatchObject({ newLoansClosedReason: 'PENDING_CURATOR', operatorWallet: null })
  })

  it('count auctions, and say null where the record has not come to the venue yet', async () => {
    const venue = await figures.venue(market)
    expect((await figures.get(market, 'metrics')).data).toMatchObject({ auctionModule: venue, totalAuctions: null })
    await world.follow()
    expect((await figures.get(market, 'metrics')).data).toMatchObject({ auctionModule: venue, totalAuctions: '0' })
  })

  describe('for one borrower', () => {
    const maxBorrow = (amount: string) =>
      world.deployer.get(`${V2}/markets/${market.marketId}/max-borrow?collateralAmount=${amount}`)

    it('say what an amount of collateral carries at the stored price', async () => {
      await life.call(market.oracle, abis.oracle, 'updatePrice', [104_820_000n])
      const { data } = must(await maxBorrow('1000')).body
      expect(data).toMatchObject({ collateralAmount: '1000', maxBorrow: '78615', isStale: false })
      expect(data.priceAge).toBeLessThan(10)
      expect(must(await maxBorrow('0.0100')).body.data).toMatchObject({
        collateralAmount: '0.01',
        maxBorrow: '0.78615',
      })
      await life.travel(86_401)
      expect(must(await maxBorrow('1000')).body.data).toMatchObject({ maxBorrow: '78615', isStale: true })
    })

    it('refuse an amount that is none', async () => {
      const huge = '9'.repeat(60)
      for (const amount of ['0', '-1', 'abc', '', '1e3', `1.${'1'.repeat(19)}`, huge, '1'.repeat(200)]) {
        const answer = await maxBorrow(amount)
        expect([amount, answer.status, answer.body.error?.code]).toEqual([amount, 400, 'INVALID_AMOUNT'])
      }
      const missing = await world.deployer.get(`${V2}/markets/${market.marketId}/max-borrow`)
      expect([missing.status, missing.body.error.code]).toEqual([400, 'INVALID_AMOUNT'])
    })

    it('tell how much collateral the market still takes', async () => {
      const before = (await figures.get(market, 'supply-caps')).data
      expect(before).toEqual({ maxTotalCollateral: '0', maxUserCollateral: '0', currentTotalCollateral: '60' })
      const config = await world.node.publicClient.readContract({
        address: market.marketAddress,
        abi: abis.market,
        functionName: 'config',
      })
      const capped = { ...config, maxTotalCollateral: units(5000), maxUserCollateral: units(250) }
      await figures.on(market, 'setConfig', [capped])
      expect((await figures.get(market, 'supply-caps')).data).toMatchObject({
        maxTotalCollateral: '5000',
        maxUserCollateral: '250',
      })
    })
  })
})
