import { type Operation, stocksOperations } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyLeg } from '../door-requests.ts'
import { createStocksWorld, must, type StocksWorld } from './stocks-world.ts'

const onTokens = Object.values<Operation>(stocksOperations)
  .filter(({ path }) => path.includes('{tokenAddress}'))
  .map((operation) => [operation.id, operation] as const)

/** What holds on every route that names a stock token, whatever it does with it. */
describe('every route of a stock token', () => {
  let world: StocksWorld
  let token: string
  beforeAll(async () => {
    world = await createStocksWorld()
    token = (await world.deployStock()).token
    // Imported like any other token: to have a token is not to have it on record.
    must(await world.outsider.post('/external-tokens/api/import', { tokenAddress: token, assetType: 'PUBLIC_EQUITY' }))
  })
  afterAll(() => world.close())

  it.each(onTokens)(
    '%s finds no token that is another’s or unknown, and says when an address is none',
    async (_id, operation) => {
      const ids = [token, token.toUpperCase().replace('0X', '0x'), `0x${'5'.repeat(40)}`]
      for (const id of ids)
        for (const [leg, { method, path, body }] of everyLeg(operation, { tokenAddress: encodeURIComponent(id) })) {
          const answer = await world.outsider.call(method, path, { body })
          expect([id, leg, answer.status, answer.body.error.code]).toEqual([id, leg, 404, 'TOKEN_NOT_FOUND'])
        }
      for (const id of ['NORD', '0x12', '0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266'])
        for (const [leg, { method, path, body }] of everyLeg(operation, { tokenAddress: id })) {
          const answer = await world.outsider.call(method, path, { body })
          expect([id, leg, answer.status, answer.body.error.code]).toEqual([id, leg, 400, 'VALIDATION_ERROR'])
          expect(answer.body.error.details[0].field).toBe('tokenAddress')
        }
    },
  )
})
