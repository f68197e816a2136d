import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal, expectSettingFaults } from '../../../test/lending/setting-faults.ts'

describe('lowering the ceiling for stamped rates', () => {
  let world: ProxiedWorld
  let market: LiveMarket
  beforeAll(async () => {
    world = await createProxiedWorld()
    market = await createMarketLife(world).adopted({ maxLoanDurationDays: 90, rateMode: 'FIXED', fixedRateBps: 700 })
  })
  afterAll(() => world.close())

  const post = (body: unknown) => world.deployer.post(`${V2}/markets/${market.marketId}/max-fixed-rate`, body)

  it('sets one where there was none, then only lower, never below the rate that loans are stamped with', async () => {
    const built = must(await post({ maxFixedRateBps: 900 }))
    expect(built.body.data).toMatchObject({
      functionName: 'setMaxFixedRate',
      requiredRole: 'INTEREST_MODEL_OWNER',
      simulation: { success: true },
    })
    const txHash = await world.sign(world.deployer.wallet, built)
    const { offering } = must(await post({ txHash })).body.data
    expect(offering).toMatchObject({ rateMode: 'FIXED', maxFixedRate: '900', maxLoanDuration: String(90 * 86_400) })
    expectRefusal(await post({ maxFixedRateBps: 900 }), 400, 'MAX_FIXED_RATE_ONLY_DECREASES')
    expectRefusal(await post({ maxFixedRateBps: 699 }), 409, 'MAX_FIXED_RATE_BELOW_STAMP')
    must(await post({ maxFixedRateBps: 700 }))
  })

  it('says so when the model does not answer', async () => {
    const answer = await world.withBroken(market.rateModel, () => post({ maxFixedRateBps: 800 }))
    expectRefusal(answer, 503, 'MODEL_UNRESOLVED')
  })

  it('refuses what every setting refuses', () =>
    expectSettingFaults(world, { market, path: 'max-fixed-rate', body: { maxFixedRateBps: 800 }, onRateModel: true }))
})
