import { deploySafe, wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal, expectSettingFaults } from '../../../test/lending/setting-faults.ts'

describe('setting the rate mode', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let market: LiveMarket
  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    market = await life.adopted({ maxLoanDurationDays: 365 }, { terms: { maxFixedRateBps: 1500 } })
  })
  afterAll(() => world.close())

  const at = (one = market) => `${V2}/markets/${one.marketId}/rate-mode`
  const post = (body: unknown, one = market) => world.deployer.post(at(one), body)

  it('builds for the owner of the model, confirms, and shows the new offering', async () => {
    const built = must(await post({ rateMode: 'CLAMPED', rateFloorBps: 300, rateCapBps: 900 }))
    expect(built.body.data).toMatchObject({
      action: 'SIGN_TRANSACTION',
      to: market.rateModel,
      transaction: { to: market.rateModel, data: built.body.data.data },
      value: '0',
      chainId: 31337,
      functionName: 'setRateMode',
      requiredRole: 'INTEREST_MODEL_OWNER',
      requiredSigner: world.deployer.wallet.address.toLowerCase(),
      heldByThisInstance: true,
      note: null,
      simulation: { simulated: true, success: true },
      confirmWith: { endpoint: at(), field: 'txHash' },
    })
    const txHash = await world.sign(world.deployer.wallet, built)
    const confirmed = must(await post({ txHash, rateMode: 'CURVE' })).body
    expect(confirmed.data).toMatchObject({
      txHash,
      functionName: 'setRateMode',
      signedBy: world.deployer.wallet.address.toLowerCase(),
      offering: { rateMode: 'CLAMPED', rateFloor: '300', rateCap: '900', maxFixedRate: '1500', operatorShare: '800' },
    })
    const { blockNumber } = await world.node.publicClient.getTransactionReceipt({ hash: txHash })
    expect(confirmed.data.blockNumber).toBe(String(blockNumber))
    expect(confirmed.data.verifiedBy).toBeUndefined()
    expect(must(await post({ txHash })).body.data).toEqual(confirmed.data)
    const recorded = await world.superuser`select operation from recordings where tx_hash = ${txHash}`
    expect(recorded).toEqual([{ operation: 'rateModel.RateModeSet' }])
    expect(must(await world.deployer.get(at())).body.data).toMatchObject({ rateMode: 'CLAMPED', rateCapBps: 900 })
  })

  it('tells another instance nothing, and an instance that does not own the model who must sign', async () => {
    expectRefusal(await world.outsider.get(at()), 404, 'MARKET_NOT_FOUND')
    const cash = await world.createCash('LEND')
    const other = await life.adopted({ borrowAssetAddress: cash }, { curator: wallet(1) })
    const built = must(await post({ rateMode: 'CLAMPED', rateCapBps: 100 }, other)).body.data
    expect(built).toMatchObject({
      requiredSigner: wallet(1).address.toLowerCase(),
      heldByThisInstance: false,
      signerAddress: null,
      note: expect.stringContaining('must sign'),
      simulation: { success: true },
    })
  })

  it('is confirmed through a Safe that owns the model', async () => {
    const safe = await deploySafe(world.node, [wallet(3), wallet(4)])
    const other = await life.adopted(
      { borrowAssetAddress: await world.createCash('SAFE') },
      { terms: { issuer: safe.address } },
    )
    const built = must(await post({ rateMode: 'CLAMPED', rateCapBps: 700 }, other)).body.data
    const done = await safe.execThroughSafe(built.transaction)
    const confirmed = must(await post({ txHash: done.receipt.transactionHash }, other)).body.data
    expect(confirmed).toMatchObject({ verifiedBy: 'receipt-log', offering: { rateCap: '700' } })
    const file = await world.deployer.call('POST', `${at(other)}?format=safe`, { body: { rateMode: 'CURVE' } })
    expect(file.body.transactions).toHaveLength(1)
  })

  it.each([
    [{ rateMode: 'CURVE', rateCapBps: 5 }],
    [{ rateMode: 'CLAMPED' }],
    [{ rateMode: 'CLAMPED', rateFloorBps: 10, rateCapBps: 5 }],
    [{ rateMode: 'CLAMPED', rateCapBps: 5, fixedRateBps: 5 }],
    [{ rateMode: 'FIXED' }],
  ])('refuses fields that do not fit the mode: %j', async (body) => {
    expectRefusal(await post(body), 400, 'INVALID_RATE_OFFERING')
  })

  it('refuses a stamped rate above the ceiling, and one without a term of loans', async () => {
    expectRefusal(await post({ rateMode: 'FIXED', fixedRateBps: 1501 }), 400, 'RATE_ABOVE_MAX_FIXED')
    must(await post({ rateMode: 'FIXED', fixedRateBps: 1500 }))
    const now = await world.node.publicClient.getBlock()
    const terminal = await life.adopted({
      borrowAssetAddress: await world.createCash('TERM'),
      terminalDueDate: Number(now.timestamp) + 900_000,
    })
    expectRefusal(await post({ rateMode: 'FIXED', fixedRateBps: 800 }, terminal), 409, 'FIXED_RATE_REQUIRES_TERMS')
  })

  it('says so when the model does not answer', async () => {
    const body = { rateMode: 'CURVE' }
    expectRefusal(await world.withBroken(market.rateModel, () => post(body)), 503, 'MODEL_UNRESOLVED')
  })

  it('refuses what every setting refuses', () =>
    expectSettingFaults(world, { market, path: 'rate-mode', body: { rateMode: 'CURVE' }, onRateModel: true }))
})
