import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal } from '../../../test/lending/setting-faults.ts'
import { abis } from '../contracts.ts'

describe('reading the rate mode', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let market: LiveMarket
  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    market = await life.adopted({ maxLoanDurationDays: 90, rateMode: 'FIXED', fixedRateBps: 700 })
  })
  afterAll(() => world.close())

  const get = (marketId = market.marketId) => world.deployer.get(`${V2}/markets/${marketId}/rate-mode`)

  it('tells mode, ceilings, owner and curve in one round trip', async () => {
    const { body } = must(await get())
    const owner = world.deployer.wallet.address.toLowerCase()
    expect(body.data).toEqual({
      interestModelAddress: market.rateModel,
      rateMode: 'FIXED',
      rateFloorBps: 0,
      rateCapBps: 0,
      fixedStampRateBps: 700,
      stampsFixedRate: true,
      maxFixedRateBps: null,
      creatorRateCeilingBps: expect.any(Number),
      termsEnabled: true,
      modelOwner: owner,
      curve: { baseRateBps: 200, multiplierBps: 1000, jumpMultiplierBps: 10_000, kinkBps: 8000 },
    })
    expect(body.metadata.blockNumber).toBeDefined()
    expect(await world.roundTrips(get)).toBe(1)
  })

  it('shows a handover that waits for its acceptance', async () => {
    const next = world.lender.wallet.address
    await life.call(market.rateModel, abis.rateModel, 'transferOwnership', [next])
    expect(must(await get()).body.data).toMatchObject({ handoverPending: true, pendingOwner: next.toLowerCase() })
  })

  it('answers for a market without a lender of record, whose model still belongs to the market', async () => {
    const pending = await world.deployMarket({ borrowAssetAddress: await world.createCash('PEND') })
    const { data } = must(await get(pending.marketId)).body
    expect(data).toMatchObject({ rateMode: 'CURVE', modelOwner: pending.marketAddress, termsEnabled: false })
  })

  it('never shows a model that it could not read, and shows nulls for what else failed', async () => {
    expectRefusal(await world.withBroken(market.rateModel, get), 503, 'MODEL_UNRESOLVED')
    expectRefusal(await world.withoutNode(get), 503, 'MODEL_UNRESOLVED')
    const { data } = must(await world.withBroken(world.suite.factory, get)).body
    expect(data).toMatchObject({ rateMode: 'FIXED', creatorRateCeilingBps: null })
  })
})
