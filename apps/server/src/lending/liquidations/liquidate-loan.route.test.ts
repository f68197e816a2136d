import { demoCashAbi, demoComplianceAbi, demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { deploySafe, wallet } from '@tallystick/testkit'
import { type Hex, parseEventLogs, type TransactionReceipt } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createImplementations } from '../../../test/lending/implementations.ts'
import { must, units, V2 } from '../../../test/lending/lending-world.ts'
import { createLoansLife } from '../../../test/lending/loans-life.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { createRouterLife, type RouterLife, refusal } from '../../../test/lending/router-life.ts'
import { wrappedSnapshot } from '../../../test/lending/setting-faults.ts'
import { V1 } from '../../../test/lending/setup-helpers.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { abis } from '../contracts.ts'
import { roles } from '../core/index.ts'
import type { ReadinessState } from './readiness.reads.ts'
import { type SeizureInput, seizureOf, smallDebtOf } from './seizure.rules.ts'

const DAY = 86_400
const HOUR = 3_600

describe('liquidating a loan', () => {
  let world: ProxiedWorld
  let life: RouterLife
  let loans: ReturnType<typeof createLoansLife>
  let market: LiveMarket
  const borrower = wallet(3)

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createRouterLife(world)
    loans = createLoansLife(world)
    market = await life.earning({ maxLoanDurationDays: 30, termGracePeriodDays: 1 }, 2_000_000)
  })
  afterAll(() => world.close())

  const path = (loanId: bigint | string, of = market) => `${V1}/liquidations/${of.marketId}/liquidate/${loanId}`
  const post = (loanId: bigint | string, body: object = {}, of = market) => world.deployer.post(path(loanId, of), body)
  const build = async (loanId: bigint, body: object = {}, of = market) => must(await post(loanId, body, of)).body.data
  const cash = (raw: bigint | undefined) => formatUnits(raw ?? -1n, 6)
  const shares = (raw: bigint | undefined) => formatUnits(raw ?? -1n, 18)

  async function loanAt(
    price: number,
    request: { collateral?: number; amount?: number; of?: LiveMarket; mode?: 'FREEZE' | 'CUSTODY' } = {},
  ) {
    const { collateral = 1_000, amount = 70_000, of = market, mode = 'FREEZE' } = request
    await life.priceTo(of, units(100, 6))
    const loanId = await life.openLoan(of, borrower, { collateral, amount, mode })
    await life.priceTo(of, units(price, 6))
    return loanId
  }

  /** Mined in the second after the block that was read, so that forecast and event differ by one second's interest at most. */
  async function sign(built: { transaction: { to: Hex; data: Hex }; gasLimit: string }): Promise<TransactionReceipt> {
    const { to, data } = built.transaction
    const hash = await world.node.walletClient.sendTransaction({ to, data, gas: BigInt(built.gasLimit) })
    const receipt = await world.node.publicClient.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    return receipt
  }
  const eventIn = ({ logs }: TransactionReceipt) => {
    const [event] = parseEventLogs({ abi: abis.market, eventName: 'LoanLiquidated', logs })
    if (!event) throw new Error('nothing was seized')
    return event.args
  }
  /** The sums of the market, to the unit: from the debt that it saw in the second of the seizure. */
  async function expectExact(
    { claim, collateral: taken, totalDebt: debt }: ReturnType<typeof eventIn>,
    seen: Pick<SeizureInput, 'trigger' | 'collateral' | 'price'> & { atomicFactorBps?: bigint },
  ) {
    const config = await life.read<ReadinessState['config']>(market.marketAddress, abis.market, 'config')
    const smallDebt = smallDebtOf(config.minBorrowAmount, config.minBorrowAmount, 6)
    const fixed = { collateralDecimals: 18, termPenaltyBps: 0, atomicFactorBps: null, smallDebt, debt }
    expect(seizureOf({ ...config, ...fixed, ...seen })).toMatchObject({ claim, taken })
  }
  const near = (shown: string, raw: bigint, decimals: number) =>
    expect(Math.abs(Number(shown) - Number(formatUnits(raw, decimals)))).toBeLessThan(0.01)

  it('forecasts a slice of an unhealthy loan, hands it to the router, and tells what was seized from the event', async () => {
    const loanId = await loanAt(80)
    await world.follow()
    const built = await build(loanId)
    expect(built).toMatchObject({
      loanId: loanId.toString(),
      action: 'SIGN_TRANSACTION',
      functionName: 'liquidate',
      transaction: { to: market.marketAddress, value: '0' },
      simulation: { simulated: true, success: true },
      requiredRole: 'LIQUIDATOR_ROLE',
      heldByThisInstance: true,
      signerAddress: world.deployer.wallet.address.toLowerCase(),
      forecast: {
        trigger: 'HEALTH',
        path: 'ROUTER',
        penaltyBps: 500,
        collateralReturned: '0',
        closesLoan: false,
        writtenOffAtSeizure: '0',
        price: '80',
        expectedPayment: null,
      },
      readiness: { isConfigured: true, seizureConfigured: true, canSeizeNow: true, collateralTransferChecked: false },
      confirmWith: { endpoint: path(loanId), field: 'txHash' },
    })
    expect(BigInt(built.gasLimit)).toBeGreaterThan((BigInt(built.simulation.gasUsed) * 3n) / 2n + 150_000n - 1n)
    const receipt = await sign(built)
    const event = eventIn(receipt)
    near(built.forecast.claim, event.claim, 6)
    near(built.forecast.collateralTaken, event.collateral, 18)
    near(built.preview.debt, (await loanNow(loanId)).debt, 6)
    near(built.preview.collateral, (await loanNow(loanId)).collateral, 18)
    await expectExact(event, { trigger: 'HEALTH', collateral: units(1_000), price: units(80, 6) })
    const { data } = must(await post(loanId, { txHash: receipt.transactionHash })).body
    expect(data).toEqual({
      loanId: loanId.toString(),
      liquidationId: '1',
      marketLiquidationId: event.realizationId.toString(),
      auctionId: null,
      txHash: receipt.transactionHash,
      collateralSeized: shares(event.collateral),
      debtRepaid: cash(event.claim),
      borrower: borrower.address.toLowerCase(),
      termRealization: false,
      status: 'PENDING',
      realization: 'ROUTER',
      buyer: null,
      proceeds: null,
      usdcProceeds: null,
      surplus: null,
      reserve: null,
      writtenOffAtSeizure: '0',
    })
    expect(must(await post(`00${loanId}`, { txHash: receipt.transactionHash })).body.data).toEqual(data)
  })

  it('takes all of what is too little, writes the rest off, and closes the loan', async () => {
    await life.topUp(market, 1_000)
    const loanId = await loanAt(30)
    await world.follow()
    const built = await build(loanId)
    expect(built.forecast).toMatchObject({ trigger: 'HEALTH', collateralTaken: '1000', closesLoan: true })
    expect(built.preview).toMatchObject({ collateral: '0', debt: '0', healthFactor: null })
    const receipt = await sign(built)
    const event = eventIn(receipt)
    const [lost] = parseEventLogs({ abi: abis.market, eventName: 'WrittenOffAtSeizure', logs: receipt.logs })
    near(built.forecast.writtenOffAtSeizure, lost?.args.amount ?? 0n, 6)
    await expectExact(event, { trigger: 'HEALTH', collateral: units(1_000), price: units(30, 6) })
    near(built.forecast.claim, event.claim, 6)
    const { data } = must(await post(loanId, { txHash: receipt.transactionHash })).body
    expect(data).toMatchObject({
      status: 'PENDING',
      writtenOffAtSeizure: cash(lost?.args.amount),
      reserve: { seizureCovered: cash(lost?.args.covered), settlementCovered: '0', reimbursed: '0' },
    })
    const error = refusal(await post(loanId), 400, 'LOAN_NOT_ACTIVE')
    expect(error.loan).toEqual({
      loanId: loanId.toString(),
      active: false,
      healthFactor: null,
      healthFactorThreshold: '1',
      borrower: borrower.address.toLowerCase(),
      term: expect.objectContaining({ enforceable: false }),
    })
    expect(error.readiness).toMatchObject({ routerAuthorized: true })
  })

  it('realizes the whole of a loan past its term, healthy or not, and returns what it does not need', async () => {
    const healthy = await loanAt(100, { amount: 30_000 })
    const unhealthy = await loanAt(100, { amount: 70_000 })
    expect(refusal(await post(healthy), 400, 'LOAN_NOT_LIQUIDATABLE').loan).toMatchObject({
      active: true,
      healthFactor: expect.stringMatching(/^2\.8/),
      term: { enforceable: false },
    })
    await life.travel(32 * DAY)
    await life.price(market, units(80, 6))
    await world.follow()
    expect((await build(unhealthy)).forecast).toMatchObject({ trigger: 'HEALTH_AND_TERM', closesLoan: true })
    const built = await build(healthy)
    expect(built.forecast).toMatchObject({ trigger: 'TERM', penaltyBps: 0, closesLoan: true, writtenOffAtSeizure: '0' })
    const receipt = await sign(built)
    const event = eventIn(receipt)
    expect(event.isTerm).toBe(true)
    await expectExact(event, { trigger: 'TERM', collateral: units(1_000), price: units(80, 6) })
    near(built.forecast.claim, event.claim, 6)
    near(built.forecast.collateralTaken, event.collateral, 18)
    near(built.forecast.collateralReturned, units(1_000) - event.collateral, 18)
    const { data } = must(await post(healthy, { txHash: receipt.transactionHash })).body
    expect(data).toMatchObject({ termRealization: true, debtRepaid: cash(event.claim) })
  })

  it('counts on no more collateral than the holder still has', async () => {
    const loanId = await loanAt(80)
    const { security } = world
    const balance = await life.read<bigint>(security.token, demoSecurityAbi, 'balanceOf', [borrower.address])
    const locked = await life.read<bigint>(market.adapter, abis.freezeAdapter, 'lockedOf', [borrower.address])
    // The agent takes all that is free, and a part of what is pledged.
    await life.call(security.token, demoSecurityAbi, 'burn', [borrower.address, balance - locked + units(700)])
    // Our record does not know the loan yet: it is asked twice.
    const built = await build(loanId)
    const receipt = await sign(built)
    const event = eventIn(receipt)
    near(built.forecast.claim, event.claim, 6)
    near(built.forecast.collateralTaken, event.collateral, 18)
    expect(built.forecast.closesLoan).toBe(true)
    await expectExact(event, { trigger: 'HEALTH', collateral: units(300), price: units(80, 6) })
    must(await post(loanId, { txHash: receipt.transactionHash }))
  })

  it('lets a signed price stand in for a stale one, and refuses one that the oracle would', async () => {
    const loanId = await loanAt(90)
    await life.travel(2 * DAY)
    const stale = refusal(await post(loanId), 400, 'PRICE_STALE')
    expect(stale.readiness).toMatchObject({ priceStale: true, canSeizeNow: false, seizureConfigured: true })
    const signed = await loans.signPrice(market, 80)
    const built = await build(loanId, { signedPrice: signed })
    expect(built).toMatchObject({ forecast: { trigger: 'HEALTH', price: '80' }, simulation: { success: true } })
    const refused = async (signedPrice: unknown, status: number, code: string) =>
      refusal(await post(loanId, { signedPrice }), status, code)
    const stranger = wallet(7)
    const wrong = await refused(await loans.signPrice(market, 80, { by: stranger }), 400, 'INVALID_SIGNED_PRICE')
    expect(wrong.details).toEqual({ signer: stranger.address.toLowerCase(), reason: 'NotSigner' })
    await refused(await loans.signPrice(market, 30), 400, 'PRICE_DEVIATION_TOO_LARGE')
    await refused(await loans.signPrice(market, 80, { timestamp: 1 }), 409, 'SIGNED_PRICE_OUTDATED')
    await life.price(market, units(60, 6))
    await life.travel(1)
    await refused(await loans.signPrice(market, 40), 400, 'PRICE_WINDOW_DEVIATION_TOO_LARGE')
    await refused({ price: '80' }, 400, 'VALIDATION_ERROR')
    const receipt = await sign(await build(loanId))
    must(await post(loanId, { txHash: receipt.transactionHash }))
  })

  it('builds for whoever is named, and proves what a Safe did', async () => {
    const loanId = await loanAt(80)
    const safe = await deploySafe(world.node, [wallet(5)])
    const named = await build(loanId, { signerAddress: safe.address })
    expect(named).toMatchObject({
      heldByThisInstance: true,
      readiness: { liquidatorRoleReady: false, signerAddress: safe.address.toLowerCase(), seizureConfigured: false },
      simulation: { success: false, revert: { error: 'NotAuthorized' } },
      gasLimit: '1500000',
    })
    expect((await build(loanId, { signerAddress: 'nobody' })).readiness.liquidatorRoleReady).toBe(true)
    await life.call(market.marketAddress, abis.market, 'grantRole', [roles.LIQUIDATOR_ROLE, safe.address])
    const file = must(await world.deployer.post(`${path(loanId)}?format=safe`, { signerAddress: safe.address })).body
    const { receipt } = await safe.execThroughSafe(file.transactions[0])
    const { data } = must(await post(loanId, { txHash: receipt.transactionHash })).body
    expect(data).toMatchObject({ verifiedBy: 'receipt-log', status: 'PENDING', realization: 'ROUTER' })
  })

  it('needs a router that takes the collateral and may hold it', async () => {
    const loanId = await loanAt(80)
    const { security } = world
    await life.call(security.registry, demoIdentityRegistryAbi, 'deleteIdentity', [market.router])
    const unheld = refusal(await post(loanId), 400, 'LIQUIDATION_NOT_READY')
    expect(unheld.readiness).toMatchObject({ routerTokenEligible: false, routerAuthorized: true, isConfigured: false })
    await life.call(security.registry, demoIdentityRegistryAbi, 'registerIdentity', [market.router, market.router, 276])
    await life.call(market.router, abis.router, 'authorizeLendingMarket', [market.marketAddress, false])
    const shut = refusal(await post(loanId), 400, 'LIQUIDATION_NOT_READY')
    expect(shut.readiness).toMatchObject({ routerTokenEligible: true, routerAuthorized: false })
    await life.call(market.router, abis.router, 'authorizeLendingMarket', [market.marketAddress, true])
    expect((await build(loanId)).simulation.success).toBe(true)
    const receipt = await sign(await build(loanId))
    must(await post(loanId, { txHash: receipt.transactionHash }))
  })

  it('sells at once where the router does, if the buyer can pay', async () => {
    const { router } = market
    const buyer = world.deployer.wallet
    const loanId = await loanAt(80)
    await world.follow()
    await life.call(router, abis.router, 'setAtomicMode', [true])
    // Whatever keeps the buyer from buying, the loan is realized: its collateral waits in the router, sized for any sale.
    const waits = async (atomicFault: string) => {
      const built = await build(loanId)
      expect(built).toMatchObject({
        forecast: { path: 'ROUTER', atomicFault, expectedPayment: null },
        readiness: { atomicMode: true },
        simulation: { success: true },
      })
      near(built.forecast.collateralTaken, (units(35_000, 6) * 105n * units(1)) / (100n * units(80, 6)), 18)
    }
    await waits('NO_BID')
    const soon = (await loans.now()) + HOUR
    await life.call(router, abis.router, 'setSaleBid', [9_600n, BigInt(soon)])
    await life.call(world.cash, demoCashAbi, 'approve', [router, 0n])
    await waits('ALLOWANCE_SHORT')
    await life.call(world.cash, demoCashAbi, 'approve', [router, units(1_000_000, 6)])
    const held = await life.read<bigint>(world.cash, demoCashAbi, 'balanceOf', [buyer.address])
    if (held > 0n) await life.call(world.cash, demoCashAbi, 'transfer', [wallet(9).address, held])
    await waits('BALANCE_SHORT')
    await life.call(world.cash, demoCashAbi, 'mint', [buyer.address, units(1_000_000, 6)])
    await loans.config(market, { auctionMinBps: 9_700 })
    await waits('BID_BELOW_FLOOR')
    await loans.config(market, { auctionMinBps: 9_500 })
    await life.travel(2 * HOUR)
    await waits('BID_EXPIRED')
    await life.call(router, abis.router, 'setSaleBid', [9_600n, BigInt(soon + 30 * DAY)])

    const built = await build(loanId)
    expect(built).toMatchObject({ forecast: { path: 'ATOMIC' }, simulation: { success: true } })
    const receipt = await sign(built)
    const event = eventIn(receipt)
    near(built.forecast.claim, event.claim, 6)
    near(built.forecast.collateralTaken, event.collateral, 18)
    const [sale] = parseEventLogs({ abi: abis.router, eventName: 'AtomicSaleExecuted', logs: receipt.logs })
    near(built.forecast.expectedPayment, sale?.args.payment ?? 0n, 6)
    const seen = { trigger: 'HEALTH' as const, collateral: units(1_000), price: units(80, 6) }
    await expectExact(event, { ...seen, atomicFactorBps: 9_600n })
    const { data } = must(await post(loanId, { txHash: receipt.transactionHash })).body
    expect(data).toMatchObject({
      liquidationId: sale?.args.liquidationId.toString(),
      status: 'SETTLED',
      realization: 'ATOMIC',
      buyer: buyer.address.toLowerCase(),
      proceeds: cash(sale?.args.payment),
      usdcProceeds: cash(sale?.args.payment),
      surplus: { returned: '0', escrowed: '0' },
      sale: {
        collateralAmount: shares(sale?.args.collateral),
        collateralAmountRaw: sale?.args.collateral.toString(),
        payment: cash(sale?.args.payment),
        paymentRaw: sale?.args.payment.toString(),
        price: '76.8',
        priceRaw: '76800000',
      },
      settledTxHash: receipt.transactionHash,
    })
    expect(data.reserve).toEqual({ seizureCovered: '0', settlementCovered: '0', reimbursed: '0' })

    // The fund covers a short sale of one slice; the sale of the next gives it back.
    await life.call(router, abis.router, 'setAtomicMode', [false])
    await life.topUp(market, 1_000)
    const twice = await loanAt(80)
    const first = await life.seize(market, twice)
    await life.settle(market, first.id, units(30_000, 6))
    const { advanced } = await life.read<{ advanced: bigint }>(market.marketAddress, abis.market, 'arrearsOf', [twice])
    expect(advanced).toBeGreaterThan(0n)
    await life.priceTo(market, units(70, 6))
    await life.call(router, abis.router, 'setAtomicMode', [true])
    await life.call(world.cash, demoCashAbi, 'approve', [router, units(1_000_000, 6)])
    const repaid = await sign(await build(twice))
    const { data: given } = must(await post(twice, { txHash: repaid.transactionHash })).body
    expect(given.reserve).toEqual({ seizureCovered: '0', settlementCovered: '0', reimbursed: cash(advanced) })

    await life.priceTo(market, units(100, 6))
    const own = await life.openLoan(market, buyer, { collateral: 1_000, amount: 70_000 })
    await life.priceTo(market, units(80, 6))
    expect((await build(own)).forecast).toMatchObject({ path: 'ROUTER', atomicFault: 'SELF_PURCHASE' })
    await life.call(router, abis.router, 'setAtomicMode', [false])
  })

  it('refuses where a market of an earlier version would revert for want of a buyer', async () => {
    const implementations = createImplementations(world)
    await implementations.serve('market', await implementations.create('MarketWithoutSnapshot', 2n))
    const old = await life.earning({ mode: 'CUSTODY', borrowAssetAddress: world.cash }, 200_000)
    await implementations.serveCurrent('market')
    const loanId = await loanAt(80, { of: old, mode: 'CUSTODY' })
    await life.call(old.router, abis.router, 'setAtomicMode', [true])
    const { details, readiness } = refusal(await post(loanId, {}, old), 409, 'ATOMIC_BUYER_UNAVAILABLE')
    expect(readiness.atomicMode).toBe(true)
    const named = { routerAddress: old.router, loanId: loanId.toString() }
    expect(details).toMatchObject({ ...named, reasonCode: 'NO_BID', expectedPayment: null, collateralAmount: null })
    const soon = (await loans.now()) + HOUR
    await life.call(old.router, abis.router, 'setSaleBid', [9_600n, BigInt(soon)])
    expect(refusal(await post(loanId, {}, old), 409, 'ATOMIC_BUYER_UNAVAILABLE').details).toMatchObject({
      ...named,
      reasonCode: 'ALLOWANCE_SHORT',
      saleRecipient: world.deployer.wallet.address.toLowerCase(),
      expectedPayment: { amount: expect.stringMatching(/^36\d{3}\./), raw: expect.stringMatching(/^36\d{9}$/) },
      collateralAmount: expect.stringMatching(/^\d{20,21}$/),
    })
    must(await world.deployer.post(`${V2}/markets/${old.marketId}/archive`, {}))
  })

  it('opens an auction where the market sells in auctions, and not a second one for the same loan', async () => {
    const venue = await life.venue(market)
    await life.switchAuctions(market, true)
    const loanId = await loanAt(80)
    const shut = refusal(await post(loanId), 400, 'AUCTION_VENUE_NOT_ADMITTED')
    expect(shut.readiness).toMatchObject({
      auctionVenue: venue,
      auctionVenueAdmitted: false,
      dutchAuctionEnabled: true,
    })
    await life.call(world.security.registry, demoIdentityRegistryAbi, 'registerIdentity', [venue, venue, 276])
    await world.follow()
    const built = await build(loanId)
    expect(built).toMatchObject({
      forecast: { path: 'VENUE', collateralTaken: '500', closesLoan: false },
      simulation: { success: true },
    })
    const receipt = await sign(built)
    const event = eventIn(receipt)
    near(built.forecast.claim, event.claim, 6)
    expect(event.collateral).toBe(units(500))
    await expectExact(event, { trigger: 'HEALTH', collateral: units(1_000), price: units(80, 6) })
    const { data } = must(await post(loanId, { txHash: receipt.transactionHash })).body
    expect(data).toMatchObject({
      liquidationId: `venue-${event.realizationId}`,
      marketLiquidationId: event.realizationId.toString(),
      auctionId: '1',
      status: 'PENDING',
      realization: 'VENUE',
      collateralSeized: '500',
    })
    const again = refusal(await post(loanId), 400, 'LOAN_IN_AUCTION')
    expect(again.loan).toMatchObject({
      active: true,
      auction: { auctionId: '1', phase: 'RUNNING', collateralRemaining: '500', venueAddress: venue },
    })
    refusal(await world.withBroken(venue, () => post(loanId)), 503, 'MARKET_STATE_UNAVAILABLE')
    await life.switchAuctions(market, false)
  })

  it('asks the token before it lets the adapter deliver out of custody', async () => {
    const custody = await life.earning({ mode: 'CUSTODY', borrowAssetAddress: world.cash }, 200_000)
    const loanId = await loanAt(80, { of: custody, mode: 'CUSTODY' })
    const { security } = world
    const checked = (await build(loanId, {}, custody)).readiness
    expect(checked).toMatchObject({
      collateralTransferChecked: true,
      collateralTransferAllowed: true,
      collateralTransferCode: 0,
    })
    const restricted = async () => {
      const { readiness } = refusal(await post(loanId, {}, custody), 400, 'COLLATERAL_TRANSFER_RESTRICTED')
      expect(readiness).toMatchObject({
        collateralTransferAllowed: false,
        collateralTransferAmount: expect.stringMatching(/^459\./),
      })
      return readiness.collateralTransferCode
    }
    await life.call(security.token, demoSecurityAbi, 'setAddressFrozen', [custody.adapter, true])
    expect(await restricted()).toBe(3)
    await life.call(security.token, demoSecurityAbi, 'setAddressFrozen', [custody.adapter, false])
    await life.call(security.compliance, demoComplianceAbi, 'setMaxBalance', [1n])
    expect(await restricted()).toBe(5)
    await life.call(security.compliance, demoComplianceAbi, 'setMaxBalance', [0n])
    expect((await build(loanId, {}, custody)).simulation.success).toBe(true)
  })

  it('refuses what is not of the right form, unknown, unreadable, or proves nothing', async () => {
    for (const id of ['0', 'x', '-1', '1.5', '9'.repeat(41)])
      for (const body of [{}, { txHash: `0x${'1'.repeat(64)}` }])
        expect(refusal(await post(id, body), 400, 'INVALID_LOAN_ID').details[0].field).toBe('loanId')
    refusal(await post('1', { amount: '1' }), 400, 'VALIDATION_ERROR')
    refusal(await post('1', { txHash: '0x12' }), 400, 'VALIDATION_ERROR')
    refusal(await post('999'), 404, 'LOAN_NOT_FOUND')
    const lost = await world.withoutNode(() => post('1'))
    expect([refusal(lost, 503, 'MARKET_STATE_UNAVAILABLE').code, lost.headers['retry-after']]).toEqual([
      'MARKET_STATE_UNAVAILABLE',
      '1',
    ])
    const { token, registry } = world.security
    for (const contract of [market.marketAddress, market.router, market.oracle, token, registry])
      refusal(await world.withBroken(contract, () => post('1')), 503, 'MARKET_STATE_UNAVAILABLE')

    const confirm = (txHash: Hex) => post('1', { txHash })
    const other = { abi: abis.market, functionName: 'pokeSnapshot' }
    await expectTransactionFaults(world, { confirm, target: market.marketAddress, other })
    const snapshot = await wrappedSnapshot(world, market.marketAddress)
    refusal(await confirm(snapshot), 400, 'TX_NOT_VERIFIED')
    refusal(await world.withoutNode(() => confirm(snapshot)), 503, 'CHAIN_UNAVAILABLE')
  })

  const loanNow = async (loanId: bigint) => {
    const loan = await life.read<{ principal: bigint; interest: bigint; collateral: bigint }>(
      market.marketAddress,
      abis.market,
      'loan',
      [loanId],
    )
    return { debt: loan.principal + loan.interest, collateral: loan.collateral }
  }
})
