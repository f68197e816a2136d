import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, type Party } from './lending-world.ts'
import { cast } from './story-birth.ts'
import { expectAgreement, expectRealizations } from './story-checks.ts'
import { createSelling } from './story-sale.ts'
import { raiseMarket, type Stage } from './story-stage.ts'

const writes = [
  ['withdraw-collateral/1', { amount: '1' }],
  ['report-partial-sale/1', { collateralSold: '1', usdcProceeds: '1' }],
  ['settle/1', { usdcProceeds: '1' }],
  ['handle-timeout/1', {}],
  ['countersign/1', {}],
  ['close/1', {}],
  ['reopen/1', {}],
  ['liquidation/1/sell', {}],
] as const

/** Every router counts from 1, so a lender with two markets has two liquidations of the same number. */
describe('the story of two markets of one lender', () => {
  let world: LendingWorld
  let first: Stage
  let second: Stage

  beforeAll(async () => {
    world = await createLendingWorld()
    first = await raiseMarket(world)
    second = await raiseMarket(world, { cash: await world.createCash('EURX') })
  })
  afterAll(() => world.close())

  async function seize(stage: Stage, amount: number): Promise<void> {
    await stage.open('borrower', 1_000, amount)
    await stage.price(80)
    expect((await stage.liquidate(1)).data.liquidationId).toBe('1')
  }
  const write = (party: Party, path: string, body: Record<string, unknown>) => party.post(first.liquidation(path), body)

  it('needs no more than the number while only one of them has it', async () => {
    await seize(first, 70_000)
    const built = must(await write(world.lender, 'withdraw-collateral/1', { amount: '1' })).body.data
    expect([built.marketId, built.transaction.to]).toEqual([first.record, first.market.router])
  })

  it('asks which one is meant when both have it', async () => {
    await seize(second, 69_000)
    const candidates = [first, second].map(({ record, market, shadow }) => ({
      marketId: record,
      marketAddress: market.marketAddress,
      status: 'PENDING',
      collateralAmount: shadow.collateral(shadow.routed(1).collateralAmount),
    }))
    for (const [path, body] of writes) {
      const { status, body: answer } = await write(world.lender, path, body)
      expect([path, status, answer.error.code]).toEqual([path, 400, 'AMBIGUOUS_LIQUIDATION_ID'])
      expect(answer.error.candidates).toEqual(candidates)
    }
  })

  it('sells each on its own when it is told, and the other is not touched', async () => {
    const selling = createSelling(second)
    await selling.takeOut(1)
    await selling.settle(1, 36_000)
    for (const stage of [first, second]) {
      await expectAgreement(stage)
      await expectRealizations(stage)
    }
    expect([first, second].map(({ shadow }) => shadow.routed(1).isSettled)).toEqual([false, true])
    // Settled or not, it still has the number.
    expect((await write(world.lender, 'settle/1', { usdcProceeds: '1' })).body.error.code).toBe(
      'AMBIGUOUS_LIQUIDATION_ID',
    )
  })

  it('keeps loans of the same number apart too', async () => {
    const paths = [first, second].map((stage) => stage.position('loan/1'))
    const [one, other] = await Promise.all(paths.map((path) => first.read(path)))
    expect(one.data).toMatchObject(first.shadow.loan(1, one.metadata.chainTime))
    expect(other.data).toMatchObject(second.shadow.loan(1, other.metadata.chainTime))
    expect(one.data.principal).not.toBe(other.data.principal)
  })

  it('does not exist for anybody else: neither markets nor loans nor liquidations', async () => {
    const { record } = first
    const borrower = cast.borrower.address
    const reads = [
      first.position('loan/1'),
      first.position('positions'),
      first.position(`user-loans/${borrower}`),
      first.position(`user-collateral/${borrower}`),
      first.position('providers'),
      first.position(`provider-balance/${borrower}`),
      first.liquidation(`${record}/liquidatable-loans`),
      first.liquidation(`${record}/pending-liquidations`),
      first.liquidation(`${record}/settled-liquidations`),
      first.liquidation(`${record}/auctions`),
      first.liquidation(`${record}/atomic-sale`),
      first.liquidation(`router-stats?marketId=${record}`),
      first.ofMarket('metrics'),
    ]
    // The deployer has records of its own for the same two markets: the lender's are not his either.
    for (const party of [world.outsider, world.deployer]) {
      for (const path of reads)
        expect([path, (await party.get(path)).body.error?.code]).toEqual([path, 'MARKET_NOT_FOUND'])
      for (const [path, body] of writes) {
        const named = await write(party, path, { ...body, marketId: record })
        expect([path, named.status, named.body.error.code]).toEqual([path, 404, 'MARKET_NOT_FOUND'])
      }
    }
    for (const [path, body] of writes) {
      const unnamed = await write(world.outsider, path, body)
      expect([path, unnamed.status, unnamed.body.error.code]).toEqual([path, 404, 'LIQUIDATION_NOT_FOUND'])
    }
  })
})
