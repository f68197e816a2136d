import { demoCashAbi } from '@tallystick/abi'
import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, deploySafe, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, formatUnits, type Hex, keccak256, parseEventLogs, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { createRouterLife, HASH, type RouterLife, refusal, type Seizure } from '../../../test/lending/router-life.ts'
import type { TestAnswer } from '../../../test/world.ts'
import { abis } from '../contracts.ts'

const DAY = 86_400
const cashText = (raw: bigint) => formatUnits(raw, 6)

/** What was booked is what the build said before, to the unit. */
function expectAsPreviewed(built: TestAnswer, confirmed: TestAnswer): void {
  const { preview } = must(built).body.data
  const { settlement, surplus = [], usdcProceeds } = must(confirmed).body.data
  const given = surplus.reduce((sum: bigint, one: { amount: string }) => sum + units(Number(one.amount), 6), 0n)
  expect({
    late: settlement.late,
    cash: usdcProceeds,
    shortfall: settlement.shortfall ?? '0',
    penalty: settlement.penalty ?? preview.penalty,
    debtApplied: settlement.debtApplied,
    writeOffRecovered: settlement.writeOffRecovered ?? preview.writeOffRecovered,
    reserve: settlement.reserve,
    reserveReimbursed: settlement.reserveReimbursed,
    surplus: cashText(given),
  }).toEqual({
    late: preview.late,
    cash: preview.cash,
    shortfall: preview.shortfall,
    penalty: preview.penalty,
    debtApplied: preview.debtApplied,
    writeOffRecovered: preview.writeOffRecovered,
    reserve: preview.reserve,
    reserveReimbursed: preview.reserveReimbursed,
    surplus: preview.surplus,
  })
}

