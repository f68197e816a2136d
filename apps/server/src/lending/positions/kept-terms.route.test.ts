import { wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units, V2 } from '../../../test/lending/lending-world.ts'
import { createLoansLife, type LoansLife } from '../../../test/lending/loans-life.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'

const V1 = '/lending-external-securities/api'
const borrower = wallet(3)

/** What the issuer may do to a market, and what of it reaches loans that are open. */
describe('threshold and penalty of an open loan', () => {
  let world: ProxiedWorld
  let life: LoansLife
  let market: LiveMarket
  let loanId: string

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createLoansLife(world)
    market = await life.earning({}, 50_000)
    ;({ loanId } = await life.opened(market, borrower, 100, 5_000))
  })
  afterAll(() => world.close())

  const loanOf = async (id = loanId) => {
    const path = `${V1}/positions/${market.marketId}/loan/${id}`
    const { liquidationThresholdBps, liquidationPenaltyBps, healthFactor } = must(await world.deployer.get(path)).body
      .data
    return { terms: [liquidationThresholdBps, liquidationPenaltyBps], health: Number(healthFactor) }
  }
  /** By the issuer, over HTTP, as far as one call may go. */
  async function setConfig(request: Record<string, unknown>) {
    const path = `${V2}/markets/${market.marketId}/config`
    const config = { ...must(await world.deployer.get(path)).body.data, ...request }
    const txHash = await world.sign(world.deployer.wallet, await world.deployer.post(path, { config }))
    must(await world.deployer.post(path, { txHash }))
  }

  it('are shown as they were at its opening', async () => {
    const { terms, health } = await loanOf()
    expect(terms).toEqual([8_500, 500])
    expect(health).toBeCloseTo(1.7, 2)
  })

  it('stay when the market gets stricter, however often, and later loans have what the market says', async () => {
    await setConfig({ collateralFactor: '5000', liquidationThreshold: '7500', liquidationPenalty: '1500' })
    await setConfig({ liquidationThreshold: '6500', liquidationPenalty: '2500' })
    const { terms, health } = await loanOf()
    expect(terms).toEqual([8_500, 500])
    expect(health).toBeCloseTo(1.7, 2)
    const later = await life.opened(market, borrower, 100, 1_000)
    expect((await loanOf(later.loanId)).terms).toEqual([6_500, 2_500])
  })

  it('do not make it ripe for realization at a price at which the market would', async () => {
    // Worth 6,000: healthy at 85 %, not at 65 %.
    await life.priceTo(market, units(60, 6))
    const { health } = await loanOf()
    expect(health).toBeGreaterThan(1)
    const path = `${V1}/liquidations/${market.marketId}/liquidate/${loanId}`
    const { status, body } = await world.deployer.post(path, {})
    expect([status, body.error.code]).toEqual([400, 'LOAN_NOT_LIQUIDATABLE'])
    expect(Number(body.error.loan.healthFactor)).toBeCloseTo(health, 3)
    await life.priceTo(market, units(100, 6))
  })

  it('become what the market says when the borrower draws more', async () => {
    const draw = { loanId: Number(loanId), amount: '1' }
    const drawn = await life.opened(market, borrower, 200, 1_000)
    await setConfig({ liquidationThreshold: '6000', liquidationPenalty: '2600' })
    expect((await loanOf(drawn.loanId)).terms).toEqual([6_500, 2_500])
    const built = await life.build('borrow-more', market, { ...draw, loanId: Number(drawn.loanId) })
    await world.sendRaw(borrower, built.transaction)
    expect((await loanOf(drawn.loanId)).terms).toEqual([6_000, 2_600])
    expect((await loanOf()).terms).toEqual([8_500, 500])
  })

  it('get better with the market', async () => {
    await setConfig({ liquidationThreshold: '7000', liquidationPenalty: '1600' })
    await setConfig({ liquidationThreshold: '8000', liquidationPenalty: '600' })
    await setConfig({ liquidationThreshold: '8700', liquidationPenalty: '400' })
    expect((await loanOf()).terms).toEqual([8_700, 400])
  })
})
