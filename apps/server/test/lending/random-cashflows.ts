import { seededRandom, wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { abis } from '../../src/lending/contracts.ts'
import { createFeesLife, type FeesLife } from './fees-life.ts'
import { createLendingWorld, type LendingWorld, must, units, V2 } from './lending-world.ts'
import type { LiveMarket } from './market-life.ts'

const DAY = 86_400
const CLOSED = 3
export const legNames = ['infrastructure', 'operator', 'distributors', 'insuranceFund'] as const

/** Random lives of markets: whatever happens, the events and the books of the chain say the same, to the unit. */
export const describeRandomCashflows = (seed: number) =>
  describe(`the cash flows of a market that lives at random (seed ${seed})`, () => {
    let world: LendingWorld
    let life: FeesLife
    let market: LiveMarket
    const random = seededRandom(seed)
    const open = new Set<bigint>()
    const all: bigint[] = []

    beforeAll(async () => {
      world = await createLendingWorld()
      life = createFeesLife(world)
      await life.flatFees(3_333_333n, 1_777_777n)
      market = await life.earning({}, 50_000)
      await life.insuranceRate(market, 777)
      await life.topUp(market, 400)
      await life.connectedVault(market, 60_000, 60_000)
    })
    afterAll(() => world.close())

    async function borrow() {
      const amount = random.integer(1_000, 9_000)
      const loanId = await life.openLoan(market, wallet(random.pick([3, 4])), { collateral: amount / 50, amount })
      open.add(loanId)
      all.push(loanId)
    }

    async function repay() {
      if (open.size === 0) return borrow()
      const loanId = random.pick([...open])
      await life.repay(market, wallet(3), loanId, random.chance(0.4) ? 50_000 : random.integer(1, 900))
      await forgetIfClosed(loanId)
    }

    async function forgetIfClosed(loanId: bigint) {
      const { status } = await life.read<{ status: number }>(market.marketAddress, abis.market, 'loan', [loanId])
      if (status === CLOSED) open.delete(loanId)
    }

    /** The price falls, what is unhealthy is realized and sold well, badly or too late, and the price recovers. */
    async function crash() {
      await life.priceTo(market, units(random.pick([53, 53, 30]), 6))
      for (const loanId of [...open]) {
        const health = await life.read<bigint>(market.marketAddress, abis.market, 'healthFactor', [loanId])
        if (health >= 10n ** 18n) continue
        const { liquidationId, realizationId } = await life.liquidate(market, loanId)
        const { claim } = await life.read<{ claim: bigint }>(market.marketAddress, abis.market, 'realization', [
          realizationId,
        ])
        if (random.chance(0.25)) {
          await life.travelFresh(market, 8 * DAY)
          await life.amply(market.marketAddress, abis.market, 'handleLiquidationTimeout', [realizationId])
        }
        await life.settle(market, liquidationId, (claim * BigInt(random.pick([40, 96, 100, 104, 130, 170]))) / 100n)
        await forgetIfClosed(loanId)
      }
      await life.priceTo(market, units(100, 6))
    }

    async function sweep() {
      const functionName = random.pick(['sweepInfrastructureFees', 'sweepOperatorFees', 'sweepProtocolFees'] as const)
      const pool = await life.read<Record<string, bigint>>(market.marketAddress, abis.market, 'pool')
      const booked = {
        sweepInfrastructureFees: pool.infrastructureFees,
        sweepOperatorFees: pool.operatorFees,
        sweepProtocolFees: pool.protocolFees,
      }
      if (booked[functionName]) await life.call(market.marketAddress, abis.market, functionName, [])
      const operator = world.deployer.wallet.address
      const owed = await life.read<bigint>(market.marketAddress, abis.market, 'distributorFeesPayable', [operator])
      if (owed > 0n) await life.call(market.marketAddress, abis.market, 'sweepDistributorFees', [operator])
    }

    const cashflows = async (query = '') =>
      must(await world.deployer.get(`${V2}/markets/${market.marketId}/cashflows${query}`)).body.data

    it('add up: legs to interest collected, events to the books, loans to the market', async () => {
      for (let step = 0; step < 22; step++) {
        await life.travelFresh(market, random.integer(1, 60) * DAY)
        await random.pick([borrow, borrow, repay, repay, repay, crash, sweep])()
      }
      await crash()
      await world.follow()

      const data = await cashflows()
      for (const leg of legNames) expect([leg, data.reconciliation[leg].balanced]).toEqual([leg, true])
      expect(data.history).toMatchObject({ complete: true, source: 'MARKET_EVENTS' })
      const { legs, totals } = data
      const raw = (amount: { raw: string }) => BigInt(amount.raw)
      const ofInterest =
        raw(legs.infrastructure.fromInterest) +
        raw(legs.operator.fromInterest) +
        raw(legs.distributors.fromInterest) +
        raw(legs.insuranceFund.fromInterest) +
        raw(legs.liquidityProviders.creditedFromSplits)
      expect(ofInterest).toBe(raw(totals.interestCollected))
      expect(ofInterest).toBe(
        raw(legs.liquidityProviders.interestRepaid) + raw(legs.liquidityProviders.interestRecovered),
      )
      expect(legs.liquidityProviders.unitemisedSplits).toBe(0)
      expect(totals.realizationSplits).toBeGreaterThan(0)
      const ofFees =
        raw(legs.infrastructure.fromTransactionFees) +
        raw(legs.operator.fromTransactionFees) +
        raw(legs.distributors.fromTransactionFees)
      expect(ofFees).toBe(raw(totals.transactionFees))
      expect(ofFees).toBeGreaterThan(0n)

      const ofLoans = await Promise.all(all.map((loanId) => cashflows(`?loanId=${loanId}`)))
      expect(ofLoans.map(({ loan }) => loan.balanced)).not.toContain(false)
      expect(ofLoans.map(({ loan }) => loan.balanced)).toContain(true)
      const sum = (pick: (one: typeof data) => { raw: string }) => ofLoans.reduce((so, one) => so + raw(pick(one)), 0n)
      for (const leg of legNames)
        expect([leg, sum((one) => one.legs[leg].accrued)]).toEqual([leg, raw(legs[leg].accrued)])
      expect(sum((one) => one.totals.interestCollected)).toBe(raw(totals.interestCollected))
      expect(sum((one) => one.totals.transactionFees)).toBe(raw(totals.transactionFees))
      expect(sum((one) => one.legs.liquidityProviders.creditedFromSplits)).toBe(
        raw(legs.liquidityProviders.creditedFromSplits),
      )
    })
  })