describe('the end of a liquidation', () => {
  let world: ProxiedWorld
  let life: RouterLife
  let market: LiveMarket
  let seller: Address

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createRouterLife(world)
    market = await life.earning({ maxLoanDurationDays: 30 }, 900_000)
    await life.topUp(market, 10_000)
    seller = world.deployer.wallet.address
    await life.call(world.cash, demoCashAbi, 'mint', [seller, units(1_000_000, 6)])
  })
  afterAll(() => world.close())

  const inMarket = (body: Record<string, unknown> = {}, one = market) => ({ ...body, marketId: one.marketId })
  const claimOf = async ({ realizationId }: Seizure, one = market) => (await life.realization(one, realizationId)).claim

  /** Settles for this much through the interface: what was built, and what was confirmed. */
  async function settle({ id }: Seizure, proceeds: bigint, one = market) {
    const built = await life.on('settle', id, inMarket({ usdcProceeds: cashText(proceeds) }, one))
    const txHash = await life.signAll(built)
    const confirmed = await life.on('settle', id, inMarket({ txHash }, one))
    expectAsPreviewed(built, confirmed)
    return { built: must(built).body.data, confirmed: must(confirmed).body.data, txHash }
  }
  const balance = (account: Address) => life.read<bigint>(world.cash, demoCashAbi, 'balanceOf', [account])

  it('comes after partial sales, and the fund covers what a fair sale misses', async () => {
    const seizure = await life.seized(market)
    await life.takeOut(market, seizure.id)
    const sale = { collateralSold: '200.5', usdcProceeds: '16000.25' }
    const built = await life.on('report-partial-sale', seizure.id, sale)
    expect(must(built).body.data).toMatchObject({
      ...sale,
      success: true,
      liquidationId: '1',
      action: 'SIGN_TRANSACTIONS',
      confirmStepIndex: 1,
      signer: seller.toLowerCase(),
      requiredRole: 'OPERATOR_ROLE',
      proceedsCollected: '0',
      collateralOut: formatUnits((await life.liquidation(market, seizure.id)).collateralAmount, 18),
      simulation: { simulated: true, success: true },
      steps: [
        { functionName: 'approve', transaction: { to: world.cash } },
        { functionName: 'reportPartialSale', transaction: { to: market.router } },
      ],
    })
    const reported = await life.signAll(built)
    const confirmed = must(await life.on('report-partial-sale', seizure.id, { txHash: reported })).body.data
    expect(confirmed).toMatchObject({ liquidationId: '1', ...sale, txHash: reported })

    const claim = await claimOf(seizure)
    const final = claim - units(50, 6) - units(16_000.25, 6)
    const done = await settle(seizure, final)
    expect(done.built).toMatchObject({
      marketLiquidationId: '1',
      confirmStepIndex: 1,
      gasLimit: expect.stringMatching(/^\d+$/),
      preview: { cash: cashText(claim - units(50, 6)), claim: cashText(claim), shortfall: '0', proceedsHeld: '0' },
    })
    expect(done.confirmed).toMatchObject({
      usdcProceeds: cashText(claim - units(50, 6)),
      finalLegProceeds: cashText(final),
      settlement: {
        marketLiquidationId: '1',
        routerProceeds: cashText(claim - units(50, 6)),
        shortfall: '0',
        reserve: { requested: '50', covered: '50', uncovered: '0' },
      },
    })
    expect(done.confirmed.surplus).toBeUndefined()
    refusal(await life.on('reopen', seizure.id), 409, 'REOPEN_UNAVAILABLE')
  })

  it('leaves what was sold below the floor to the pool, unless the admin countersigns', async () => {
    const cheap = await life.seized(market)
    const { claim, floorValue } = await life.realization(market, cheap.realizationId)
    await life.takeOut(market, cheap.id)
    const alone = await settle(cheap, units(30_000, 6))
    expect(alone.confirmed.settlement.reserve).toEqual({
      requested: cashText(claim - floorValue),
      covered: cashText(claim - floorValue),
      uncovered: '0',
    })
    expect(Number(alone.confirmed.settlement.shortfall)).toBeGreaterThan(4_000)

    const signed = await life.seized(market, { borrower: wallet(4) })
    const built = await life.on('countersign', signed.id)
    const record = await life.realization(market, signed.realizationId)
    expect(must(built).body.data).toMatchObject({
      liquidationId: signed.id.toString(),
      marketLiquidationId: signed.realizationId.toString(),
      functionName: 'countersignSale',
      transaction: { to: market.marketAddress },
      requiredRole: 'DEFAULT_ADMIN_ROLE',
      claim: cashText(record.claim),
      floorValue: cashText(record.floorValue),
      simulation: { success: true },
    })
    const txHash = await life.signAll(built)
    const confirmed = must(await life.on('countersign', signed.id, { txHash })).body.data
    expect(confirmed).toMatchObject({ marketLiquidationId: signed.realizationId.toString(), txHash })
    refusal(await life.on('countersign', signed.id), 409, 'ALREADY_COUNTERSIGNED')
    await life.takeOut(market, signed.id)
    const both = await settle(signed, units(30_000, 6))
    expect(both.confirmed.settlement).toMatchObject({
      shortfall: '0',
      reserve: { requested: cashText(record.claim - units(30_000, 6)), uncovered: '0' },
    })
  })

  it('takes what is in the fund, and no more', async () => {
    const seizure = await life.seized(market)
    await life.call(market.marketAddress, abis.market, 'countersignSale', [seizure.realizationId])
    await life.takeOut(market, seizure.id)
    const left = await balance(market.fund)
    const { confirmed } = await settle(seizure, units(20_000, 6))
    expect(confirmed.settlement.reserve).toMatchObject({ covered: cashText(left) })
    expect(Number(confirmed.settlement.reserve.uncovered)).toBeGreaterThan(5_000)
    expect(await balance(market.fund)).toBe(0n)
  })

  it('pays down the loan with what is beyond claim and penalty', async () => {
    const seizure = await life.seized(market, { borrower: wallet(4) })
    const claim = await claimOf(seizure)
    await life.takeOut(market, seizure.id)
    const penalty = (claim * 500n) / 10_000n
    const { confirmed } = await settle(seizure, claim + penalty + units(1_000, 6))
    expect(confirmed.settlement).toMatchObject({ penalty: cashText(penalty), debtApplied: '1000', reserve: null })
  })

  it('returns the surplus of a matured loan to its borrower', async () => {
    await life.priceTo(market, units(100, 6))
    const loanId = await life.openLoan(market, wallet(3), { collateral: 1_000, amount: 50_000 })
    await life.travelFresh(market, 34 * DAY)
    const seizure = await life.seize(market, loanId)
    await life.takeOut(market, seizure.id)
    const before = await balance(wallet(3).address)
    const { confirmed } = await settle(seizure, units(60_000, 6))
    const [surplus] = confirmed.surplus
    expect(confirmed.surplus).toMatchObject([
      { kind: 'SURPLUS_RETURNED', loanId: loanId.toString(), borrower: wallet(3).address.toLowerCase() },
    ])
    expect((await balance(wallet(3).address)) - before).toBe(units(Number(surplus.amount), 6))
    expect(Number(surplus.amount)).toBeGreaterThan(5_000)
  })

  it('is confirmed through a Safe', async () => {
    const safe = await deploySafe(world.node, [wallet(9)])
    const role = keccak256(toHex('OPERATOR_ROLE'))
    await life.call(market.router, abis.router, 'grantRole', [role, safe.address])
    await life.call(world.cash, demoCashAbi, 'mint', [safe.address, units(40_000, 6)])
    const seizure = await life.seized(market)
    await life.takeOut(market, seizure.id)
    const built = must(await life.on('settle', seizure.id, { usdcProceeds: '40000' })).body.data
    await safe.execThroughSafe(built.steps[0].transaction)
    const { receipt } = await safe.execThroughSafe(built.steps[1].transaction)
    const { data } = must(await life.on('settle', seizure.id, { txHash: receipt.transactionHash })).body
    expect(data).toMatchObject({ verifiedBy: 'receipt-log', finalLegProceeds: '40000', usdcProceeds: '40000' })
  })

  it('is told apart from another settlement in the same transaction', async () => {
    const [short, rich] = [await life.seized(market), await life.seized(market, { borrower: wallet(4) })]
    for (const { id } of [short, rich]) await life.takeOut(market, id)
    const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    await life.call(market.router, abis.router, 'grantRole', [keccak256(toHex('OPERATOR_ROLE')), caller])
    await life.call(world.cash, demoCashAbi, 'mint', [caller, units(70_000, 6)])
    const routerCall = (functionName: 'settleLiquidation' | 'reportPartialSale', args: readonly bigint[]) => ({
      target: market.router,
      value: 0n,
      callData: encodeFunctionData({ abi: abis.router, functionName, args } as never),
    })
    const approve = encodeFunctionData({
      abi: demoCashAbi,
      functionName: 'approve',
      args: [market.router, units(70_000, 6)],
    })
    const calls = [
      { target: world.cash, value: 0n, callData: approve },
      routerCall('settleLiquidation', [short.id, units(30_000, 6)]),
      routerCall('reportPartialSale', [rich.id, units(1), units(5_000, 6)]),
      routerCall('settleLiquidation', [rich.id, units(35_000, 6)]),
    ]
    const { transactionHash: txHash } = await life.amply(caller, callerAbi, 'callAll', [calls, false])
    const first = must(await life.on('settle', short.id, { txHash })).body.data
    const second = must(await life.on('settle', rich.id, { txHash })).body.data
    expect(first).toMatchObject({ usdcProceeds: '30000', finalLegProceeds: '30000', settlement: { debtApplied: '0' } })
    expect(Number(first.settlement.shortfall)).toBeGreaterThan(4_000)
    expect(second).toMatchObject({ usdcProceeds: '40000', finalLegProceeds: '35000', settlement: { shortfall: '0' } })
    expect(Number(second.settlement.debtApplied)).toBeGreaterThan(3_000)
  })

  it('needs cash of its own and everything sold', async () => {
    const seizure = await life.seized(market, { borrower: wallet(4) })
    const attempt = (usdcProceeds?: string) =>
      life.on('settle', seizure.id, usdcProceeds === undefined ? {} : { usdcProceeds })
    for (const amount of ['abc', '-1', '1.0000001', '1e3', '']) refusal(await attempt(amount), 400, 'INVALID_AMOUNT')
    refusal(await attempt(), 400, 'VALIDATION_ERROR')
    refusal(await life.on('report-partial-sale', seizure.id, {}), 400, 'VALIDATION_ERROR')
    for (const wrong of ['0', 'abc', '1.0000000000000000001'])
      refusal(
        await life.on('report-partial-sale', seizure.id, { collateralSold: wrong, usdcProceeds: '1' }),
        400,
        'VALIDATION_ERROR',
      )
    refusal(await attempt('0'), 400, 'NO_PROCEEDS_COLLECTED')
    const { collateralRemaining } = await life.liquidation(market, seizure.id)
    const remaining = formatUnits(collateralRemaining, 18)
    expect(refusal(await attempt('1'), 409, 'COLLATERAL_UNSOLD').collateralRemaining).toBe(remaining)
    expect(refusal(await life.on('close', seizure.id), 409, 'COLLATERAL_UNSOLD').collateralRemaining).toBe(remaining)
    refusal(await life.on('reopen', seizure.id), 409, 'LIQUIDATION_NOT_SETTLED')
    await life.takeOut(market, seizure.id)
    refusal(await attempt('0'), 409, 'SALE_NOT_REPORTED')
    refusal(await life.on('close', seizure.id), 409, 'MARKET_SETTLEMENT_PENDING')
    await life.signAll(
      await life.on('report-partial-sale', seizure.id, { collateralSold: '1', usdcProceeds: '36000.5' }),
    )
    const { proceedsCollected } = refusal(await life.on('close', seizure.id), 409, 'PROCEEDS_COLLECTED')
    expect(proceedsCollected).toBe('36000.5')
    const { built, confirmed } = await settle(seizure, 0n)
    expect(built.steps.map((step: { functionName: string }) => step.functionName)).toEqual(['settleLiquidation'])
    expect(confirmed).toMatchObject({ usdcProceeds: '36000.5', finalLegProceeds: '0' })
  })

  it('may be a write-off after seven days, and what comes later goes to the pool, then to the fund', async () => {
    await life.topUp(market, 5_000)
    const seizure = await life.seized(market)
    const gone = await life.seized(market, { borrower: wallet(4) })
    const { timestamp } = await world.node.publicClient.getBlock({
      blockHash: (await world.node.publicClient.getTransactionReceipt({ hash: seizure.txHash })).blockHash,
    })
    const early = refusal(await life.on('handle-timeout', seizure.id), 400, 'LIQUIDATION_NOT_TIMED_OUT')
    expect(early.eligibleAt).toBe(new Date((Number(timestamp) + 7 * DAY + 1) * 1000).toISOString())
    await life.travel(7 * DAY + 5 * 3_600)
    const claim = await claimOf(seizure)
    const built = await life.on('handle-timeout', seizure.id)
    expect(must(built).body.data).toMatchObject({
      liquidationId: seizure.id.toString(),
      marketLiquidationId: seizure.realizationId.toString(),
      functionName: 'handleLiquidationTimeout',
      transaction: { to: market.marketAddress },
      simulation: { success: true },
      preview: {
        claim: cashText(claim),
        cash: '0',
        poolLoss: cashText(claim - units(5_000, 6)),
        reserve: { requested: cashText(claim), covered: '5000' },
      },
    })
    const txHash = await life.signAll(built)
    const { data } = must(await life.on('handle-timeout', seizure.id, { txHash })).body
    expect(data).toMatchObject({
      liquidationId: seizure.id.toString(),
      claim: cashText(claim),
      reserve: { requested: cashText(claim), covered: '5000', uncovered: cashText(claim - units(5_000, 6)) },
    })
    refusal(await life.on('handle-timeout', seizure.id), 400, 'ALREADY_SETTLED')

    await life.takeOut(market, seizure.id)
    const late = await settle(seizure, claim - units(2_000, 6))
    expect(late.confirmed.settlement).toMatchObject({ late: true, shortfall: null, penalty: null, reserve: null })
    expect(late.confirmed.settlement.reserveReimbursed).toBe('3000')

    await life.signAll(await life.on('handle-timeout', gone.id))
    await life.takeOut(market, gone.id)
    const closing = await life.on('close', gone.id)
    expect(must(closing).body.data).toMatchObject({
      functionName: 'writeOffLiquidation',
      requiredRole: 'DEFAULT_ADMIN_ROLE',
      transaction: { to: market.router },
      simulation: { success: true },
    })
    const closed = await life.signAll(closing)
    const answer = must(await life.on('close', gone.id, { txHash: closed })).body.data
    expect(answer).toMatchObject({ liquidationId: gone.id.toString(), status: 'SETTLED', txHash: closed })
    refusal(await life.on('reopen', gone.id), 409, 'NOTHING_TO_RECOVER')
  })

  describe('after an auction', () => {
    let auctioned: LiveMarket
    let venue: Address

    beforeAll(async () => {
      auctioned = await life.earning({ mode: 'CUSTODY' }, 900_000)
      venue = await life.auctions(auctioned)
      await life.giveCash(world.deployer.wallet, venue, units(100_000, 6))
    })

    const seized = (borrower = wallet(3)) => life.seized(auctioned, { mode: 'CUSTODY', borrower })

    it('settles an expired one with the cash of its bids, and is reopened for the rest', async () => {
      const seizure = await seized()
      await life.amply(venue, abis.venue, 'bidOnAuction', [1n, units(100), units(50_000, 6)])
      await life.travel(2 * 3_600)
      const { logs } = await life.amply(venue, abis.venue, 'settleExpiredAuction', [1n])
      const [received] = parseEventLogs({ abi: abis.router, eventName: 'CollateralReceived', logs })
      const id = received?.args.liquidationId ?? 0n
      const onRouter = { ...seizure, id }
      const { held } = await life.realization(auctioned, seizure.realizationId)
      expect(held).toBeGreaterThan(0n)
      const { built, confirmed } = await settle(onRouter, 0n, auctioned)
      expect(built.preview).toMatchObject({ cash: cashText(held), proceedsHeld: cashText(held) })
      expect(confirmed).toMatchObject({
        usdcProceeds: cashText(held),
        finalLegProceeds: '0',
        settlement: { routerProceeds: '0', proceedsReceived: cashText(held) },
      })
      const { collateralRemaining } = await life.liquidation(auctioned, id)
      const remaining = formatUnits(collateralRemaining, 18)
      const reopening = await life.on('reopen', id, inMarket({}, auctioned))
      expect(must(reopening).body.data).toMatchObject({
        functionName: 'reopenLiquidation',
        collateralRemaining: remaining,
        simulation: { success: true },
      })
      const txHash = await life.signAll(reopening)
      const reopened = must(await life.on('reopen', id, inMarket({ txHash }, auctioned))).body.data
      expect(reopened).toMatchObject({ status: 'PENDING', collateralRemaining: remaining, txHash })
      await life.takeOut(auctioned, id)
      const late = await settle(onRouter, units(25_000, 6), auctioned)
      expect(late.confirmed.settlement.late).toBe(true)
    })

    it('writes off what the venue still holds by its number, and books what bids brought as late', async () => {
      const seizure = await seized(wallet(4))
      await life.amply(venue, abis.venue, 'bidOnAuction', [2n, units(10), units(50_000, 6)])
      await life.travel(7 * DAY + 3_600)
      const name = `venue-${seizure.realizationId}`
      const built = await life.on('handle-timeout', name, inMarket({}, auctioned))
      const { preview } = must(built).body.data
      const txHash = await life.signAll(built)
      const { data } = must(await life.on('handle-timeout', name, inMarket({ txHash }, auctioned))).body
      expect(data).toMatchObject({ liquidationId: name, marketLiquidationId: seizure.realizationId.toString() })
      expect(data.reserve).toEqual(preview.reserve)
      const { logs } = await world.node.publicClient.getTransactionReceipt({ hash: txHash as Hex })
      const [late] = parseEventLogs({ abi: abis.market, eventName: 'LateProceeds', logs })
      expect(late && [cashText(late.args.proceeds), cashText(late.args.toPool), cashText(late.args.toFund)]).toEqual([
        preview.cash,
        preview.toPool,
        preview.reserveReimbursed,
      ])
      refusal(await life.on('handle-timeout', name, inMarket({ txHash: HASH }, auctioned)), 404, 'TX_NOT_FOUND')
    })
  })
})
