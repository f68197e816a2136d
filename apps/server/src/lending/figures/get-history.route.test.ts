import { wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFiguresLife } from '../../../test/lending/figures-life.ts'
import { createLendingWorld, type LendingWorld, must, units, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { abis } from '../contracts.ts'

const HOUR = 3600
const DAY = 24 * HOUR

describe('the history of a market', () => {
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
    await life.admit(market, [borrower.address])
    await world.follow()
  })
  afterAll(() => world.close())

  const history = async (query = '') => (await figures.get(market, `history${query}`)).data
  const status = async () => (await figures.get(market, 'index-status')).data
  /** To the first minutes of the next hour or day, so that buckets do not depend on when the test runs. */
  async function nextBucket(size: number) {
    const { timestamp } = await world.node.publicClient.getBlock()
    await life.travel(size - (Number(timestamp) % size) + 60)
  }

  it('is not there before the market is, and waits for the first snapshot', async () => {
    const built = must(await world.deployer.post(`${V2}/markets/deploy`, world.deployBody({ mode: 'CUSTODY' })))
    const draft = { marketId: built.body.data.marketId }
    expect((await figures.get(draft, 'history')).data).toMatchObject({
      available: false,
      indexed: false,
      reason: 'NO_MARKET_ADDRESS',
      points: [],
      totals: null,
    })
    expect((await figures.get(draft, 'index-status')).data).toMatchObject({
      available: false,
      indexed: false,
      reason: 'NO_MARKET_ADDRESS',
      indexedBlock: null,
    })
    expect(await history()).toMatchObject({
      available: true,
      indexed: false,
      reason: 'AWAITING_FIRST_SNAPSHOT',
      range: '30d',
      resolution: 'day',
      borrowAsset: world.cash,
      borrowAssetDecimals: 6,
      collateralDecimals: 18,
      snapshotCount: 0,
      rateMode: 'CURVE',
      supplyRateBasis: 'BORROW_RATE',
      points: [],
    })
    expect(await status()).toMatchObject({
      available: true,
      indexed: false,
      snapshotCount: 0,
      lagSeconds: 0,
      stale: false,
    })
  })

  it('has a point per bucket: what the snapshots say, and what moved in between', async () => {
    await nextBucket(HOUR)
    await life.fund(market, 10_000)
    await figures.on(market, 'pokeSnapshot')
    const loanId = await life.openLoan(market, borrower, { collateral: 50, amount: 2500 })
    await figures.on(market, 'pokeSnapshot')
    await nextBucket(HOUR)
    await nextBucket(HOUR)
    await life.repay(market, borrower, loanId, 1000)
    await life.call(market.oracle, abis.oracle, 'updatePrice', [104_000_000n])
    await life.travel(60)
    await figures.on(market, 'removeLiquidity', [units(2000)])
    await figures.on(market, 'pokeSnapshot')
    await world.follow()

    const { points, totals, ...rest } = await history('?range=24h')
    expect(rest).toMatchObject({ indexed: true, reason: null, resolution: 'hour', snapshotCount: 3, truncated: false })
    expect(points).toHaveLength(3)
    expect(points[0]).toMatchObject({
      totalLiquidity: '10000',
      totalBorrowed: '2500',
      availableLiquidity: '7500',
      totalCollateral: '50',
      collateralPrice: '100',
      collateralValue: '5000',
      utilizationRate: '2500',
      borrowRate: '450',
      supplyRate: '83.1937',
      exchangeRate: '1',
      openLiquidity: '10000',
      openBorrowed: '0',
      highBorrowed: '2500',
      lowBorrowed: '0',
      depositVolume: '10000',
      borrowVolume: '2500',
      repayVolume: '0',
    })
    expect(points[0]).not.toHaveProperty('carriedForward')
    expect(points[1]).toMatchObject({
      carriedForward: true,
      totalBorrowed: '2500',
      openBorrowed: '2500',
      highBorrowed: '2500',
      depositVolume: '0',
    })
    expect(points[2]).toMatchObject({
      collateralPrice: '104',
      collateralValue: '5200',
      openLiquidity: '10000',
      openBorrowed: '2500',
      repayVolume: '1000',
    })
    expect(Number(points[2].lowLiquidity)).toBeCloseTo(8000, 0)
    expect(Number(points[2].totalBorrowed)).toBeCloseTo(1500, 0)
    expect(totals).toMatchObject({ depositVolume: '10000', borrowVolume: '2500', repayVolume: '1000' })
    expect(Number(totals.withdrawVolume)).toBeGreaterThanOrEqual(2000)
    const steps = points.map(({ timestamp }: { timestamp: number }) => timestamp)
    expect([steps[1] - steps[0], steps[2] - steps[1], steps[0] % (HOUR * 1000)]).toEqual([HOUR * 1000, HOUR * 1000, 0])
    expect(points[0].date).toBe(new Date(steps[0]).toISOString())
  })

  it('goes on from what stood when its span begins, and shows the newest thousand buckets', async () => {
    await life.travel(60 * DAY)
    const { points, truncated } = await history('?range=7d&resolution=day')
    expect([points.length, truncated]).toEqual([8, false])
    for (const point of points) expect(point).toMatchObject({ carriedForward: true, collateralPrice: '104' })
    const hourly = await history('?range=all&resolution=hour')
    expect([hourly.points.length, hourly.truncated]).toEqual([1000, true])
    const daily = await history('?range=all')
    expect([daily.points.length > 60, daily.truncated, daily.resolution]).toEqual([true, false, 'day'])
    for (const query of ['?range=2w', '?resolution=minute']) {
      const answer = await world.deployer.get(`${V2}/markets/${market.marketId}/history${query}`)
      expect([query, answer.status, answer.body.error?.code]).toEqual([query, 400, 'VALIDATION_ERROR'])
    }
  })

  it('takes the stamp for what providers earn where loans are stamped', async () => {
    await figures.on(market, 'setTermConfig', [BigInt(30 * DAY), BigInt(3 * DAY), 0n, 0n])
    await life.travel(60)
    await life.call(market.rateModel, abis.rateModel, 'setRateMode', [2, 0n, 0n, 1000n])
    const data = await history('?range=24h')
    expect(data).toMatchObject({ rateMode: 'FIXED', fixedStampRateBps: '1000', supplyRateBasis: 'FIXED_STAMP' })
    const [point] = data.points
    const utilization = Number(point.utilizationRate) / 10_000
    expect(Number(point.supplyRate)).toBeCloseTo(1000 * utilization * 0.7395, 2)
  })

  it('says how far the record is behind the chain, and that it stands on a block of it', async () => {
    expect(await status()).toMatchObject({
      indexed: true,
      snapshotCount: 3,
      hasIndexingErrors: false,
      stale: true,
      staleThresholdSeconds: 300,
    })
    await world.follow()
    const height = await world.node.publicClient.getBlockNumber()
    const fresh = await status()
    expect(fresh).toMatchObject({ indexedBlock: height.toString(), lagSeconds: 0, stale: false })
    expect(Number(fresh.lastSnapshotBlock)).toBeLessThan(Number(height))
    await world.superuser`update chain_cursors set block_hash = ${`0x${'0'.repeat(64)}`}`
    expect((await status()).hasIndexingErrors).toBe(true)
  })
})
