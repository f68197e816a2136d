import { wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCsv } from '../csv-reader.ts'
import { createLendingWorld, type LendingWorld, must, V2 } from './lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from './market-life.ts'
import { V1 } from './positions-life.ts'

describe('a market as CSV', () => {
  let world: LendingWorld
  let life: MarketLife
  let market: LiveMarket
  const borrower = wallet(4)

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    market = await life.adopted()
    await life.admit(market, [borrower.address, world.deployer.wallet.address])
    await life.fund(market, 200_000)
    for (let count = 0; count < 3; count += 1) await life.openLoan(market, borrower, { collateral: 100, amount: 5000 })
    await life.travel(30 * 86_400)
    await life.repay(market, wallet(3), 1n, 1000)
    await world.follow()
  })
  afterAll(() => world.close())

  async function both(path: string) {
    const json = must(await world.deployer.get(path)).body.data
    const { text, headers } = must(await world.deployer.call('GET', path, { headers: { accept: 'text/csv' } }))
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    return { json, rows: readCsv(text) }
  }

  it('has a row for every loan, with the fields of the list', async () => {
    const { json, rows } = await both(`${V1}/positions/${market.marketId}/positions`)
    expect(rows).toHaveLength(3)
    const cell = (value: unknown) =>
      value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
    const { transactions: _, ...first } = json.positions[0]
    // What accrues by the second may have moved between the two answers.
    const moving = ['interestAccrued', 'healthFactor', 'lastUpdated']
    for (const [name, value] of Object.entries(first))
      if (!moving.includes(name)) expect([name, rows[0]?.[name]]).toEqual([name, cell(value)])
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(Object.keys(first).sort())
    const closed = await both(`${V1}/positions/${market.marketId}/positions?status=REPAID`)
    expect(closed.rows).toEqual([])
  })

  it('has a row for every leg of its cash flows', async () => {
    const { json, rows } = await both(`${V2}/markets/${market.marketId}/cashflows`)
    expect(rows.map(({ leg }) => leg)).toEqual(Object.keys(json.legs))
    const { infrastructure, liquidityProviders } = json.legs
    expect(Number(infrastructure.accrued.value)).toBeGreaterThan(0)
    expect(rows[0]).toMatchObject({
      leg: 'infrastructure',
      recipient: infrastructure.recipient,
      accrued: infrastructure.accrued.value,
      pending: infrastructure.pending.value,
      interestRepaid: '',
    })
    expect(rows.at(-1)).toMatchObject({
      leg: 'liquidityProviders',
      recipient: '',
      interestRepaid: liquidityProviders.interestRepaid.value,
    })
  })
})
