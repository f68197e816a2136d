import { describe, expect, it } from 'vitest'
import { createWorld } from '../../test/world.ts'

describe('asking a node while a transaction is open', () => {
  it('is an error wherever the tests run the product', async () => {
    const world = await createWorld()
    const [chain] = world.chains.all
    const ask = async () => chain?.latest()
    await expect(ask()).resolves.toHaveProperty('number')
    await expect(world.database.as('tally_operator', ask)).rejects.toThrow(
      'while a transaction of the database is open',
    )
    await world.close()
  })
})
