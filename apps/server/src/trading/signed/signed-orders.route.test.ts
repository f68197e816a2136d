import { afterAll, beforeAll, describe } from 'vitest'
import { describeManyAtOnce } from '../../../test/trading/signed/many-at-once.suite.ts'
import { describeOwning } from '../../../test/trading/signed/owning.suite.ts'
import { describePreparing } from '../../../test/trading/signed/preparing.suite.ts'
import { describeRefusals } from '../../../test/trading/signed/refusals.suite.ts'
import { describeTrading } from '../../../test/trading/signed/trading.suite.ts'
import { createSigningWorld, type SigningWorld } from '../../../test/trading/signing-world.ts'

/** One world for all of them: contracts, books and traders cost more than what is tried with them. */
describe('signed orders', () => {
  let world: SigningWorld

  beforeAll(async () => {
    world = await createSigningWorld({ bookRequest: { allowImport: true } })
  })
  afterAll(() => world.close())

  describeTrading(() => world)
  describeRefusals(() => world)
  describePreparing(() => world)
  describe('of a wallet', () => describeOwning(() => world))
  describeManyAtOnce(() => world)
})
