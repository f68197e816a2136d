import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { formatUnits, parseUnits } from '../../platform/amounts.rules.ts'
import { LARGEST_BOOKED, type Market } from '../core/index.rules.ts'

export type ConfigBody = NonNullable<BodyOf<typeof lendingOperations.setConfig>['config']>

/** The configuration as the contract holds it. */
export interface MarketConfig {
  readonly collateralFactorBps: number
  readonly liquidationThresholdBps: number
  readonly liquidationPenaltyBps: number
  readonly protocolFeeBps: number
  readonly closeFactorBps: number
  readonly useDutchAuction: boolean
  readonly auctionDuration: number
  readonly auctionStartBps: number
  readonly auctionMinBps: number
  readonly minBorrowAmount: bigint
  readonly maxTotalCollateral: bigint
  readonly maxUserCollateral: bigint
}

type Decimals = Pick<Market, 'borrowDecimals' | 'collateralDecimals'>

export interface ConfigFault {
  readonly field: string
  readonly message: string
}

/** The same, as the interface shows it. */
export function shownConfig(config: MarketConfig, { borrowDecimals, collateralDecimals }: Decimals) {
  return {
    collateralFactor: String(config.collateralFactorBps),
    liquidationThreshold: String(config.liquidationThresholdBps),
    liquidationPenalty: String(config.liquidationPenaltyBps),
    protocolFeeRate: String(config.protocolFeeBps),
    minBorrowAmount: formatUnits(config.minBorrowAmount, borrowDecimals),
    closeFactor: String(config.closeFactorBps),
    maxTotalCollateral: formatUnits(config.maxTotalCollateral, collateralDecimals),
    maxUserCollateral: formatUnits(config.maxUserCollateral, collateralDecimals),
    useDutchAuction: config.useDutchAuction,
    auctionDuration: String(config.auctionDuration),
    auctionStartPremium: String(config.auctionStartBps),
    auctionMinPremium: String(config.auctionMinBps),
  }
}

/** Reads what was sent; amounts that the tokens cannot express are faults. */
export function parseConfig(
  body: ConfigBody,
  { borrowDecimals, collateralDecimals }: Decimals,
): { config: MarketConfig; faults: ConfigFault[] } {
  const faults: ConfigFault[] = []
  const amount = (field: 'minBorrowAmount' | 'maxTotalCollateral' | 'maxUserCollateral', decimals: number): bigint => {
    const raw = parseUnits(body[field], decimals)
    if (raw === null) faults.push({ field, message: `must be a decimal with at most ${decimals} decimals` })
    else if (raw > LARGEST_BOOKED) faults.push({ field, message: 'is larger than the market can hold' })
    return raw ?? 0n
  }
  const config = {
    collateralFactorBps: Number(body.collateralFactor),
    liquidationThresholdBps: Number(body.liquidationThreshold),
    liquidationPenaltyBps: Number(body.liquidationPenalty),
    protocolFeeBps: Number(body.protocolFeeRate),
    closeFactorBps: Number(body.closeFactor),
    useDutchAuction: body.useDutchAuction,
    auctionDuration: Number(body.auctionDuration),
    auctionStartBps: Number(body.auctionStartPremium),
    auctionMinBps: Number(body.auctionMinPremium),
    minBorrowAmount: amount('minBorrowAmount', borrowDecimals),
    maxTotalCollateral: amount('maxTotalCollateral', collateralDecimals),
    maxUserCollateral: amount('maxUserCollateral', collateralDecimals),
  }
  return { config, faults }
}

/** The contract's own bounds, so that a refusal names the field before anybody signs. */
export function configFaults(
  config: MarketConfig,
  { isMarketPriced, termPenaltyBps }: { isMarketPriced: boolean; termPenaltyBps: number },
): ConfigFault[] {
  const faults: ConfigFault[] = []
  const within = (field: string, value: number, lowest: number, highest: number) => {
    if (value < lowest || value > highest) faults.push({ field, message: `must be ${lowest} to ${highest}` })
  }
  within('collateralFactor', config.collateralFactorBps, 1_000, 9_000)
  within('liquidationThreshold', config.liquidationThresholdBps, 1_000, 9_500)
  if (config.liquidationThresholdBps <= config.collateralFactorBps)
    faults.push({ field: 'liquidationThreshold', message: 'must be above collateralFactor' })
  // A loan past its term is charged the term penalty, which may not exceed the other one.
  within('liquidationPenalty', config.liquidationPenaltyBps, termPenaltyBps, 5_000)
  within('protocolFeeRate', config.protocolFeeBps, 0, 10_000)
  within('closeFactor', config.closeFactorBps, 1_000, 5_000)
  within('auctionDuration', config.auctionDuration, 600, 86_400)
  within('auctionStartPremium', config.auctionStartBps, 10_000, 20_000)
  within('auctionMinPremium', config.auctionMinBps, isMarketPriced ? 9_800 : 8_000, 10_000)
  if (config.useDutchAuction && config.auctionStartBps <= config.auctionMinBps)
    faults.push({ field: 'auctionStartPremium', message: 'must be above auctionMinPremium while auctions are on' })
  return faults
}

const LARGEST_STEP = 1_000

export function movesTooFar(current: MarketConfig, next: MarketConfig): boolean {
  return Math.abs(current.liquidationThresholdBps - next.liquidationThresholdBps) > LARGEST_STEP
}

export function isSameConfig(one: MarketConfig, other: MarketConfig): boolean {
  return Object.entries(one).every(([name, value]) => other[name as keyof MarketConfig] === value)
}
