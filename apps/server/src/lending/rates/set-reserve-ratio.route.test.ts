import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal, expectSettingFaults } from '../../../test/lending/setting-faults.ts'

describe('setting the reserve ratio', () => {
  let world: ProxiedWorld
  let market: LiveMarket
  beforeAll(async () => {
    world = await createProxiedWorld()
    market = await createMarketLife(world).adopted()
  })
  afterAll(() => world.close())

  const post = (body: unknown) => world.deployer.post(`${V2}/markets/${market.marketId}/reserve-ratio`, body)

  it('builds for the issuer, confirms, and shows the new ratio', async () => {
    const built = must(await post({ reserveRatioBps: 500 }))
    expect(built.body.data).toMatchObject({
      functionName: 'setReserveRatio',
      requiredRole: 'ISSUER_ROLE',
      heldByThisInstance: true,
      simulation: { success: true },
    })
    const txHash = await world.sign(world.deployer.wallet, built)
    expect(must(await post({ txHash })).body.data.offering.reserveRatio).toBe('500')
    await world.follow()
    const [fact] = await world.superuser`select effect from chain_facts where operation = 'market.ReserveRatioUpdated'`
    expect(fact?.effect).toEqual({ reserveRatioBps: '500' })
  })

  it('refuses more than half of the pool', async () => {
    expectRefusal(await post({ reserveRatioBps: 5001 }), 400, 'VALIDATION_ERROR')
    must(await post({ reserveRatioBps: 0 }))
  })

  it('refuses what every setting refuses', () =>
    expectSettingFaults(world, { market, path: 'reserve-ratio', body: { reserveRatioBps: 100 } }))
})
