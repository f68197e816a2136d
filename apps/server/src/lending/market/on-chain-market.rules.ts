import type { realizationModes } from '@tallystick/wire'
import { zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'
import type { MarketState } from './market-state.reads.ts'

const WAD = 10n ** 18n
const BPS = 10_000n
const rateModes = ['CURVE', 'CLAMPED', 'FIXED'] as const
const realizations: typeof realizationModes = ['UNDECLARED', 'EXCHANGE_SALE', 'ISSUER_REDEMPTION', 'AUCTION']

export const orNull = (address: string): string | null => (address === zeroAddress ? null : address.toLowerCase())
export const orNone = (value: bigint | number): string | null => (BigInt(value) === 0n ? null : value.toString())

/** A yearly rate in basis points with at most four decimals, rounded down. */
export const wadAsBps = (wad: bigint): string => formatUnits(wad / 10n ** 10n, 4)

/** What providers keep of a rate after infrastructure, operator and distributors, then insurance; scaled by 1e18. */
export function providersPartWad(protocolFeeBps: number): bigint {
  const afterShares = (((WAD * 8500n) / BPS) * 8700n) / BPS
  return (afterShares * (BPS - BigInt(protocolFeeBps))) / BPS
}

type Lent = Pick<MarketState['pool'], 'totalBorrowed' | 'totalLiquidity'>

export function utilizationWad({ totalBorrowed, totalLiquidity }: Lent): bigint {
  return totalLiquidity === 0n ? 0n : (totalBorrowed * WAD) / totalLiquidity
}

/** What the chain says of a market now, as the interface shows it. */
export function onChainMarket(market: Market, state: MarketState, chainTime: number) {
  const { deployment, pool, parts, config, term, offer } = state
  const asset = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
  const collateral = (raw: bigint) => formatUnits(raw, market.collateralDecimals)
  const utilization = utilizationWad(pool)
  const charged = offer.mode === 2 ? BigInt(offer.fixedBps) * 10n ** 14n : pool.borrowRateWad
  const supplyRate = (((charged * utilization) / WAD) * providersPartWad(config.protocolFeeBps)) / WAD
  const age = BigInt(chainTime) - state.updatedAt
  return {
    isOnChain: true as const,
    curator: orNull(deployment.curator),
    seekingCurator: deployment.curator === zeroAddress,
    curatorAcceptedAt: deployment.adoptedAt === 0 ? null : new Date(deployment.adoptedAt * 1000).toISOString(),
    realizationMode: realizations[deployment.realizationMode] ?? 'UNDECLARED',
    liquidityCommitment: deployment.liquidityCommitment.toString(),
    openToAnyCurator: deployment.isOpenToAnyCurator,
    saleRecipient: orNull(state.saleRecipient),
    collateralAgent: orNull(state.pledgee),
    operatorWallet: orNull(parts.operator),
    identityRegistryAddress: orNull(parts.borrowerRegistry),
    providerRegistryAddress: orNull(parts.providerRegistry),
    auctionModule: orNull(parts.auctionModule),
    paused: state.isPaused,
    collateralFactor: String(config.collateralFactorBps),
    liquidationThreshold: String(config.liquidationThresholdBps),
    liquidationBonus: String(config.liquidationPenaltyBps),
    closeFactor: String(config.closeFactorBps),
    protocolFeeRate: String(config.protocolFeeBps),
    maxTotalCollateral: collateral(config.maxTotalCollateral),
    maxUserCollateral: collateral(config.maxUserCollateral),
    minBorrowAmount: asset(config.minBorrowAmount),
    useDutchAuction: config.useDutchAuction,
    totalDeposits: asset(pool.totalLiquidity),
    totalBorrows: asset(pool.totalBorrowed),
    availableLiquidity: asset(pool.cash),
    borrowableLiquidity: asset(pool.borrowable),
    totalCollateral: collateral(pool.totalCollateral),
    utilizationRate: wadAsBps(utilization),
    borrowRate: offer.mode === 2 ? String(offer.fixedBps) : wadAsBps(pool.borrowRateWad),
    supplyRate: wadAsBps(supplyRate),
    activeLoans: pool.activeLoans.toString(),
    rateMode: rateModes[offer.mode] ?? 'CURVE',
    rateFloor: String(offer.floorBps),
    rateCap: String(offer.capBps),
    fixedStampRate: String(offer.fixedBps),
    maxFixedRate: orNone(state.maxFixedRateBps),
    operatorShare: '800',
    reserveRatio: state.reserveRatioBps.toString(),
    maxLoanDuration: String(term.maxLoanDuration),
    termGracePeriod: String(term.gracePeriod),
    terminalDueDate: orNone(term.terminalDueAt),
    termPenalty: String(term.termPenaltyBps),
    marketDueFloor: orNone(term.dueFloor),
    allowExtension: term.isExtensionAllowed,
    price: asset(state.price),
    priceRaw: state.price.toString(),
    isStale: age > state.maxPriceAge,
    priceAge: (age > 0n ? age : 0n).toString(),
    maxPriceAge: state.maxPriceAge.toString(),
    oracleLastUpdate: new Date(Number(state.updatedAt) * 1000).toISOString(),
  }
}
