import { demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { wallet } from '@tallystick/testkit'
import { type Address, type Hex, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units, V2 } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { createRouterLife, type RouterLife, refusal } from '../../../test/lending/router-life.ts'
import { V1 } from '../../../test/lending/setup-helpers.ts'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { abis } from '../contracts.ts'
import { roles } from '../core/index.ts'

const DAY = 86_400
const HOUR = 3_600
const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' as Hex }

describe('the seizures of a market', () => {
  let world: ProxiedWorld
  let life: RouterLife
  let market: LiveMarket
  let venue: Address
  const borrower = wallet(3)

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createRouterLife(world)
    market = await life.earning({ maxLoanDurationDays: 200, termGracePeriodDays: 1 }, 2_000_000)
    await world.follow()
  })
  afterAll(() => world.close())

  const get = (tail: string, { marketId } = market as { marketId: string }) =>
    world.deployer.get(`${V1}/liquidations/${marketId}/${tail}`)
  const data = async (tail: string, of?: { marketId: string }) => must(await get(tail, of)).body.data
  const routerStats = (query: string) => world.deployer.get(`${V1}/liquidations/router-stats${query}`)
  const trips = (tail: string) => world.roundTrips(() => data(tail))
  const cash = (raw: bigint) => formatUnits(raw, 6)
  const par = () => life.priceTo(market, units(100, 6))
  const open = (amount = 70_000) => life.openLoan(market, borrower, { collateral: 1_000, amount })
  const rows = async () => (await data('pending-liquidations')).pendingLiquidations
  const settledRows = async (query = '') => (await data(`settled-liquidations${query}`)).settledLiquidations

  async function seizeToVenue(loanId: bigint) {
    const { logs } = await life.amply(market.marketAddress, abis.market, 'liquidate', [loanId, noPrice])
    const [started] = parseEventLogs({ abi: abis.venue, eventName: 'AuctionStarted', logs })
    if (!started) throw new Error('no auction was started')
    return started.args
  }
  const bid = async (auctionId: bigint, whole: number) => {
    await life.giveCash(world.deployer.wallet, venue, units(200_000, 6))
    await life.amply(venue, abis.venue, 'bidOnAuction', [auctionId, units(whole), units(200_000, 6)])
  }

  it('are none at first', async () => {
    expect(await data('pending-liquidations')).toEqual({
      totalCount: 0,
      liquidationRouterAddress: market.router,
      readFailed: false,
      unrecorded: 0,
      pendingLiquidations: [],
    })
    expect(await data('settled-liquidations')).toEqual({
      totalCount: 0,
      limit: 50,
      offset: 0,
      hasMore: false,
      nextCursor: null,
      liquidationRouterAddress: market.router,
      readFailed: false,
      unrecorded: 0,
      settledLiquidations: [],
    })
    expect(await data('liquidation-stats')).toEqual({
      onChain: { totalLiquidations: 0, pendingLiquidationDebt: '0', totalAuctions: 0 },
      readFailed: false,
      unrecorded: 0,
      database: { pending: 0, settled: 0, writtenOff: 0, stuck: 0 },
    })
  })

  it('begin with loans that can be realized, which are found whether our record knows them or not', async () => {
    expect(await data('liquidatable-loans')).toEqual({
      totalActiveLoans: 0,
      price: '100',
      priceStale: false,
      liquidatableLoans: [],
      termedLoans: [],
      auctionedLoans: [],
    })
    await par()
    const [weak, strong] = [await open(), await open(30_000)]
    await life.priceTo(market, units(80, 6))
    const before = await data('liquidatable-loans')
    const { dueAt } = await life.read<{ dueAt: bigint }>(market.marketAddress, abis.market, 'loan', [weak])
    const health = await life.read<bigint>(market.marketAddress, abis.market, 'healthFactor', [weak])
    expect(before).toMatchObject({ totalActiveLoans: 2, price: '80', priceStale: false, auctionedLoans: [] })
    expect(before.liquidatableLoans).toEqual([
      {
        loanId: weak.toString(),
        borrower: borrower.address.toLowerCase(),
        collateralAmount: '1000',
        principal: '70000',
        accruedInterest: expect.stringMatching(/^\d+(\.\d+)?$/),
        healthFactor: formatUnits(health, 18),
        trigger: 'HEALTH',
        term: expect.objectContaining({ dueAt: Number(dueAt), enforceable: false, termGracePeriod: DAY }),
      },
    ])
    expect(before.termedLoans).toMatchObject([
      { loanId: weak.toString(), graceEnd: Number(dueAt) + DAY, enforceable: false },
      { loanId: strong.toString(), enforceable: false },
    ])
    expect(await trips('liquidatable-loans')).toBe(2)
    await world.follow()
    expect(await trips('liquidatable-loans')).toBe(1)
    expect((await data('liquidatable-loans')).liquidatableLoans).toHaveLength(1)
    await life.travel(202 * DAY)
    const late = await data('liquidatable-loans')
    expect(late).toMatchObject({ priceStale: true })
    expect(late.liquidatableLoans).toMatchObject([{ trigger: 'HEALTH_AND_TERM' }, { trigger: 'TERM' }])
    for (const loanId of [weak, strong]) await life.repay(market, borrower, loanId, 100_000)
    expect(await data('liquidatable-loans')).toMatchObject({
      totalActiveLoans: 0,
      liquidatableLoans: [],
      termedLoans: [],
    })
  })

  it('are pending on the router, then settled, with what the chain says of them', async () => {
    await par()
    const loanId = await open()
    await life.priceTo(market, units(80, 6))
    const { id, realizationId, txHash } = await life.seize(market, loanId)
    expect(await data('pending-liquidations')).toMatchObject({ totalCount: 0, unrecorded: 1 })
    expect(await data('liquidation-stats')).toMatchObject({
      onChain: { totalLiquidations: 1, pendingLiquidationDebt: '0' },
      unrecorded: 1,
    })
    await world.follow()
    const { claim } = await life.realization(market, realizationId)
    const [row] = await rows()
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      liquidationId: id.toString(),
      marketLiquidationId: realizationId.toString(),
      marketId: market.marketId,
      marketAddress: market.marketAddress,
      loanId: loanId.toString(),
      borrower: borrower.address.toLowerCase(),
      tokenAddress: world.security.token,
      collateralAmount: row.onChainData.collateralAmount,
      debtOwed: cash(claim),
      totalDebtAtSeizure: expect.stringMatching(/^70\d{3}\./),
      termRealization: false,
      auctionId: null,
      realization: 'ROUTER',
      buyer: null,
      txHash,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: row.createdAt,
      usdcProceeds: null,
      settledTxHash: null,
      settledAt: null,
      status: 'PENDING',
      onChainData: {
        routerAddress: market.router,
        token: world.security.token,
        collateralAmount: row.collateralAmount,
        collateralRemaining: row.collateralAmount,
        debtOwed: cash(claim),
        proceedsCollected: '0',
        borrower: borrower.address.toLowerCase(),
        lendingMarket: market.marketAddress,
        timestamp: Date.parse(row.createdAt) / 1000,
        settled: false,
        marketLiquidationId: realizationId.toString(),
      },
      proceedsHeld: '0',
      proceedsForwarded: '0',
      heldOnMarket: false,
      marketSettled: false,
      recordedByThisInstance: false,
    })
    must(await world.deployer.post(`${V1}/liquidations/${market.marketId}/liquidate/${loanId}`, { txHash }))
    expect((await rows())[0].recordedByThisInstance).toBe(true)
    expect(await data('config')).toMatchObject({
      stats: { totalLiquidations: 1, pendingLiquidationDebt: cash(claim), totalAuctions: 0 },
    })
    for (const tail of ['pending-liquidations', 'settled-liquidations', 'liquidation-stats', 'config'])
      expect([tail, await trips(tail)]).toEqual([tail, 1])

    await life.settle(market, id, units(36_000, 6))
    await world.follow()
    expect(await rows()).toEqual([])
    const [settled] = await settledRows()
    expect(settled).toMatchObject({
      id: row.id,
      liquidationId: id.toString(),
      status: 'SETTLED',
      settledOn: 'router',
      usdcProceeds: '36000',
      settledTxHash: expect.stringMatching(/^0x/),
      settledAt: expect.stringMatching(/Z$/),
      routerSettled: true,
      collateralRemaining: '0',
      proceedsCollected: '36000',
      collateralStranded: false,
      reopenable: false,
      principalOwed: cash((await life.realization(market, realizationId)).principalOwed),
      writtenOffAtSeizure: '0',
      seizureReserveCovered: '0',
      shortfall: '0',
      reserveCovered: '0',
      marketSettled: true,
    })
    const stats = must(await routerStats(`?marketId=${market.marketId}`)).body.data
    expect(stats).toEqual({
      routerAddress: market.router,
      totalReceived: '1',
      totalSettled: '1',
      totalCollateralProcessed: settled.collateralAmount,
      totalCollateralProcessedRaw: units(Number(settled.collateralAmount)).toString(),
      totalProceedsRouted: '36000',
      totalProceedsRoutedRaw: '36000000000',
    })
    await life.repay(market, borrower, loanId, 100_000)
  })

  it('are on the venue while it holds them, and on the router after an auction that expired', async () => {
    venue = await life.auctions(market)
    await par()
    const [sold, expiring] = [await open(), await open()]
    await life.priceTo(market, units(80, 6))
    const first = await seizeToVenue(sold)
    const second = await seizeToVenue(expiring)
    await world.follow()
    await world.follow()
    expect(await rows()).toMatchObject([
      { liquidationId: `venue-${second.realizationId}`, auctionId: second.auctionId.toString(), realization: 'VENUE' },
      { liquidationId: `venue-${first.realizationId}`, auctionId: first.auctionId.toString(), onChainData: null },
    ])
    const book = await data('liquidatable-loans')
    expect(book.auctionedLoans).toMatchObject([
      { loanId: sold.toString(), auctionId: first.auctionId.toString(), expired: false, collateralRemaining: '500' },
      { loanId: expiring.toString(), auctionId: second.auctionId.toString() },
    ])
    expect(book.liquidatableLoans).toEqual([])
    expect(await trips('liquidatable-loans')).toBe(1)

    await bid(first.auctionId, 500)
    await bid(second.auctionId, 100)
    await world.follow()
    expect((await settledRows())[0]).toMatchObject({
      liquidationId: `venue-${first.realizationId}`,
      settledOn: 'venue',
      realization: 'VENUE',
      routerSettled: null,
      collateralRemaining: null,
      reopenable: false,
    })
    const [held] = await rows()
    expect(held).toMatchObject({
      liquidationId: `venue-${second.realizationId}`,
      heldOnMarket: true,
      marketSettled: false,
    })
    expect(held.proceedsHeld).toBe(held.proceedsForwarded)

    await life.travel(2 * HOUR)
    const expired = (await data('liquidatable-loans')).auctionedLoans
    expect(expired).toMatchObject([{ expired: true, reason: expect.stringContaining('settle it') }])
    await life.amply(venue, abis.venue, 'settleExpiredAuction', [second.auctionId])
    await world.follow()
    const [routed] = await rows()
    expect(routed).toMatchObject({
      marketLiquidationId: second.realizationId.toString(),
      realization: 'ROUTER',
      auctionId: second.auctionId.toString(),
      onChainData: { collateralRemaining: '400' },
      heldOnMarket: true,
    })
    // Settled with the cash of the auction alone; the collateral stays and can be put up again.
    const id = BigInt(routed.liquidationId)
    await life.amply(market.router, abis.router, 'settleLiquidation', [id, 0n])
    await world.follow()
    const stranded = { collateralStranded: true, reopenable: true, routerSettled: true, collateralRemaining: '400' }
    const [closed] = await settledRows('?limit=1')
    expect(closed).toMatchObject({ liquidationId: routed.liquidationId, ...stranded })
    await life.call(market.router, abis.router, 'reopenLiquidation', [id])
    await world.follow()
    expect(await rows()).toMatchObject([
      { liquidationId: routed.liquidationId, status: 'PENDING', marketSettled: true },
    ])
    expect(await data('liquidation-stats')).toMatchObject({
      onChain: { totalLiquidations: 3, pendingLiquidationDebt: '0', totalAuctions: 2 },
      database: { pending: 1, settled: 2, writtenOff: 0, stuck: 0 },
    })
    await life.switchAuctions(market, false)
  })

  it('are sold at once, written off after a week, or closed with nothing seized', async () => {
    await par()
    const [atomic, forgotten] = [await open(), await open()]
    const empty = await life.openLoan(market, wallet(4), { collateral: 1_000, amount: 70_000 })
    await life.priceTo(market, units(80, 6))
    const left = await life.seize(market, forgotten)
    await life.call(market.router, abis.router, 'setAtomicMode', [true])
    const until = (await world.node.publicClient.getBlock()).timestamp + BigInt(DAY)
    await life.call(market.router, abis.router, 'setSaleBid', [9_600n, until])
    await life.giveCash(world.deployer.wallet, market.router, units(100_000, 6))
    const sold = await life.seize(market, atomic)
    await life.call(market.router, abis.router, 'setAtomicMode', [false])
    // The agent burns all that was pledged: nothing is left to seize.
    await life.call(world.security.token, demoSecurityAbi, 'burn', [wallet(4).address, units(1_000)])
    const nothing = await life.seize(market, empty)
    await world.follow()
    expect(await settledRows('?limit=2')).toMatchObject([
      {
        marketLiquidationId: nothing.realizationId.toString(),
        liquidationId: null,
        realization: null,
        settledOn: null,
      },
      {
        liquidationId: sold.id.toString(),
        realization: 'ATOMIC',
        buyer: world.deployer.wallet.address.toLowerCase(),
        settledOn: 'router',
      },
    ])
    await life.travel(8 * DAY)
    expect(await data('liquidation-stats')).toMatchObject({ database: { pending: 2, stuck: 1 } })
    await life.amply(market.marketAddress, abis.market, 'handleLiquidationTimeout', [left.realizationId])
    await world.follow()
    const page = await data('settled-liquidations?limit=2&offset=1')
    expect(page).toMatchObject({ totalCount: 5, limit: 2, offset: 1, hasMore: true })
    expect(page.settledLiquidations).toHaveLength(2)
    expect(page.settledLiquidations[1]).toMatchObject({
      marketLiquidationId: left.realizationId.toString(),
      status: 'WRITTEN_OFF',
      settledOn: null,
      shortfall: null,
      collateralStranded: true,
      routerSettled: false,
      usdcProceeds: null,
      settledTxHash: expect.stringMatching(/^0x/),
    })
    expect(await data('settled-liquidations?limit=900&offset=4')).toMatchObject({
      limit: 200,
      offset: 4,
      hasMore: false,
    })
    expect(await data('settled-liquidations?limit=x')).toMatchObject({ limit: 50, offset: 0 })
    const all = (await settledRows()).map(({ id }: { id: string }) => id)
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const part = await data(`settled-liquidations?limit=2${cursor && `&cursor=${cursor}`}`)
      walked.push(...part.settledLiquidations.map(({ id }: { id: string }) => id))
      expect(part.hasMore).toBe(part.nextCursor !== null)
      cursor = part.nextCursor
    }
    expect(walked).toEqual(all)
    const wrong = refusal(await get('settled-liquidations?cursor=x'), 400, 'VALIDATION_ERROR')
    expect(wrong.details).toEqual([{ field: 'cursor', message: 'is none of this list' }])
  })

  it('are read from the record while the chain is silent, and that is said', async () => {
    const [pending, settled, stats, config] = await world.withoutNode(async () => [
      await data('pending-liquidations'),
      await data('settled-liquidations'),
      await data('liquidation-stats'),
      await data('config'),
    ])
    expect(pending).toMatchObject({ totalCount: 1, readFailed: true, unrecorded: null })
    expect(pending.pendingLiquidations).toMatchObject([{ onChainData: null, proceedsHeld: null, heldOnMarket: null }])
    expect(settled).toMatchObject({ totalCount: 5, readFailed: true })
    expect(settled.settledLiquidations[4]).not.toHaveProperty('reopenable')
    expect(stats).toMatchObject({
      onChain: null,
      readFailed: true,
      database: { stuck: null, settled: 4, writtenOff: 1 },
    })
    expect(config).toEqual({
      marketId: market.marketId,
      marketAddress: market.marketAddress,
      liquidationRouterAddress: market.router,
      stats: { totalLiquidations: 6, pendingLiquidationDebt: '0', totalAuctions: 2 },
      onChainError: expect.stringContaining('could not be read'),
    })
    const broken = await world.withBroken(market.router, () => data('pending-liquidations'))
    expect(broken).toMatchObject({ readFailed: true, pendingLiquidations: [{ onChainData: null }] })
    expect(await world.withBroken(market.marketAddress, () => data('liquidation-stats'))).toMatchObject({
      onChain: null,
    })
  })

  it('are never an empty book because a read failed', async () => {
    const lost = await world.withoutNode(() => get('liquidatable-loans'))
    refusal(lost, 503, 'MARKET_STATE_UNAVAILABLE')
    expect(lost.headers['retry-after']).toBe('1')
    for (const contract of [market.marketAddress, market.oracle, venue])
      refusal(await world.withBroken(contract, () => get('liquidatable-loans')), 503, 'MARKET_STATE_UNAVAILABLE')
    const query = `?marketId=${market.marketId}`
    refusal(await world.withoutNode(() => routerStats(query)), 503, 'STATS_UNAVAILABLE')
    refusal(await world.withBroken(market.router, () => routerStats(query)), 503, 'STATS_UNAVAILABLE')
    for (const wrong of ['', '?marketId=', `?marketId=${'a'.repeat(101)}`])
      refusal(await routerStats(wrong), 400, 'MARKET_REQUIRED')
    refusal(await routerStats('?marketId=nowhere'), 404, 'MARKET_NOT_FOUND')
    const draft = must(await world.deployer.post(`${V2}/markets/deploy`, world.deployBody({ mode: 'CUSTODY' })))
    refusal(await routerStats(`?marketId=${draft.body.data.marketId}`), 400, 'NO_MARKET_ADDRESS')
  })

  it('need gates that the configuration shows, one by one', async () => {
    const { marketId, marketAddress, router } = market
    const primary = world.deployer.wallet.address.toLowerCase()
    const ready = await data('config')
    expect(ready).toEqual({
      marketId,
      marketAddress,
      liquidationRouterAddress: router,
      isConfigured: true,
      routerAuthorized: true,
      routerTokenEligible: true,
      operatorRoleReady: true,
      routerAddress: router,
      routerTokenRequirement: 'adapter_must_be_verified_holder',
      operatorAddress: primary,
      liquidatorRoleReady: true,
      signerAddress: primary,
      saleRecipient: primary,
      marketPaused: false,
      dutchAuctionEnabled: false,
      auctionVenue: venue,
      auctionVenueAdmitted: true,
      auctionVenueRequirement: 'adapter_must_be_verified_holder',
      auctionVenueOnRouter: true,
      atomicMode: false,
      priceStale: true,
      priceAge: expect.any(Number),
      seizureConfigured: true,
      canSeizeNow: false,
      canRealizeNow: false,
      stats: { totalLiquidations: 6, pendingLiquidationDebt: '0', totalAuctions: 2 },
    })
    await life.price(market, units(80, 6))
    expect(await data('config')).toMatchObject({ priceStale: false, canSeizeNow: true, canRealizeNow: true })
    const stranger = wallet(7).address.toLowerCase()
    const named = { liquidatorRoleReady: false, signerAddress: stranger, seizureConfigured: false, isConfigured: true }
    expect(await data(`config?signerAddress=${stranger}`)).toMatchObject(named)
    expect(await data('config?signerAddress=nobody')).toMatchObject({ signerAddress: primary })

    await life.call(router, abis.router, 'revokeRole', [roles.OPERATOR_ROLE, primary])
    expect(await data('config')).toMatchObject({
      isConfigured: false,
      operatorRoleReady: false,
      routerAuthorized: true,
    })
    await life.call(router, abis.router, 'grantRole', [roles.OPERATOR_ROLE, primary])
    await life.call(router, abis.router, 'authorizeLendingMarket', [marketAddress, false])
    expect(await data('config')).toMatchObject({
      isConfigured: false,
      routerAuthorized: false,
      seizureConfigured: false,
    })
    await life.call(router, abis.router, 'authorizeLendingMarket', [marketAddress, true])
    await life.call(world.security.registry, demoIdentityRegistryAbi, 'deleteIdentity', [router])
    expect(await data('config')).toMatchObject({ isConfigured: false, routerTokenEligible: false })
    await life.withWallet(null, async () => {
      const none = { operatorRoleReady: false, operatorAddress: null, signerAddress: null, liquidatorRoleReady: false }
      expect(await data('config')).toMatchObject(none)
    })
    for (const contract of [marketAddress, router, market.oracle, world.security.token, world.security.registry]) {
      const failed = await world.withBroken(contract, () => data('config'))
      expect(Object.keys(failed).toSorted()).toEqual(
        ['liquidationRouterAddress', 'marketAddress', 'marketId', 'onChainError', 'stats'].toSorted(),
      )
    }
  })

  it('have another operator where the adoption named one, and the configuration says so', async () => {
    const borrowAssetAddress = await world.createCash('OTHR')
    const terms = { liquidationOperator: wallet(7).address }
    const delegated = await life.adopted({ borrowAssetAddress }, { terms })
    await life.admit(delegated)
    expect(await data('config', delegated)).toMatchObject({
      isConfigured: false,
      routerAuthorized: true,
      routerTokenEligible: true,
      operatorRoleReady: false,
      operatorAddress: world.deployer.wallet.address.toLowerCase(),
    })
  })

  it('need no admission from a token that asks nobody, and nobody has a role before the adoption', async () => {
    const free = await world.createCash('FREE', 18)
    await world.importToken(world.deployer, free)
    const seeking = await world.deployMarket({ collateralTokenAddress: free, mode: 'CUSTODY' })
    expect(await data('config', seeking)).toMatchObject({
      isConfigured: false,
      routerAuthorized: true,
      routerTokenEligible: true,
      routerTokenRequirement: 'none_required',
      operatorRoleReady: false,
      liquidatorRoleReady: false,
      saleRecipient: null,
      auctionVenue: null,
      auctionVenueAdmitted: null,
      auctionVenueOnRouter: null,
    })
    expect(await data('liquidatable-loans', seeking)).toMatchObject({ totalActiveLoans: 0, auctionedLoans: [] })
  })
})
