import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CutWorld, createCutWorld } from '../../../test/lending/cut-world.ts'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket } from '../../../test/lending/market-life.ts'

describe('figures on a chain that fails', () => {
  let world: CutWorld
  let market: LiveMarket

  beforeAll(async () => {
    world = await createCutWorld()
    market = await createMarketLife(world).adopted()
    await world.follow()
  })
  afterAll(() => world.close())

  const route = (name: string) => `${V2}/markets/${market.marketId}/${name}`

  it('cost one round trip each, and the ledger none', async () => {
    for (const [name, roundTrips] of [
      ['metrics', 1],
      ['max-borrow?collateralAmount=1', 1],
      ['supply-caps', 1],
      ['history', 1],
      ['index-status', 1],
      ['transactions', 0],
    ] as const) {
      world.counted.reset()
      must(await world.deployer.get(route(name)))
      expect([name, world.counted.counts.roundTrips]).toEqual([name, roundTrips])
    }
  })

  async function expectNoFigures() {
    const metrics = must(await world.deployer.get(route('metrics'))).body.data
    expect(metrics).toMatchObject({ isOnChain: false, readFailed: true, liquidationContract: market.router })
    for (const name of ['paused', 'totalDeposits', 'borrowRate', 'termConfig', 'exitHorizon', 'operatorFeesPayableRaw'])
      expect([name, metrics[name]]).toEqual([name, null])
    expect(must(await world.deployer.get(route('supply-caps'))).body.data).toEqual({
      maxTotalCollateral: null,
      maxUserCollateral: null,
      currentTotalCollateral: null,
      readFailed: true,
    })
    for (const name of ['max-borrow?collateralAmount=1', 'history']) {
      const answer = await world.deployer.get(route(name))
      expect([name, answer.status, answer.body.error?.code, answer.headers['retry-after']]).toEqual([
        name,
        503,
        'MARKET_STATE_UNAVAILABLE',
        '1',
      ])
    }
  }

  it('are null or refused, never made up', async () => {
    await world.cut.cut()
    try {
      await expectNoFigures()
      const index = must(await world.deployer.get(route('index-status'))).body.data
      expect(index).toMatchObject({ available: true, lagSeconds: null, stale: null, hasIndexingErrors: null })
      expect(Number(index.indexedBlock)).toBeGreaterThan(0)
      must(await world.deployer.get(route('transactions')))
    } finally {
      await world.cut.restore()
    }
  })

  it('are not made up either when the market does not answer as one', async () => {
    await world.node.testClient.setCode({ address: market.marketAddress, bytecode: '0x60006000fd' })
    await expectNoFigures()
  })
})
