import { demoCashAbi, demoIdentityRegistryAbi } from '@tallystick/abi'
import { deploySafe, type Wallet, wallet } from '@tallystick/testkit'
import { type Address, type Hex, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { createRouterLife, type RouterLife, refusal } from '../../../test/lending/router-life.ts'
import { wrappedSnapshot } from '../../../test/lending/setting-faults.ts'
import { V1 } from '../../../test/lending/setup-helpers.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

const HOUR = 3_600
const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' as Hex }

describe('selling in auctions', () => {
  let world: ProxiedWorld
  let life: RouterLife
  let market: LiveMarket
  let venue: Address
  const bidder: Wallet = wallet(4)

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createRouterLife(world)
    market = await life.earning({}, 600_000)
    venue = await life.auctions(market)
    await world.follow()
  })
  afterAll(() => world.close())

  const path = (tail: string, marketId = market.marketId) => `${V1}/liquidations/${marketId}/${tail}`
  const get = (tail: string, marketId?: string) => world.deployer.get(path(tail, marketId))
  const data = async (tail: string, marketId?: string) => must(await get(tail, marketId)).body.data
  const bid = (body: object, marketId?: string) => world.deployer.post(path('bid-on-auction', marketId), body)
  const settle = (body: object, marketId?: string) =>
    world.deployer.post(path('settle-expired-auction', marketId), body)
  const now = async () => Number((await world.node.publicClient.getBlock()).timestamp)
  const ofVenue = <T>(functionName: string, args: readonly unknown[] = []) =>
    life.read<T>(venue, abis.venue, functionName, args)

  /** A loan whose collateral goes to auction at a price. */
  async function auctioned({ collateral = 1_000, amount = 70_000, repaid = 0, at = 80 } = {}) {
    await life.priceTo(market, units(100, 6))
    const loanId = await life.openLoan(market, wallet(3), { collateral, amount })
    if (repaid > 0) await life.repay(market, wallet(3), loanId, repaid)
    await life.priceTo(market, units(at, 6))
    const args = [loanId, noPrice]
    const { logs } = await life.amply(market.marketAddress, abis.market, 'liquidate', args)
    const [started] = parseEventLogs({ abi: abis.venue, eventName: 'AuctionStarted', logs })
    if (!started) throw new Error('no auction was started')
    const { auctionId, realizationId } = started.args
    return { loanId, auctionId: Number(auctionId), realizationId }
  }

  /** Signs approval and bid with the gas that was answered. */
  async function sign(built: { steps: { transaction: { to: Address; data: Hex } }[]; gasLimit: string }, by = bidder) {
    await life.call(world.cash, demoCashAbi, 'mint', [by.address, units(200_000, 6)])
    let hash: Hex = '0x'
    for (const { transaction } of built.steps) {
      const gas = BigInt(built.gasLimit)
      hash = await world.node.walletClient.sendTransaction({
        account: by,
        to: transaction.to,
        data: transaction.data,
        gas,
      })
      const { status } = await world.node.publicClient.waitForTransactionReceipt({ hash })
      expect(status).toBe('success')
    }
    return hash
  }

  it('has nothing to show without a venue, and refuses to sell', async () => {
    const bare = await world.deployMarket({ borrowAssetAddress: await world.createCash('BARE') })
    expect(await data('auctions', bare.marketId)).toEqual({ venueAddress: null, auctions: [] })
    expect(await data('loan-auction/1', bare.marketId)).toEqual({ loanId: '1', auction: null })
    refusal(await get('auctions/1', bare.marketId), 404, 'AUCTION_NOT_FOUND')
    refusal(await bid({ auctionId: 1, collateralAmount: '1' }, bare.marketId), 409, 'AUCTION_MODULE_NOT_SET')
    refusal(await settle({ auctionId: 1 }, bare.marketId), 409, 'AUCTION_MODULE_NOT_SET')
    const txHash = `0x${'1'.repeat(64)}`
    refusal(await bid({ auctionId: 1, txHash }, bare.marketId), 409, 'AUCTION_MODULE_NOT_SET')
    refusal(await settle({ auctionId: 1, txHash }, bare.marketId), 409, 'AUCTION_MODULE_NOT_SET')
    expect(await data('auctions')).toEqual({ venueAddress: venue, auctions: [] })
  })

  it('shows an auction by its number, by its loan and in the list, before and after our record knows it', async () => {
    const { loanId, auctionId, realizationId } = await auctioned()
    const shown = await data(`auctions/${auctionId}`)
    const [endTime, price] = [
      await ofVenue<bigint>('endTime', [auctionId]),
      await ofVenue<bigint>('currentPrice', [auctionId]),
    ]
    expect(shown).toEqual({
      auctionId: String(auctionId),
      loanId: loanId.toString(),
      marketLiquidationId: realizationId.toString(),
      borrower: wallet(3).address.toLowerCase(),
      collateralAmount: '500',
      collateralRemaining: '500',
      debtRemaining: expect.stringMatching(/^350\d\d\.\d+$/),
      currentPrice: String(Number(price) / 1e6),
      floorPrice: '76',
      oraclePrice: '80',
      startedAt: Number(endTime) - HOUR,
      endTime: Number(endTime),
      active: true,
      expired: false,
      biddable: true,
      settleable: false,
      phase: 'RUNNING',
      venueAddress: venue,
    })
    const { venueAddress: _venue, ...listed } = shown
    expect((await data('auctions')).auctions).toEqual([listed])
    expect(await data(`loan-auction/0${loanId}`)).toEqual({ loanId: loanId.toString(), auction: shown })
    expect(await data('loan-auction/999')).toEqual({ loanId: '999', auction: null })
    // Nothing of the auction is in the record yet: the chain is asked a second time.
    const trips = (tail: string) => world.roundTrips(() => data(tail))
    expect(await trips('auctions')).toBe(2)
    await world.follow()
    for (const tail of ['auctions', `auctions/${auctionId}`, `loan-auction/${loanId}`])
      expect([tail, await trips(tail)]).toEqual([tail, 1])
    expect((await data('auctions')).auctions).toEqual([listed])
    for (const other of ['999', '0', 'x', '-1', '9'.repeat(30)])
      refusal(await get(`auctions/${other}`), 404, 'AUCTION_NOT_FOUND')
    for (const other of ['0', 'x', '-1', '1.5'])
      expect(refusal(await get(`loan-auction/${other}`), 400, 'INVALID_LOAN_ID').details[0].field).toBe('loanId')
  })

  it('sells a part at the price of the second, and tells what was paid from the event', async () => {
    const { auctions } = await data('auctions')
    const auctionId = Number(auctions[0].auctionId)
    const body = { auctionId, collateralAmount: '120.5', bidderAddress: bidder.address }
    await life.call(world.cash, demoCashAbi, 'mint', [bidder.address, units(200_000, 6)])
    const built = must(await bid(body)).body.data
    const price = units(Number(built.pricePerUnit), 6)
    expect(built).toMatchObject({
      auctionId: String(auctionId),
      action: 'SIGN_TRANSACTIONS',
      functionName: 'bidOnAuction',
      confirmStepIndex: 1,
      steps: [{ functionName: 'approve' }, { functionName: 'bidOnAuction', transaction: { to: venue } }],
      venueAddress: venue,
      collateralAmount: '120.5',
      closesAuction: false,
      borrowAssetSymbol: 'USDX',
      simulation: { simulated: true, success: true, revert: null },
      confirmWith: { endpoint: path('bid-on-auction'), body: { auctionId: String(auctionId), txHash: null } },
    })
    const cost = (price * 1205n + 9n) / 10n
    expect([built.estimatedCost, built.maxCost]).toEqual([String(Number(cost) / 1e6), built.estimatedCost])
    const txHash = await sign(built)
    const confirmed = must(await bid({ auctionId, txHash })).body.data
    const receipt = await world.node.publicClient.getTransactionReceipt({ hash: txHash })
    const [event] = parseEventLogs({ abi: abis.venue, eventName: 'AuctionBid', logs: receipt.logs })
    expect(confirmed).toEqual({
      txHash,
      auctionId: String(auctionId),
      venueAddress: venue,
      collateralPurchased: '120.5',
      amountPaid: String(Number(event?.args.paid) / 1e6),
      pricePerUnit: String(Number(event?.args.price) / 1e6),
      bidder: bidder.address.toLowerCase(),
      auctionSettled: false,
    })
    expect(must(await bid({ auctionId: String(auctionId), txHash })).body.data).toEqual(confirmed)
    const after = await data(`auctions/${auctionId}`)
    expect(after.collateralRemaining).toBe('379.5')
    // A limit below the price of now is allowed; the simulation says what it would do.
    const low = must(await bid({ ...body, maxCost: '1' })).body.data
    expect(low).toMatchObject({
      maxCost: '1',
      gasLimit: '1500000',
      simulation: { revert: { code: 'COST_ABOVE_MAXIMUM' } },
    })
    await life.travel(1)
    const other = { auctionId: auctionId + 1, txHash }
    refusal(await bid(other), 400, 'TX_NOT_VERIFIED')
    refusal(await settle({ auctionId, txHash }), 400, 'TX_WRONG_FUNCTION')
  })

  it('is closed by the bid that takes the rest, which a Safe may make, and settles the liquidation', async () => {
    const [{ auctionId: text, loanId, marketLiquidationId }] = (await data('auctions')).auctions
    const auctionId = Number(text)
    const safe = await deploySafe(world.node, [wallet(5)])
    await life.call(world.security.registry, demoIdentityRegistryAbi, 'registerIdentity', [
      safe.address,
      safe.address,
      276,
    ])
    await life.call(world.cash, demoCashAbi, 'mint', [safe.address, units(200_000, 6)])
    const body = { auctionId, collateralAmount: '9999', bidderAddress: safe.address }
    const built = must(await bid(body)).body.data
    expect(built).toMatchObject({ collateralAmount: '379.5', closesAuction: true, simulation: { success: true } })
    expect(BigInt(built.gasLimit)).toBeGreaterThan(BigInt(built.simulation.gasUsed) + 150_000n)
    const file = must(await world.deployer.post(`${path('bid-on-auction')}?format=safe`, body)).body
    expect(file.transactions).toHaveLength(2)
    await safe.execThroughSafe(built.steps[0].transaction)
    const { receipt } = await safe.execThroughSafe(built.steps[1].transaction)
    const confirmed = must(await bid({ auctionId, txHash: receipt.transactionHash })).body.data
    const [settled] = parseEventLogs({ abi: abis.market, eventName: 'RealizationSettled', logs: receipt.logs })
    const { claim } = await life.realization(market, BigInt(marketLiquidationId))
    expect(confirmed).toMatchObject({
      verifiedBy: 'receipt-log',
      bidder: safe.address.toLowerCase(),
      collateralPurchased: '379.5',
      auctionSettled: true,
      totalProceeds: String(Number(settled?.args.proceeds) / 1e6),
      debtCovered: String(Number(claim) / 1e6),
      marketLiquidationId,
      shortfall: '0',
      reserve: null,
      surplus: [],
    })
    const closed = await data(`auctions/${auctionId}`)
    expect(closed).toMatchObject({
      phase: 'CLOSED',
      active: false,
      currentPrice: '0',
      collateralRemaining: '0',
      biddable: false,
    })
    expect(await data(`loan-auction/${loanId}`)).toEqual({ loanId, auction: null })
    expect((await data('auctions')).auctions).toEqual([])
    refusal(await bid({ auctionId, collateralAmount: '1' }), 409, 'AUCTION_NOT_ACTIVE')
    refusal(await settle({ auctionId }), 400, 'AUCTION_NOT_ACTIVE')
  })

  it('tells of the surplus of the borrower, and of what the insurance fund covered', async () => {
    // Less than the market lends is claimed whole, and the rest of the sale is the borrower's.
    const small = await auctioned({ collateral: 2.1, amount: 150, repaid: 60, at: 50 })
    const rich = must(await bid({ auctionId: small.auctionId, collateralAmount: '3', bidderAddress: bidder.address }))
    const txHash = await sign(rich.body.data)
    const { data: paid } = must(await bid({ auctionId: small.auctionId, txHash })).body
    const { logs } = await world.node.publicClient.getTransactionReceipt({ hash: txHash })
    const [returned] = parseEventLogs({ abi: abis.market, eventName: 'SurplusReturned', logs })
    expect(paid.surplus).toEqual([
      {
        kind: 'SURPLUS_RETURNED',
        loanId: small.loanId.toString(),
        borrower: wallet(3).address.toLowerCase(),
        amount: String(Number(returned?.args.amount) / 1e6),
      },
    ])

    await life.topUp(market, 5_000)
    const short = await auctioned({ at: 60 })
    await life.travel(HOUR - 30)
    await life.price(market, units(60, 6))
    const poor = must(
      await bid({ auctionId: short.auctionId, collateralAmount: '1000', bidderAddress: bidder.address }),
    )
    const done = await sign(poor.body.data)
    const { data: lost } = must(await bid({ auctionId: short.auctionId, txHash: done })).body
    const receipt = await world.node.publicClient.getTransactionReceipt({ hash: done })
    const [drawn] = parseEventLogs({ abi: abis.market, eventName: 'ReserveDrawn', logs: receipt.logs })
    const [settled] = parseEventLogs({ abi: abis.market, eventName: 'RealizationSettled', logs: receipt.logs })
    expect(lost).toMatchObject({ auctionSettled: true, debtCovered: lost.totalProceeds, surplus: [] })
    expect(Number(lost.shortfall)).toBe(Number(settled?.args.shortfall) / 1e6)
    expect(lost.reserve).toEqual({
      requested: String(Number(drawn?.args.requested) / 1e6),
      covered: '5000',
      uncovered: String((Number(drawn?.args.requested) - 5_000e6) / 1e6),
    })
  })

  it('sends what an expired auction did not sell to the router, for anybody', async () => {
    const { auctionId, loanId, realizationId } = await auctioned()
    const { endTime } = await data(`auctions/${auctionId}`)
    const early = refusal(await settle({ auctionId }), 400, 'AUCTION_NOT_EXPIRED')
    expect(early.eligibleAt).toBe(new Date(endTime * 1000).toISOString())
    await life.travel(endTime - (await now()))
    const expired = await data(`auctions/${auctionId}`)
    expect(expired).toMatchObject({ phase: 'EXPIRED', active: true, expired: true, biddable: false, settleable: true })
    expect((await data('auctions')).auctions.at(-1)).toMatchObject({ auctionId: String(auctionId), phase: 'EXPIRED' })
    const late = refusal(await bid({ auctionId, collateralAmount: '1' }), 409, 'AUCTION_EXPIRED')
    expect(late).toMatchObject({ endTime, settleWith: path('settle-expired-auction') })

    // While the market is paused its clocks stand still, and only liquidators settle.
    await life.call(market.marketAddress, abis.market, 'pause', [])
    const stranger = wallet(6)
    const named = { auctionId, signerAddress: stranger.address }
    const { calldata } = refusal(await settle(named), 400, 'LIQUIDATOR_ROLE_MISSING')
    expect(calldata).toMatchObject({ to: market.marketAddress, description: expect.stringContaining('liquidator') })
    await world.sendRaw(world.deployer.wallet, calldata)
    const allowed = must(await settle(named)).body.data
    expect(allowed).toMatchObject({ signerAddress: stranger.address.toLowerCase(), simulation: { success: true } })
    expect(must(await settle({ auctionId })).body.data.simulation).toMatchObject({ success: true })
    await life.withWallet(null, async () => {
      expect(must(await settle({ auctionId })).body.data).toMatchObject({
        signerAddress: null,
        simulation: { revert: { error: 'NotLiquidator' } },
      })
    })
    await life.call(market.marketAddress, abis.market, 'unpause', [])

    const built = must(await settle({ auctionId, signerAddress: wallet(7).address })).body.data
    expect(built).toMatchObject({
      success: true,
      auctionId: String(auctionId),
      action: 'SIGN_TRANSACTION',
      functionName: 'settleExpiredAuction',
      venueAddress: venue,
      collateralRemaining: '500',
      simulation: { success: true },
      confirmWith: { endpoint: path('settle-expired-auction') },
    })
    const txHash = await world.sendRaw(wallet(7), built.transaction)
    const confirmed = must(await settle({ auctionId, txHash })).body.data
    expect(confirmed).toEqual({
      txHash,
      auctionId: String(auctionId),
      venueAddress: venue,
      liquidationId: (await life.read<readonly bigint[]>(market.router, abis.router, 'totals'))[0]?.toString(),
      marketLiquidationId: realizationId.toString(),
      collateralAmount: '500',
    })
    expect((await life.liquidation(market, BigInt(confirmed.liquidationId))).collateralRemaining).toBe(units(500))
    expect(await data(`loan-auction/${loanId}`)).toMatchObject({ auction: null })
    refusal(await settle({ auctionId: auctionId + 1, txHash }), 400, 'TX_NOT_VERIFIED')
    refusal(await bid({ auctionId, txHash }), 400, 'TX_WRONG_FUNCTION')
  })

  it('refuses what is not of the right form, and what proves nothing', async () => {
    for (const body of [
      {},
      { auctionId: 0, collateralAmount: '1' },
      { auctionId: 1 },
      { auctionId: 1, collateralAmount: '0' },
      { auctionId: 1, collateralAmount: '1', maxCost: '0.0000001' },
      { auctionId: 1, collateralAmount: '1', bidderAddress: '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266' },
      { auctionId: 1, txHash: '0x12' },
    ])
      refusal(await bid(body), 400, 'VALIDATION_ERROR')
    for (const body of [
      {},
      { auctionId: '0' },
      { auctionId: 1, signerAddress: '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266' },
      { auctionId: 1, txHash: '0x12' },
    ])
      refusal(await settle(body), 400, 'VALIDATION_ERROR')
    refusal(await bid({ auctionId: 999, collateralAmount: '1' }), 404, 'AUCTION_NOT_FOUND')
    refusal(await settle({ auctionId: 999 }), 404, 'AUCTION_NOT_FOUND')
    for (const write of [bid, settle]) {
      await expectTransactionFaults(world, { confirm: (txHash) => write({ auctionId: 1, txHash }), target: venue })
      const txHash = await wrappedSnapshot(world, market.marketAddress)
      refusal(await write({ auctionId: 1, txHash }), 400, 'TX_WRONG_TARGET')
      const lost = await world.withoutNode(() => write({ auctionId: 1, txHash }))
      refusal(lost, 503, 'CHAIN_UNAVAILABLE')
      const broken = await world.withBroken(market.marketAddress, () => write({ auctionId: 1, txHash }))
      refusal(broken, 503, 'CHAIN_UNAVAILABLE')
    }
  })

  it('says when the auctions cannot be read, and never shows none instead', async () => {
    const asks = [
      () => get('auctions'),
      () => get('auctions/1'),
      () => get('loan-auction/1'),
      () => bid({ auctionId: 1, collateralAmount: '1' }),
      () => settle({ auctionId: 1 }),
    ]
    for (const ask of asks) {
      const lost = await world.withoutNode(ask)
      refusal(lost, 503, 'AUCTION_STATE_UNAVAILABLE')
      expect(lost.headers['retry-after']).toBe('1')
      for (const contract of [market.marketAddress, venue, market.oracle])
        refusal(await world.withBroken(contract, ask), 503, 'AUCTION_STATE_UNAVAILABLE')
    }
  })

  it('follows the market to another venue at once, whatever our record says', async () => {
    const other = await life.venue(market)
    expect(await data('auctions')).toEqual({ venueAddress: other, auctions: [] })
    refusal(await get('auctions/1'), 404, 'AUCTION_NOT_FOUND')
    refusal(await bid({ auctionId: 1, collateralAmount: '1' }), 404, 'AUCTION_NOT_FOUND')
    expect(await data('loan-auction/1')).toEqual({ loanId: '1', auction: null })
  })
})
