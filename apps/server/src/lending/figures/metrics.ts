import { type DataOf, lendingOperations } from '@tallystick/wire'
import { zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'
import { onChainMarket, orNull, utilizationWad, wadAsBps } from '../market/index.rules.ts'
import { closedReason, exitHorizon, termReach } from '../rates/index.rules.ts'
import type { LoanBook } from '../rates/index.ts'
import type { MetricsState } from './metrics-state.ts'
import { curveRateWad, offeredRateWad, supplyRateWad } from './rates.rules.ts'

const FIXED = 2
const SHARE_DECIMALS = 18
/** Constants of every factory, in basis points. */
const shares = { operatorShare: '800', distributorShare: '500' } as const

/** How many auctions the venue ever held. Null: our record names another venue than the market does, so it was not asked. */
function totalAuctions({ parts, auctions }: MetricsState): string | null {
  const venue = parts.auctionModule.toLowerCase()
  if (venue === zeroAddress) return '0'
  return auctions?.venue === venue ? auctions.count.toString() : null
}

/** The figures of a market as the interface shows them. */
export function metricsOf(market: Market, state: MetricsState, book: LoanBook, chainTime: number) {
  const { pool, parts, config, term, offer } = state
  const shown = onChainMarket(market, state, chainTime)
  const asset = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
  const utilization = utilizationWad(pool)
  const terms = {
    ...state,
    reserveRatioBps: Number(state.reserveRatioBps),
    operator: parts.operator,
  }
  const closed = closedReason(terms, chainTime)
  return {
    isOnChain: true,
    paused: shown.paused,
    liquidationContract: market.router,
    priceSource: market.priceSource,
    totalDeposits: shown.totalDeposits,
    totalBorrows: shown.totalBorrows,
    availableLiquidity: shown.availableLiquidity,
    borrowableLiquidity: shown.borrowableLiquidity,
    utilizationRate: shown.utilizationRate,
    borrowRate: shown.borrowRate,
    curveBorrowRate: wadAsBps(curveRateWad(state.curve, utilization)),
    supplyRate: wadAsBps(supplyRateWad(offeredRateWad(offer, pool.borrowRateWad), utilization, config.protocolFeeBps)),
    totalShares: formatUnits(pool.totalShares, SHARE_DECIMALS),
    totalCollateral: shown.totalCollateral,
    activeLoans: shown.activeLoans,
    totalLoansCreated: pool.loanCounter.toString(),
    activeAuctions: pool.openAuctions.toString(),
    totalAuctions: totalAuctions(state),
    pendingLiquidations: (pool.openAuctions + state.onRouter).toString(),
    pendingLiquidationDebt: asset(pool.carriedClaims),
    auctionModule: shown.auctionModule,
    rateMode: shown.rateMode,
    rateFloor: shown.rateFloor,
    rateCap: shown.rateCap,
    maxFixedRate: shown.maxFixedRate,
    fixedStampRateBps: shown.fixedStampRate,
    stampsFixedRate: offer.mode === FIXED,
    termConfig: {
      maxLoanDuration: shown.maxLoanDuration,
      termGracePeriod: shown.termGracePeriod,
      terminalDueDate: String(term.terminalDueAt),
      marketDueFloor: String(term.dueFloor),
      termPenaltyBps: shown.termPenalty,
      allowExtension: shown.allowExtension,
      termStamping: termReach(terms).termStamping,
    },
    maxLoanDuration: term.maxLoanDuration === 0 ? null : shown.maxLoanDuration,
    termGracePeriod: term.gracePeriod === 0 ? null : shown.termGracePeriod,
    terminalDueDate: shown.terminalDueDate,
    marketDueFloor: shown.marketDueFloor,
    termPenalty: term.termPenaltyBps === 0 ? null : shown.termPenalty,
    allowExtension: shown.allowExtension,
    latestDueAt: term.latestDueAt === 0 ? null : term.latestDueAt,
    exitHorizon: exitHorizon({ activeLoans: pool.activeLoans, ...term }, book),
    newLoansClosed: closed !== null,
    newLoansClosedReason: closed,
    useVaultLiquidity: state.useVaultLiquidity,
    vaultOnlyLiquidity: true as const,
    reserveRatio: shown.reserveRatio,
    reserveRatioBps: shown.reserveRatio,
    feeShareGeneration: 'FIXED' as const,
    ...shares,
    operatorWallet: orNull(parts.operator),
    ...payable('operatorFeesPayable', pool.operatorFees, asset),
    ...payable('distributorFeesPayable', pool.distributorFees, asset),
    ...payable('protocolFeesPayable', pool.protocolFees, asset),
    ...payable('infrastructureFeesPayable', pool.infrastructureFees, asset),
  }
}

function payable<N extends string>(name: N, raw: bigint, asset: (raw: bigint) => string) {
  return { [name]: asset(raw), [`${name}Raw`]: raw.toString() } as Record<N | `${N}Raw`, string>
}

type Metrics = DataOf<typeof lendingOperations.getMetrics>

const everyField = Object.keys(lendingOperations.getMetrics.legs.read.data.properties)

/** The same fields of a market that could not be read: nothing is made up. */
export function unreadMetrics({ router, priceSource }: Market): Metrics {
  const nothing = Object.fromEntries(everyField.map((name) => [name, null])) as unknown as Metrics
  const constants = { vaultOnlyLiquidity: true, feeShareGeneration: 'FIXED', ...shares } as const
  return { ...nothing, ...constants, isOnChain: false, readFailed: true, liquidationContract: router, priceSource }
}
