import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectSettingFaults } from '../../../test/lending/setting-faults.ts'

describe('setting the extension switch', () => {
  let world: ProxiedWorld
  let market: LiveMarket
  beforeAll(async () => {
    world = await createProxiedWorld()
    market = await createMarketLife(world).adopted()
  })
  afterAll(() => world.close())

  const post = (body: unknown) => world.deployer.post(`${V2}/markets/${market.marketId}/allow-extension`, body)

  it('turns it off and on again', async () => {
    for (const allowed of [false, true]) {
      const built = must(await post({ allowed }))
      expect(built.body.data).toMatchObject({
        functionName: 'setAllowExtension',
        requiredRole: 'DEFAULT_ADMIN_ROLE',
        heldByThisInstance: true,
        simulation: { success: true },
      })
      const txHash = await world.sign(world.deployer.wallet, built)
      const { data } = must(await post({ txHash })).body
      expect(data).toMatchObject({ functionName: 'setAllowExtension', offering: { allowExtension: allowed } })
    }
  })

  it('refuses what every setting refuses', () =>
    expectSettingFaults(world, { market, path: 'allow-extension', body: { allowed: true } }))
})
