import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CutWorld, createCutWorld } from '../../../test/lending/cut-world.ts'
import { V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket } from '../../../test/lending/market-life.ts'
import { setupBodies } from '../../../test/lending/requests/setup.ts'

describe('setting up a market on a chain that cannot be reached', () => {
  let world: CutWorld
  let market: LiveMarket

  beforeAll(async () => {
    world = await createCutWorld()
    market = await createMarketLife(world).adopted()
    await world.cut.cut()
  })
  afterAll(() => world.close())

  const txHash = `0x${'7'.repeat(64)}`

  it.each([
    ['GET', 'setup-steps', undefined],
    ['GET', 'configuration-status', undefined],
    ['GET', 'config', undefined],
    ['POST', 'config', setupBodies.setConfig],
    ['POST', 'configure', {}],
    ['POST', 'pause', {}],
    ['POST', 'unpause', {}],
    ['POST', 'auction-module', {}],
    ['POST', 'auction-module', { moduleAddress: `0x${'5'.repeat(40)}` }],
  ] as const)('%s %s says that the market could not be read', async (method, path, body) => {
    const answer = await world.deployer.call(method, `${V2}/markets/${market.marketId}/${path}`, { body })
    const { status, headers } = answer
    expect([status, answer.body.error.code, headers['retry-after']]).toEqual([503, 'MARKET_STATE_UNAVAILABLE', '1'])
  })

  it.each(['config', 'confirm-configuration', 'pause', 'unpause', 'auction-module'])(
    'a confirmation on %s says that the chain could not be read',
    async (path) => {
      const answer = await world.deployer.post(`${V2}/markets/${market.marketId}/${path}`, { txHash })
      expect([answer.status, answer.body.error.code]).toEqual([503, 'CHAIN_UNAVAILABLE'])
    },
  )
})
