import { wallet } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import { createFeesLife } from '../../../test/lending/fees-life.ts'
import { createLendingWorld, must, units, V2 } from '../../../test/lending/lending-world.ts'
import { describeRandomCashflows, legNames } from '../../../test/lending/random-cashflows.ts'
import { abis } from '../contracts.ts'

const DAY = 86_400

// Other lives are lived by the slow suite.
describeRandomCashflows(1)

describe('interest that arrives while nobody holds shares', () => {
  it('gives the operator the part of the distributors, in the market and in the loan', async () => {
    const world = await createLendingWorld()
    const life = createFeesLife(world)
    const market = await life.earning({}, 50_000)
    const operator = world.deployer.wallet.address
    const loanId = await life.openLoan(market, wallet(3), { collateral: 200, amount: 10_000 })
    await life.travelFresh(market, 365 * DAY)
    await life.priceTo(market, units(25, 6))
    const { liquidationId, realizationId } = await life.liquidate(market, loanId)
    await life.travelFresh(market, 8 * DAY)
    await life.amply(market.marketAddress, abis.market, 'handleLiquidationTimeout', [realizationId])
    const shares = await life.read<bigint>(market.marketAddress, abis.market, 'sharesOf', [operator])
    await life.call(market.marketAddress, abis.market, 'removeLiquidity', [shares])
    const { claim } = await life.read<{ claim: bigint }>(market.marketAddress, abis.market, 'realization', [
      realizationId,
    ])
    await life.settle(market, liquidationId, claim)
    await world.follow()

    const path = `${V2}/markets/${market.marketId}/cashflows`
    const ofMarket = must(await world.deployer.get(path)).body.data
    const ofLoan = must(await world.deployer.get(`${path}?loanId=${loanId}`)).body.data
    expect(ofMarket.legs.distributors.accrued.raw).toBe('0')
    expect(BigInt(ofMarket.legs.operator.fromUnallocatedDistributorLeg.raw)).toBeGreaterThan(0n)
    for (const leg of legNames) expect([leg, ofMarket.reconciliation[leg].balanced]).toEqual([leg, true])
    expect(ofLoan.legs.operator.accrued).toEqual(ofMarket.legs.operator.accrued)
    expect(ofLoan.loan).toMatchObject({ status: 'CLOSED', balanced: true, interestRepaid: { raw: '0' } })
    await world.close()
  })
})
