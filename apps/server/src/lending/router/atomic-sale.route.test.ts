import { demoCashAbi, demoSecurityAbi } from '@tallystick/abi'
import { deploySafe, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, formatUnits, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { createRouterLife, HASH, type RouterLife, refusal, WRONG_CHECKSUM } from '../../../test/lending/router-life.ts'
import { V1 } from '../../../test/lending/setup-helpers.ts'
import { abis } from '../contracts.ts'

const DAY = 86_400
const BUYER = wallet(5)
const buyer = BUYER.address.toLowerCase() as Address

describe('sales in one step', () => {
  let world: ProxiedWorld
  let life: RouterLife
  /** At market prices, realized by exchange sale: may sell in one step. */
  let market: LiveMarket
  /** At net asset value: may not. */
  let nav: LiveMarket
  let pendingId: string

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createRouterLife(world)
    market = await life.adopted(
      { priceSource: 'MARKET', identityRegistry: world.security.registry },
      { terms: { realizationMode: 1, saleRecipient: BUYER.address } },
    )
    await life.admit(
      market,
      [3, 4, 5].map((index) => wallet(index).address),
    )
    await life.fund(market, 900_000)
    nav = await life.earning({ mode: 'CUSTODY' }, 500_000)
    const cash = await world.createCash('PEND')
    pendingId = (await world.deployMarket({ borrowAssetAddress: cash })).marketId
    await life.call(world.cash, demoCashAbi, 'mint', [BUYER.address, units(500_000, 6)])
    await world.follow()
  })
  afterAll(() => world.close())

  const path = (name: string, marketId = market.marketId) => `${V1}/liquidations/${marketId}/${name}`
  const get = async (query = '', marketId?: string) =>
    must(await world.deployer.get(`${path('atomic-sale', marketId)}${query}`)).body.data
  const post = (name: string, body: Record<string, unknown>, marketId?: string) =>
    world.deployer.post(path(name, marketId), body)
  const chainTime = async () => Number((await world.node.publicClient.getBlock()).timestamp)
  const bid = (priceFactorBps: number, validUntil: number) =>
    life.call(market.router, abis.router, 'setSaleBid', [BigInt(priceFactorBps), BigInt(validUntil)], BUYER)
  const allow = (whole: number) =>
    life.call(world.cash, demoCashAbi, 'approve', [market.router, units(whole, 6)], BUYER)

  it('shows what stands in their way, in one round trip', async () => {
    const trips = await world.roundTrips(async () => {
      expect(await get(`?signerAddress=${BUYER.address}`)).toEqual({
        marketId: market.marketId,
        marketAddress: market.marketAddress,
        routerAddress: market.router,
        supported: { router: true, market: true },
        available: true,
        saleBasis: {
          available: true,
          priceSource: 'MARKET',
          realizationMode: 'EXCHANGE_SALE',
          reasonCode: null,
          reason: null,
        },
        mode: 0,
        modeName: 'TWO_STEP',
        effective: false,
        dutchAuctionEnabled: false,
        saleRecipient: buyer,
        saleRecipientLenderSide: false,
        announced: null,
        openLiquidations: 0,
        bid: {
          priceFactorBps: 0,
          priceFactorE18: '0',
          validUntil: 0,
          validUntilIso: null,
          set: false,
          live: false,
          expired: false,
        },
        floor: { priceFactorBps: 9800 },
        limits: { minPriceFactorBps: 9500, maxPriceFactorBps: 20000 },
        settlementAsset: { address: world.cash, symbol: 'USDX', decimals: 6 },
        allowance: { amount: '0', raw: '0' },
        balance: { amount: '500000', raw: '500000000000' },
        expectedPayment: null,
        buyerAvailable: false,
        code: 'ATOMIC_BUYER_UNAVAILABLE',
        reasonCode: 'NO_BID',
        reason: expect.stringContaining('no standing bid'),
        signer: { signerAddress: buyer, isSaleRecipient: true, isRouterAdmin: false, isRouterOperator: false },
        readFailed: false,
        unverifiedSections: [],
      })
    })
    expect(trips).toBe(1)
    const unavailable = { available: false, code: 'ATOMIC_SALE_UNAVAILABLE', reasonCode: 'PRICE_SOURCE_NOT_MARKET' }
    expect(await get('', nav.marketId)).toMatchObject({ ...unavailable, saleRecipientLenderSide: true, signer: null })
    const undesignated = { saleRecipient: null, code: 'SALE_RECIPIENT_NOT_SET', allowance: null, buyerAvailable: false }
    expect(await get('', pendingId)).toMatchObject(undesignated)
    const wrong = await world.deployer.get(`${path('atomic-sale')}?signerAddress=${WRONG_CHECKSUM}`)
    refusal(wrong, 400, 'VALIDATION_ERROR')
  })

  it('says what it could not read', async () => {
    const blind = await world.withBroken(market.oracle, () => get())
    expect(blind).toMatchObject({ readFailed: true, unverifiedSections: ['price'], reasonCode: 'NO_BID' })
    const poor = await world.withBroken(world.cash, () => get())
    expect(poor).toMatchObject({ allowance: null, balance: null, unverifiedSections: ['allowance', 'balance'] })
    const lost = await world.withBroken(world.suite.factory, () => get())
    expect(lost).toMatchObject({
      available: null,
      reasonCode: 'REALIZATION_PATH_UNREAD',
      unverifiedSections: ['saleBasis'],
    })
    const ask = () => world.deployer.get(path('atomic-sale'))
    refusal(await world.withBroken(market.router, ask), 503, 'ROUTER_UNREADABLE')
    refusal(await world.withoutNode(ask), 503, 'ROUTER_UNREADABLE')
  })

  it('take a standing bid and an allowance of the sale recipient', async () => {
    const validUntil = (await chainTime()) + 400 * DAY
    const request = { priceFactorBps: 9_900, validUntil, allowance: '300000' }
    const built = await post('sale-bid', request)
    expect(must(built).body.data).toMatchObject({
      marketId: market.marketId,
      action: 'SIGN_TRANSACTIONS',
      confirmStepIndex: 1,
      steps: [
        { functionName: 'approve', transaction: { to: world.cash } },
        { functionName: 'setSaleBid', transaction: { to: market.router } },
      ],
      simulation: { success: true },
      requiredSigner: buyer,
      heldByThisInstance: false,
      priceFactorBps: 9_900,
      validUntil,
      allowance: { amount: '300000', raw: '300000000000' },
    })
    const codes = built.body.data.warnings.map(({ code }: { code: string }) => code)
    expect(codes).toEqual(['FUNDS_STAY_IN_WALLET', 'BID_BELOW_PAR'])
    const txHash = await life.signAll(built, BUYER)
    expect(must(await post('sale-bid', { txHash })).body.data).toMatchObject({
      buyer,
      priceFactorBps: 9_900,
      validUntil,
      validUntilIso: new Date(validUntil * 1000).toISOString(),
    })
    expect(await get()).toMatchObject({
      buyerAvailable: true,
      code: null,
      bid: { set: true, live: true, expired: false, priceFactorE18: '990000000000000000' },
    })
    refusal(await post('sale-bid', request), 409, 'SALE_BID_UNCHANGED')
    const raised = must(await post('sale-bid', { ...request, allowance: '400000', signerAddress: BUYER.address })).body
      .data
    expect(raised.steps.map((step: { functionName: string }) => step.functionName)).toEqual([
      'approve',
      'approve',
      'setSaleBid',
    ])
    const withdrawn = must(await post('sale-bid', { priceFactorBps: 0 })).body.data
    expect(withdrawn).toMatchObject({ steps: [{ functionName: 'setSaleBid' }], validUntil: 0, allowance: null })
  })

  it('take no bid that the router would not', async () => {
    const now = await chainTime()
    const good = { priceFactorBps: 9_900, validUntil: now + 3_600 }
    for (const priceFactorBps of [1, 9_499, 20_001, -1])
      refusal(await post('sale-bid', { ...good, priceFactorBps }), 400, 'INVALID_SALE_BID')
    for (const validUntil of [0, now, now + 30, 2 ** 41])
      refusal(await post('sale-bid', { ...good, validUntil }), 400, 'INVALID_SALE_BID')
    refusal(await post('sale-bid', { priceFactorBps: 9_900 }), 400, 'INVALID_SALE_BID')
    refusal(await post('sale-bid', {}), 400, 'VALIDATION_ERROR')
    refusal(await post('sale-bid', { ...good, allowance: 'all' }), 400, 'VALIDATION_ERROR')
    refusal(await post('sale-bid', { ...good, signerAddress: WRONG_CHECKSUM }), 400, 'VALIDATION_ERROR')
    const stranger = refusal(
      await post('sale-bid', { ...good, signerAddress: wallet(6).address }),
      403,
      'NOT_SALE_RECIPIENT',
    )
    expect(stranger.saleRecipient).toBe(buyer)
    const low = refusal(await post('sale-bid', { ...good, priceFactorBps: 9_700 }), 409, 'SALE_BID_BELOW_FLOOR')
    expect(low.floorBps).toBe(9_800)
    refusal(await post('sale-bid', good, pendingId), 409, 'SALE_RECIPIENT_NOT_SET')
    const { details } = refusal(await post('sale-bid', good, nav.marketId), 409, 'ATOMIC_SALE_UNAVAILABLE')
    expect(details).toEqual({
      reasonCode: 'PRICE_SOURCE_NOT_MARKET',
      priceSource: 'NAV',
      realizationMode: 'ISSUER_REDEMPTION',
    })
  })

  it('sell a pending liquidation at the bid, and settle it as the build said', async () => {
    const seizure = await life.seized(market)
    const { collateralAmount } = await life.liquidation(market, seizure.id)
    const built = await life.on('sell', seizure.id)
    const { data } = must(built).body
    const payment = (collateralAmount * units(79.2, 6) + 10n ** 18n - 1n) / 10n ** 18n
    expect(data).toMatchObject({
      liquidationId: '1',
      success: true,
      functionName: 'sellPending',
      transaction: { to: market.router },
      simulation: { success: true },
      requiredRole: 'OPERATOR_ROLE',
      routerAddress: market.router,
      buyer,
      expectedPayment: { amount: formatUnits(payment, 6), raw: payment.toString() },
      collateralAmount: formatUnits(collateralAmount, 18),
      price: { amount: '79.2', raw: '79200000' },
      priceFactor: '0.99',
      priceFactorBps: 9_900,
      settlementAsset: { symbol: 'USDX' },
      confirmWith: { endpoint: `${V1}/liquidations/liquidation/1/sell` },
    })
    const txHash = await life.signAll(built)
    const confirmed = must(await life.on('sell', seizure.id, { txHash })).body.data
    expect(confirmed).toMatchObject({
      liquidationId: '1',
      marketId: market.marketId,
      status: 'SETTLED',
      realization: 'ATOMIC',
      usdcProceeds: data.expectedPayment.amount,
      payment: data.expectedPayment.amount,
      buyer,
      price: '79.2',
      priceFactor: '0.99',
      priceFactorBps: 9_900,
      collateralAmount: data.collateralAmount,
      surplus: { returned: '0', escrowed: '0' },
      reserve: { settlementCovered: '0', reimbursed: '0' },
      settlement: {
        marketLiquidationId: '1',
        proceedsReceived: data.preview.cash,
        penalty: data.preview.penalty,
        shortfall: data.preview.shortfall,
        debtApplied: data.preview.debtApplied,
      },
      signedBy: world.deployer.wallet.address.toLowerCase(),
      txHash,
    })
  })

  it('need a buyer who can buy', async () => {
    const seizure = await life.seized(market)
    const reason = async (id = seizure.id) => {
      const { details } = refusal(await life.on('sell', id), 409, 'ATOMIC_BUYER_UNAVAILABLE')
      expect(details).toMatchObject({ saleRecipient: buyer, routerAddress: market.router })
      return details
    }
    const until = (await chainTime()) + 400 * DAY
    await bid(0, 0)
    expect(await reason()).toMatchObject({ reasonCode: 'NO_BID', expectedPayment: null })
    await bid(9_900, until)
    await allow(1_000)
    expect(await reason()).toMatchObject({
      reasonCode: 'ALLOWANCE_SHORT',
      expectedPayment: { raw: expect.any(String) },
    })
    await allow(300_000)
    const held = await life.read<bigint>(world.cash, demoCashAbi, 'balanceOf', [buyer])
    await life.call(world.cash, demoCashAbi, 'transfer', [wallet(6).address, held - units(10, 6)], BUYER)
    expect((await reason()).reasonCode).toBe('BALANCE_SHORT')
    await life.call(world.cash, demoCashAbi, 'transfer', [buyer, held - units(10, 6)], wallet(6))
    await life.call(world.security.token, demoSecurityAbi, 'setAddressFrozen', [buyer, true])
    expect((await reason()).reasonCode).toBe('DELIVERY_REFUSED')
    await life.call(world.security.token, demoSecurityAbi, 'setAddressFrozen', [buyer, false])
    const config = await life.read<Record<string, unknown>>(market.marketAddress, abis.market, 'config')
    const floorAt = (auctionMinBps: number) =>
      life.call(market.marketAddress, abis.market, 'setConfig', [{ ...config, auctionMinBps }])
    await floorAt(10_000)
    expect((await reason()).reasonCode).toBe('BID_BELOW_FLOOR')
    await floorAt(9_800)
    const own = await life.seized(market, { borrower: BUYER })
    expect((await reason(own.id)).reasonCode).toBe('SELF_PURCHASE')
    await life.travel(2 * DAY)
    expect((await reason()).reasonCode).toBe('PRICE_STALE')
    await life.travelFresh(market, 1)
    await bid(9_900, (await chainTime()) + 3_600)
    await life.travel(3_700)
    expect((await reason()).reasonCode).toBe('BID_EXPIRED')
    await bid(9_900, until)
    await life.travelFresh(market, 1)
    must(await life.on('sell', seizure.id))

    const blind = await world.withBroken(market.oracle, () => life.on('sell', seizure.id))
    refusal(blind, 503, 'MARKET_STATE_UNAVAILABLE')
    const named = await life.on('sell', seizure.id, { signerAddress: wallet(6).address })
    refusal(named, 400, 'ROUTER_OPERATOR_ROLE_MISSING')
    refusal(await life.on('sell', seizure.id, { signerAddress: WRONG_CHECKSUM }), 400, 'VALIDATION_ERROR')
    await life.call(market.router, abis.router, 'withdrawCollateralForSale', [seizure.id, 1n])
    refusal(await life.on('sell', seizure.id), 409, 'COLLATERAL_ALREADY_OUT_FOR_SALE')
    const elsewhere = await life.seized(nav, { mode: 'CUSTODY' })
    const body = { marketId: nav.marketId }
    const { details } = refusal(await life.on('sell', elsewhere.id, body), 409, 'ATOMIC_SALE_UNAVAILABLE')
    expect(details.reasonCode).toBe('PRICE_SOURCE_NOT_MARKET')
  })

  it('can be switched on and off by the router admin', async () => {
    const built = await post('atomic-mode', { mode: 1 })
    expect(must(built).body.data).toMatchObject({
      mode: 1,
      modeName: 'ATOMIC',
      alreadySet: false,
      functionName: 'setAtomicMode',
      requiredRole: 'DEFAULT_ADMIN_ROLE',
      simulation: { success: true },
    })
    expect(built.body.data.warnings).toMatchObject([{ code: 'SELF_PURCHASE_TWO_STEP_ONLY' }])
    expect(must(await post('atomic-mode', { mode: 0 })).body.data).toEqual({
      marketId: market.marketId,
      mode: 0,
      modeName: 'TWO_STEP',
      alreadySet: true,
    })
    const txHash = await life.signAll(built)
    const confirmed = must(await post('atomic-mode', { txHash })).body.data
    expect(confirmed).toMatchObject({ mode: 1, modeName: 'ATOMIC', txHash })
    expect(await get()).toMatchObject({ mode: 1, effective: true })
    // What is seized now is sold in the same transaction.
    const sold = await life.seized(market)
    const answer = must(await life.on('sell', sold.id, { txHash: sold.txHash })).body.data
    expect(answer).toMatchObject({ realization: 'ATOMIC', buyer, verifiedBy: 'receipt-log' })
    // Without a bid the router does not answer its terms, yet its mode is known.
    const cleared = must(await post('sale-bid', { priceFactorBps: 0 })).body.data
    expect(cleared.warnings.map(({ code }: { code: string }) => code)).toContain('BID_CLEARED_IN_ATOMIC_MODE')
    await bid(0, 0)
    expect(await get()).toMatchObject({ mode: 1, effective: false, reasonCode: 'NO_BID' })
    await life.signAll(await post('atomic-mode', { mode: 0 }))
    expect(await get()).toMatchObject({ mode: 0 })
    const warned = must(await post('atomic-mode', { mode: 1 })).body.data
    expect(warned.warnings.map(({ code }: { code: string }) => code)).toContain('ATOMIC_BUYER_UNAVAILABLE')
    refusal(await post('atomic-mode', { mode: 1 }, nav.marketId), 409, 'ATOMIC_SALE_UNAVAILABLE')
    refusal(await post('atomic-mode', {}), 400, 'VALIDATION_ERROR')
    refusal(await post('atomic-mode', { mode: 2 }), 400, 'VALIDATION_ERROR')
    const named = { mode: 1, signerAddress: wallet(6).address }
    refusal(await post('atomic-mode', named), 400, 'ROUTER_ADMIN_ROLE_MISSING')
    refusal(await life.withWallet(null, () => post('atomic-mode', { mode: 1 })), 400, 'WALLET_NOT_CONFIGURED')
  })

  it('go to another sale recipient with notice, and only while nothing is open', async () => {
    const next = wallet(6).address.toLowerCase()
    refusal(await post('sale-recipient/rotate', {}), 409, 'ROTATION_NOT_ANNOUNCED')
    for (const body of [{}, { recipientAddress: `0x${'0'.repeat(40)}` }, { recipientAddress: WRONG_CHECKSUM }])
      refusal(await post('sale-recipient', body), 400, 'VALIDATION_ERROR')
    const built = await post('sale-recipient', { recipientAddress: wallet(6).address })
    expect(must(built).body.data).toMatchObject({
      saleRecipient: buyer,
      announced: next,
      functionName: 'announceSaleRecipient',
      simulation: { success: true },
    })
    const txHash = await life.signAll(built)
    const announced = must(await post('sale-recipient', { txHash })).body.data
    expect(announced).toMatchObject({ announced: next, txHash })
    expect((await get()).announced).toEqual({
      saleRecipient: next,
      activatesAt: announced.activatesAt,
      activatesAtIso: announced.activatesAtIso,
    })
    const early = refusal(await post('sale-recipient/rotate', {}), 409, 'ROTATION_TOO_EARLY')
    expect(early.eligibleAt).toBe(announced.activatesAtIso)
    await life.travel(3_700)
    const { openLiquidations } = refusal(await post('sale-recipient/rotate', {}), 409, 'LIQUIDATIONS_OPEN')
    expect(openLiquidations).toBe(2)
    await life.settle(market, 2n, units(36_000, 6))
    await life.settle(market, 3n, units(36_000, 6))
    const rotation = await post('sale-recipient/rotate', {})
    expect(must(rotation).body.data).toMatchObject({ saleRecipient: buyer, nextSaleRecipient: next })
    const rotated = await life.signAll(rotation)
    expect(must(await post('sale-recipient/rotate', { txHash: rotated })).body.data).toMatchObject({
      previousSaleRecipient: buyer,
      saleRecipient: next,
    })
    // The record knows it only later; the answer is the chain's all the same.
    expect(await get()).toMatchObject({ saleRecipient: next, announced: null })
  })

  /** name, a body that builds, how a failed transaction is called, another function of the router */
  const settings = [
    ['atomic-mode', { mode: 1 }, 'ATOMIC_MODE_FAILED'],
    ['sale-bid', { priceFactorBps: 9_900, validUntil: 4_000_000_000 }, 'SALE_BID_FAILED'],
    ['sale-recipient', { recipientAddress: buyer }, 'TX_REVERTED'],
    ['sale-recipient/rotate', {}, 'TX_REVERTED'],
  ] as const

  it.each(settings)('%s refuses what did not happen and what cannot be read', async (name, body, reverted) => {
    const confirm = (txHash: Hex) => post(name, { txHash })
    refusal(await post(name, { ...body, unheardOf: 1 }), 400, 'VALIDATION_ERROR')
    refusal(await post(name, { txHash: '0x12' }), 400, 'VALIDATION_ERROR')
    refusal(await world.withoutNode(() => post(name, body)), 503, 'ROUTER_UNREADABLE')
    refusal(await world.withBroken(market.router, () => post(name, body)), 503, 'ROUTER_UNREADABLE')
    refusal(await world.withoutNode(() => confirm(HASH as Hex)), 503, 'CHAIN_UNAVAILABLE')
    refusal(await confirm(`0x${'0'.repeat(63)}1`), 404, 'TX_NOT_FOUND')
    const away = await life.call(world.cash, demoCashAbi, 'approve', [market.router, 1n])
    refusal(await confirm(away.transactionHash), 400, 'TX_WRONG_TARGET')
    const failed = await world.node.walletClient.sendTransaction({
      account: wallet(8),
      to: market.router,
      data: encodeFunctionData({ abi: abis.router, functionName: 'setAtomicMode', args: [true] }),
      gas: 200_000n,
    })
    await world.node.publicClient.waitForTransactionReceipt({ hash: failed })
    const error = refusal(await confirm(failed), 400, reverted)
    if (reverted !== 'TX_REVERTED') expect(error.txHash).toBe(failed)
    const other = await life.call(market.router, abis.router, 'authorizeLendingMarket', [market.marketAddress, true])
    refusal(await confirm(other.transactionHash), 400, 'TX_WRONG_FUNCTION')
    // The adoption touched the router, and designated the first sale recipient: no write of these.
    const [adoption] = await world.node.publicClient.getContractEvents({
      address: market.router,
      abi: abis.router,
      eventName: 'SaleRecipientSet',
      fromBlock: 0n,
    })
    if (!adoption) throw new Error('the market was not adopted')
    refusal(await confirm(adoption.transactionHash), 400, 'TX_NOT_VERIFIED')
    if (name.startsWith('sale-recipient')) {
      refusal(await life.withWallet(null, () => post(name, body)), 400, 'WALLET_NOT_CONFIGURED')
      refusal(await life.withWallet(wallet(7).address, () => post(name, body)), 400, 'ROUTER_ADMIN_ROLE_MISSING')
    }
  })

  it('are switched by a Safe that holds the role', async () => {
    const safe = await deploySafe(world.node, [wallet(9)])
    const admin = `0x${'0'.repeat(64)}`
    await life.call(market.router, abis.router, 'grantRole', [admin, safe.address])
    const { transaction } = must(await post('atomic-mode', { mode: 1, signerAddress: safe.address })).body.data
    const { receipt } = await safe.execThroughSafe(transaction)
    const { data } = must(await post('atomic-mode', { txHash: receipt.transactionHash })).body
    expect(data).toMatchObject({ mode: 1, verifiedBy: 'receipt-log' })
  })
})
