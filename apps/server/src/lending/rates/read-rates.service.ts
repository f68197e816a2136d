import { rateModes } from '@tallystick/wire'
import { zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { ReadResult } from '../../platform/chain/contract-read.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import type { Market } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { exitHorizon } from './exit-horizon.rules.ts'
import { type LoanBook, readLoanBook } from './loan-book.store.ts'
import { rateModelReads } from './rate-model.reads.ts'
import { closedReason, hasTerms, termReach } from './term-config.rules.ts'
import { termFloorExposure } from './term-floor.rules.ts'
import { termReads, termState } from './terms.reads.ts'

const orNull = (value: number) => (value === 0 ? null : value)
const orUnread = <T>(result: ReadResult<T>): T | null => (result.ok ? result.value : null)
const noLoans: LoanBook = { open: 0, unbounded: 0, latestDueAt: null }

/** What a market offers now, and what that means for somebody who wants to get out. */
export function createReadRates({ chains }: LendingParts) {
  /** The record of the loans and the chain are asked at the same time. */
  async function readTerms({ tenant }: MarketCall, market: Market) {
    const [books, { block, results }] = await Promise.all([
      tenant.read((sql) => readLoanBook(sql, market.chainId, market.address)),
      chains.get(market.chainId).read(termReads(market)),
    ])
    const state = termState(results)
    if (!state) throw new AppError('MARKET_STATE_UNAVAILABLE')
    const { term, pool } = state
    const horizon = exitHorizon({ ...term, activeLoans: pool.activeLoans }, books[0] ?? noLoans)
    return { block, state, horizon }
  }

  return {
    async rateMode(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const { block, results } = await chains.get(market.chainId).read(rateModelReads(market))
      const [offer, ceiling, owner, pendingOwner, curve, term, , creatorCeiling] = results
      if (!offer.ok || !ceiling.ok) throw new AppError('MODEL_UNRESOLVED')
      const { mode, floorBps, capBps, fixedBps } = offer.value
      const pending = orUnread(pendingOwner)
      const shape = orUnread(curve)
      const data = {
        interestModelAddress: market.rateModel,
        rateMode: rateModes[mode] ?? 'CURVE',
        rateFloorBps: floorBps,
        rateCapBps: capBps,
        fixedStampRateBps: fixedBps,
        stampsFixedRate: fixedBps !== 0,
        maxFixedRateBps: orNull(Number(ceiling.value)),
        creatorRateCeilingBps: creatorCeiling.ok ? Number(creatorCeiling.value) : null,
        termsEnabled: term.ok ? term.value.maxLoanDuration !== 0 : null,
        modelOwner: owner.ok ? lowered(owner.value) : null,
        ...(pending && pending !== zeroAddress
          ? { handoverPending: true as const, pendingOwner: lowered(pending) }
          : {}),
        curve: shape && {
          baseRateBps: shape.baseBps,
          multiplierBps: shape.multiplierBps,
          jumpMultiplierBps: shape.jumpBps,
          kinkBps: shape.kinkBps,
        },
      }
      return { data, block }
    },

    async termConfig(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const { block, state, horizon } = await readTerms(call, market)
      const { term, pool, config } = state
      const reason = closedReason(state, block.time)
      const data = {
        ...termReach(state),
        termsEnabled: hasTerms(term),
        maxLoanDurationSeconds: term.maxLoanDuration,
        termGracePeriodSeconds: term.gracePeriod,
        terminalDueDate: orNull(term.terminalDueAt),
        marketDueFloor: orNull(term.dueFloor),
        termPenaltyBps: term.termPenaltyBps,
        allowExtension: term.isExtensionAllowed,
        latestDueAt: orNull(term.latestDueAt),
        bookEmpty: pool.activeLoans === 0n,
        exitHorizon: horizon,
        closedToNewLoans: reason !== null,
        closedReason: reason,
        termFloorExposure: hasTerms(term) ? termFloorExposure(config, term.termPenaltyBps) : null,
      }
      return { data, block }
    },

    async exitLiquidity(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const { block, state, horizon } = await readTerms(call, market)
      const { term, pool, reserveRatioBps } = state
      const asset = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
      const data = {
        reserveRatioBps,
        borrowableLiquidity: asset(pool.borrowable),
        availableLiquidity: asset(pool.cash),
        totalBorrowed: asset(pool.totalBorrowed),
        bookEmpty: pool.activeLoans === 0n,
        latestDueAt: orNull(term.latestDueAt),
        exitHorizon: horizon,
        disclosure: disclosure(horizon),
      }
      return { data, block }
    },
  }
}

function disclosure({ applies, bounded, horizon }: ReturnType<typeof exitHorizon>): string {
  const now =
    'Providers can take out the available liquidity now, first come, first served; the reserve is held back from borrowers only.'
  if (!applies) return `${now} Nothing is lent.`
  if (bounded === false) return `${now} The rest has no date: at least one open loan has no maturity.`
  if (horizon === null || bounded === null)
    return `${now} When the rest comes back is not known exactly: our record of the loans is behind the chain.`
  return `${now} The rest falls due by the horizon; after it come the grace period and, where a borrower does not pay, the realization of the collateral.`
}

export type ReadRates = ReturnType<typeof createReadRates>
