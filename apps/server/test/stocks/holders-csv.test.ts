import { wallet } from '@tallystick/testkit'
import { zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCsv } from '../csv-reader.ts'
import { createStocksWorld, must, STOCKS, type StocksWorld } from './stocks-world.ts'

const investors = [3, 4, 5].map((index) => wallet(index).address.toLowerCase() as `0x${string}`)

describe('the holders of a stock token as CSV', () => {
  let world: StocksWorld
  beforeAll(async () => {
    world = await createStocksWorld()
    await world.verify(...investors)
  })
  afterAll(() => world.close())

  it('are the list of a block, the largest first, from any place on', async () => {
    const { token } = await world.deployStock({ decimals: 0 })
    for (const [index, investor] of investors.entries())
      await world.onToken(token, 'issue', [investor, BigInt(10 * (index + 1)), zeroHash])
    await world.follow()
    const path = `${STOCKS}/fetch/holders/${token}`
    const csv = async (query = '') =>
      readCsv(must(await world.issuer.call('GET', `${path}${query}`, { headers: { accept: 'text/csv' } })).text)
    const { holders, block } = must(await world.issuer.get(path)).body.data
    expect(holders).toHaveLength(3)
    expect(await csv()).toEqual(holders)
    expect(await csv('?offset=1&limit=1')).toEqual(holders.slice(1))
    expect(await csv(`?block=${BigInt(block) - 1n}`)).toHaveLength(2)
  })
})
