import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from './lending-world.ts'
import { createVenue } from './setup-helpers.ts'
import {
  createStock,
  createStockLendingWorld,
  STOCK_LENDING,
  type Stock,
  type StockLendingWorld,
} from './stock-world.ts'
import { cast } from './story-birth.ts'
import { expectAgreement, expectRealizations } from './story-checks.ts'
import { createSelling, type Selling } from './story-sale.ts'
import { raiseMarket, type Stage } from './story-stage.ts'

const DAY = 86_400
const HOUR = 3_600

/** One life of a market on a stock of our own: company, investors, lender and buyers all act through the interface. */
describe.each(['FREEZE', 'CUSTODY'] as const)('the story of a loan against shares, %s', (mode) => {
  const { borrower, otherBorrower, broker, bidder, otherBidder } = cast
  let world: StockLendingWorld
  let stock: Stock
  let stage: Stage
  let selling: Selling

  beforeAll(async () => {
    world = await createStockLendingWorld()
    await world.recordStockFactory()
    stock = await createStock(world)
    stage = await raiseMarket(world, {
      mode,
      collateral: stock,
      prefix: STOCK_LENDING,
      config: { protocolFeeRate: 1_000 },
    })
    selling = createSelling(stage)
  })
  afterAll(() => world.close())

  const steps = async () => (await stage.read(stage.ofMarket('setup-steps'))).data
  const held = (account: string) => stage.balanceOf(account as never, stock.token)
  const liens = async () => {
    await world.follow()
    const report = await world.passOfLienWatch()
    return { report, data: (await stage.read(stage.ofMarket('liens'))).data }
  }
  const agree = async () => {
    await expectAgreement(stage)
    await expectRealizations(stage)
  }

  it('has a market that the chain itself knows as one on a stock, and that is set up by its issuer', async () => {
    const { complete, steps: list, calldata } = await steps()
    expect([complete, calldata]).toEqual([true, {}])
    const first = mode === 'FREEZE' ? 'grantAdapterAgentRole' : 'verifyAdapterAsHolder'
    const second = mode === 'FREEZE' ? 'verifyRouterOnRegistry' : 'verifyRouterAsHolder'
    expect(list.map(({ key, requiredRole }: Record<string, string>) => [key, requiredRole])).toEqual([
      ['adoptCurator', 'NOMINATED_CANDIDATE'],
      [first, mode === 'FREEZE' ? 'TOKEN_AGENT_ADMIN' : 'IDENTITY_REGISTRY_AGENT'],
      [second, 'IDENTITY_REGISTRY_AGENT'],
      ['authorizeOracleSigner', 'ORACLE_OWNER'],
      ['grantLiquidatorRole', 'DEFAULT_ADMIN_ROLE'],
    ])
    expect(await stock.view('isAuthorizedContract', [stage.market.router])).toBe(true)
    const { markets } = (await stage.read(`${STOCK_LENDING}/markets`)).data
    expect(markets).toMatchObject([
      { id: stage.record, collateralTokenAddress: stock.token, collateralTokenSymbol: 'NORD' },
    ])
    expect((await stage.read(stage.liquidation(`${stage.record}/config`))).data).toMatchObject({
      isConfigured: true,
      routerTokenEligible: true,
      routerTokenRequirement: 'adapter_must_be_authorized_contract',
    })
    await agree()
  })

  it('lends, and the token names the rule by which pledged shares stay where they are', async () => {
    const opened = await stage.open('borrower', 1_000, 70_000)
    expect(opened.data).toMatchObject({ loanId: '1', borrowAmount: '70000' })
    await agree()
    const [owner, rule] =
      mode === 'FREEZE' ? [borrower.address, 'TOKENS_FROZEN'] : [borrower.address, 'INSUFFICIENT_BALANCE']
    expect(await stock.ruleAgainst(owner, broker.address, '1')).toBe(rule)
    const { compliance, collateralIntact } = (await stage.read(stage.position('loan/1'))).data
    expect(compliance).toMatchObject({ mode, restricted: false, code: null, holderVerified: true })
    expect(collateralIntact).toBe(true)
    expect(await liens()).toMatchObject({ report: { opened: 0, unread: 0 }, data: { intact: true, open: [] } })
  })

  it('takes a part of the money back', async () => {
    await stage.travel(30 * DAY)
    const { at, data } = await stage.act(
      world.lender,
      stage.position('repay'),
      { loanId: 1, amount: '2000' },
      { by: borrower },
    )
    stage.shadow.take('repay', 'borrower', { loanId: 1n, amount: units(2_000, 6) }, at)
    expect(data.loanClosed).toBe(false)
    await agree()
  })

  it('seizes for the router when the price falls, and sells what it took', async () => {
    await stage.price(75)
    const { built, data } = await stage.liquidate(1)
    expect(built.forecast).toMatchObject({ trigger: 'HEALTH', path: 'ROUTER' })
    if (mode === 'CUSTODY')
      expect(built.readiness).toMatchObject({
        collateralTransferAllowed: true,
        collateralTransferCode: 0,
        collateralTransferRule: null,
      })
    expect(data).toMatchObject({ liquidationId: '1', status: 'PENDING' })
    await agree()
    await selling.takeOut(1, 100)
    await selling.report(1, '100', 7_500)
    await selling.takeOut(1)
    await selling.settle(1, 27_000)
    expect(await held(broker.address)).toBe(stage.shadow.routed(1).collateralAmount)
    await agree()
  })

  it('pays the rest of the loan, and the shares that are left are free', async () => {
    await stage.giveCash(borrower, 100_000)
    const left = stage.shadow.state.loans.get(1n)?.collateral ?? 0n
    const { at, built, data } = await stage.act(
      world.lender,
      stage.position('repay'),
      { loanId: 1, all: true },
      { by: borrower },
    )
    if (mode === 'CUSTODY') expect(built.collateralRelease).toMatchObject({ willEscrow: false })
    expect(data).toMatchObject({ loanClosed: true, collateralReturned: stage.shadow.collateral(left) })
    stage.shadow.take('repay', 'borrower', { loanId: 1n, amount: units(60_000, 6) }, at)
    await agree()
    expect(await stock.view('transferableBalance', [borrower.address])).toBe(await held(borrower.address))
    expect(await stock.ruleAgainst(borrower.address, broker.address, '1')).toBe('SUCCESS')
  })

  it('wires a venue that the issuer puts on the list of the token', async () => {
    const venue = await createVenue(world, world.lender, stage.record, STOCK_LENDING)
    const path = stage.ofMarket('auction-module')
    const built = must(await world.lender.post(path, { moduleAddress: venue })).body.data
    expect(built.tokenAdmission).toMatchObject({
      admitted: false,
      requirement: 'adapter_must_be_authorized_contract',
      identityRegistry: world.stockSuite.identityRegistry,
      blocked: null,
    })
    expect(built.steps.map(({ key }: { key: string }) => key)).toEqual([
      'setAuctionModule',
      'authorizeModuleOnRouter',
      'authorizeVenueOnToken',
    ])
    for (const step of built.steps) {
      expect(step.simulation).toMatchObject({ success: true })
      const isIssuers = step.to === stock.token
      const txHash = await world.sendRaw(isIssuers ? world.deployer.wallet : world.lender.wallet, step)
      if (!isIssuers) must(await world.lender.post(path, { moduleAddress: venue, txHash }))
    }
    expect((await stage.read(path)).data).toMatchObject({
      wired: true,
      routerAuthorized: true,
      tokenAdmitted: true,
      tokenAdmissionRequirement: 'adapter_must_be_authorized_contract',
      tokenAdmissionRegistry: world.stockSuite.identityRegistry,
    })
    expect((await steps()).complete).toBe(true)
    await stage.configure({ useDutchAuction: true })
  })

  it('auctions another loan: one bidder takes a part, the rest goes to the router', async () => {
    await stage.price(100)
    await stage.open('otherBorrower', 1_000, 70_000)
    await stage.price(80)
    const { data } = await stage.liquidate(2)
    expect(data).toMatchObject({ auctionId: '1', liquidationId: 'venue-2' })
    await stage.travel(600)
    await stage.giveCash(bidder, 22_000)
    const body = { auctionId: 1, collateralAmount: '200', bidderAddress: bidder.address }
    const bid = await stage.act(world.lender, stage.liquidation(`${stage.record}/bid-on-auction`), body, { by: bidder })
    const args = { id: 1n, quantity: units(200), maxCost: units(22_000, 6) }
    stage.shadow.take('bidOnAuction', 'bidder', args, bid.at)
    expect(bid.data).toMatchObject({ collateralPurchased: '200', auctionSettled: false })
    expect(await held(bidder.address)).toBe(units(200))
    await agree()

    await stage.travel(HOUR)
    const settled = await stage.act(
      world.lender,
      stage.liquidation(`${stage.record}/settle-expired-auction`),
      { auctionId: 1, signerAddress: otherBidder.address },
      { by: otherBidder },
    )
    stage.shadow.take('settleExpiredAuction', 'otherBidder', { id: 1n }, settled.at)
    expect(settled.data).toMatchObject({ liquidationId: '2', collateralAmount: '300' })
    await agree()
    await selling.takeOut(2)
    await selling.settle(2, 24_000)
    await agree()
    expect(await liens()).toMatchObject({ report: { opened: 0, unread: 0 }, data: { intact: true, open: [] } })
    expect(await held(otherBorrower.address)).toBe(mode === 'FREEZE' ? units(500) : 0n)
  })

  it('tells its prices as numbers, oldest first, to both sides of the market', async () => {
    await world.follow()
    const path = (record: string) => `${STOCK_LENDING}/positions/${record}/price-history`
    const { data } = await stage.read(path(stage.record))
    const { history, ...rest } = data
    expect(rest).toEqual({ currentPrice: 80, symbol: 'NORD', marketId: stage.record })
    expect(history.map(({ price }: { price: number }) => price)).toEqual([100, 75, 100, 80])
    const times = history.map(({ timestamp }: { timestamp: number }) => timestamp)
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
    for (const point of history) expect(point).toEqual({ timestamp: expect.any(Number), price: expect.any(Number) })
    expect(times.every((time: number) => Number.isInteger(time) && time % 1_000 === 0)).toBe(true)
    const theirs = must(await world.deployer.get(path(stage.deployerRecord))).body.data
    expect(theirs).toEqual({ ...data, marketId: stage.deployerRecord })
    expect((await world.outsider.get(path(stage.record))).body.error.code).toBe('MARKET_NOT_FOUND')
  })
})
