import type { LendingState } from '@tallystick/lending-model'
import { expect } from 'vitest'
import { units } from './lending-world.ts'
import { settledBetween } from './story-books.ts'
import type { Stage } from './story-stage.ts'

/** The lender sells what was seized, and the model says before and after who gets what. */
export function createSelling(stage: Stage) {
  const { shadow, act, record, liquidation } = stage
  const { lender } = stage.world
  const marketId = record
  const asset = (raw: bigint) => shadow.asset(raw)

  const realizationOf = (id: number) => Number(shadow.routed(id).realizationId)

  /** The whole cash goes somewhere, and where the model says. */
  function shown(before: LendingState, after: LendingState, id: number) {
    const { covered, shortfall, ...legs } = settledBetween(before, after, realizationOf(id))
    const money = Object.fromEntries(Object.entries(legs).map(([name, raw]) => [name, asset(raw)]))
    return { money, covered: asset(covered), shortfall: asset(shortfall) }
  }

  return {
    realizationOf,

    /** To the broker; everything that is left, unless told otherwise. */
    async takeOut(id: number, whole?: number) {
      const raw = whole === undefined ? shadow.routed(id).collateralRemaining : units(whole)
      const amount = shadow.collateral(raw)
      const path = liquidation(`withdraw-collateral/${id}`)
      const { at, data } = await act(lender, path, { amount, marketId })
      shadow.take('withdrawCollateralForSale', 'seller', { id: BigInt(id), amount: raw }, at)
      expect(data).toMatchObject({
        amount,
        collateralRemaining: shadow.collateral(shadow.routed(id).collateralRemaining),
      })
    },

    async report(id: number, collateralSold: string, whole: number) {
      await stage.giveCash(lender.wallet, whole)
      const body = { collateralSold, usdcProceeds: String(whole), marketId }
      const { at, data } = await act(lender, liquidation(`report-partial-sale/${id}`), body)
      shadow.take('reportPartialSale', 'seller', { id: BigInt(id), proceeds: units(whole, 6) }, at)
      expect(data).toMatchObject({ collateralSold, usdcProceeds: String(whole) })
    },

    async countersign(id: number) {
      const { at } = await act(lender, liquidation(`countersign/${id}`), { marketId })
      shadow.take('countersignSale', 'admin', { id: BigInt(realizationOf(id)) }, at)
    },

    /** Foretold at the block of the build, booked at the block of the transaction: both as the model books it at those seconds. */
    async settle(id: number, whole: number) {
      if (whole > 0) await stage.giveCash(lender.wallet, whole)
      const before = shadow.state
      const isLate = shadow.realization(realizationOf(id)).status !== 'OPEN'
      const args = { id: BigInt(id), finalProceeds: units(whole, 6) }
      const acted = await act(lender, liquidation(`settle/${id}`), { usdcProceeds: String(whole), marketId })
      const foretold = shown(before, shadow.imagine('settleLiquidation', 'seller', args, acted.foretoldAt), id)
      const { preview } = acted.built
      expect(preview).toMatchObject({ ...foretold.money, late: isLate })
      expect(preview.reserve?.covered ?? '0').toBe(foretold.covered)
      shadow.take('settleLiquidation', 'seller', args, acted.at)
      const booked = shown(before, shadow.state, id)
      const { cash, reserveReimbursed, penalty, debtApplied, writeOffRecovered, surplus } = booked.money
      const { settlement } = acted.data
      expect(settlement).toMatchObject({ proceedsReceived: cash, debtApplied, reserveReimbursed, late: isLate })
      if (!isLate) {
        expect(settlement).toMatchObject({ penalty, writeOffRecovered, shortfall: booked.shortfall })
        expect(preview.shortfall).toBe(foretold.shortfall)
      }
      expect(settlement.reserve?.covered ?? '0').toBe(booked.covered)
      const paid: { amount: string }[] = acted.data.surplus ?? []
      expect(paid.map(({ amount }) => amount)).toEqual(surplus === '0' ? [] : [surplus])
      return acted
    },

    /** A week after the seizure. */
    async writeOff(id: number) {
      const before = shadow.state
      const args = { id: BigInt(realizationOf(id)) }
      const acted = await act(lender, liquidation(`handle-timeout/${id}`), { marketId })
      const { money, covered } = shown(
        before,
        shadow.imagine('handleLiquidationTimeout', 'admin', args, acted.foretoldAt),
        id,
      )
      expect(acted.built.preview).toMatchObject({ claim: money.claim, cash: money.cash })
      expect(acted.built.preview.reserve.covered).toBe(covered)
      shadow.take('handleLiquidationTimeout', 'admin', args, acted.at)
      expect(acted.data.claim).toBe(money.claim)
      expect(acted.data.reserve.covered).toBe(shown(before, shadow.state, id).covered)
      return acted
    },

    async topUpFund(whole: number) {
      await stage.giveCash(lender.wallet, whole)
      const body = { amount: String(whole), fromAddress: lender.wallet.address }
      const { at } = await act(lender, stage.ofMarket('insurance/top-up'), body)
      shadow.take('topUpFund', 'lenderA', { amount: units(whole, 6) }, at)
    },
  }
}

export type Selling = ReturnType<typeof createSelling>
