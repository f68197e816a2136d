import { afterAll, beforeAll, describe } from 'vitest'
import { describeChanging } from '../../../test/trading/custody/changing.suite.ts'
import { describeCreating } from '../../../test/trading/custody/creating.suite.ts'
import { describeCustody } from '../../../test/trading/custody/reading.suite.ts'
import { createOnchainWorld, type OnchainWorld } from '../../../test/trading/onchain-world.ts'

/** One world for all of them, in this order: what is created and changed would be read otherwise. */
describe('books that settle on chain', () => {
  let world: OnchainWorld

  beforeAll(async () => {
    world = await createOnchainWorld()
  })
  afterAll(() => world.close())

  describeCustody(() => world)
  describeCreating(() => world)
  describeChanging(() => world)
})
