import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'

describe('deploying a market', () => {
  let world: LendingWorld
  beforeAll(async () => {
    world = await createLendingWorld()
  })
  afterAll(() => world.close())

  it('builds one transaction that simulates well, and records what it deployed', async () => {
    const built = must(await world.deployer.post(`${V2}/markets/deploy`, world.deployBody()))
    expect(built.body.data).toMatchObject({
      action: 'SIGN_TRANSACTION',
      functionName: 'deployMarket',
      simulation: { simulated: true, success: true },
    })
    const txHash = await world.sign(world.deployer.wallet, built)
    const confirm = { collateralTokenAddress: world.security.token, txHash }
    const { market, assetData } = must(await world.deployer.post(`${V2}/markets/deploy`, confirm)).body.data
    expect(market.id).toBe(built.body.data.marketId)
    expect(assetData.contentHash).toBe(built.body.data.assetData.contentHash)
    const again = must(await world.deployer.post(`${V2}/markets/deploy`, confirm))
    expect(again.body.data.market).toEqual(market)
    const got = must(await world.deployer.get(`${V2}/markets/${market.id}`)).body.data
    expect(got.onChain).toMatchObject({ isOnChain: true, seekingCurator: true, price: '100', borrowRate: '200' })
    expect(must(await world.deployer.get(`${V2}/markets?includeOnChain=true`)).body.data.markets).toHaveLength(1)
    expect((await world.outsider.get(`${V2}/markets/${market.id}`)).body.error.code).toBe('MARKET_NOT_FOUND')
    await world.follow()
  })
})
