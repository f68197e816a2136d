import { operations } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyLeg } from '../door-requests.ts'
import { createLendingWorld, type LendingWorld, must, type Party, V2 } from './lending-world.ts'

const onMarkets = operations
  .filter(({ path }) => path.includes('{marketId}'))
  .map((operation) => [operation.id, operation] as const)

/** What holds on every route that takes the id of a market, whatever it does with it. */
describe('every route of a market', () => {
  let world: LendingWorld
  let marketId: string
  let marketAddress: string
  let draftId: string

  beforeAll(async () => {
    world = await createLendingWorld()
    const deployed = await world.deployMarket()
    marketId = deployed.marketId
    marketAddress = deployed.marketAddress
    const built = must(await world.deployer.post(`${V2}/markets/deploy`, world.deployBody({ mode: 'CUSTODY' })))
    draftId = built.body.data.marketId
  })
  afterAll(() => world.close())

  async function answers(party: Party, operation: (typeof onMarkets)[number][1], id: string) {
    const found: [leg: string, status: number, code: string][] = []
    for (const [leg, { method, path, body }] of everyLeg(operation, { marketId: id })) {
      const answer = await party.call(method, path, { body })
      found.push([leg, answer.status, answer.body?.error?.code])
    }
    return found
  }

  it.each(onMarkets)(
    '%s finds no market that is unknown, of another form, or named by its address',
    async (_id, operation) => {
      for (const id of ['01890000-0000-7000-8000-00000000000b', 'no-such-market', marketAddress, "'; drop table"]) {
        const legs = await answers(world.deployer, operation, encodeURIComponent(id))
        for (const [leg, status, code] of legs)
          expect([id, leg, status, code]).toEqual([id, leg, 404, 'MARKET_NOT_FOUND'])
      }
    },
  )

  it.each(onMarkets)('%s finds no market of another instance, deployed or not', async (_id, operation) => {
    for (const id of [marketId, draftId])
      for (const [leg, status, code] of await answers(world.outsider, operation, id))
        expect([leg, status, code]).toEqual([leg, 404, 'MARKET_NOT_FOUND'])
  })

  it.each(onMarkets)('%s says when the id is too long to be one', async (_id, operation) => {
    for (const [leg, status, code] of await answers(world.deployer, operation, 'a'.repeat(101)))
      expect([leg, status, code]).toEqual([leg, 400, 'MISSING_MARKET_ID'])
    for (const [leg, status] of await answers(world.deployer, operation, 'a'.repeat(100)))
      expect([leg, status]).toEqual([leg, 404])
  })

  const needDeployment = onMarkets.filter(([, { legs }]) =>
    Object.values(legs).some(({ errors }) => 'NO_MARKET_ADDRESS' in errors),
  )
  it.each(needDeployment)('%s says when the market is not on chain yet', async (_id, operation) => {
    for (const [leg, status, code] of await answers(world.deployer, operation, draftId))
      expect([leg, status, code]).toEqual([leg, 400, 'NO_MARKET_ADDRESS'])
  })

  it.each(onMarkets)('%s is served under every lending prefix', async (_id, operation) => {
    for (const prefix of ['/lending-external-securities/api', '/lending-stocks/api']) {
      const [first] = everyLeg(operation, { marketId })
      if (!first) throw new Error('an operation without legs')
      const path = first[1].path.replace(/^\/lending-[^/]+\/api/, prefix)
      const answer = await world.outsider.call(operation.method, path, { body: first[1].body })
      expect([prefix, answer.body?.error?.code]).toEqual([prefix, 'MARKET_NOT_FOUND'])
    }
  })
})
