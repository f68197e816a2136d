import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { TwoLegged } from '../../platform/http/legs.ts'
import { type Asked, writesOf } from '../../writes/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { type DeployedRecord, findDeployedMarket } from './find-market.ts'
import type { Market } from './market.store.ts'

/** A market, with what every write needs to know of it. */
export interface MarketSubject {
  readonly marketId: string
  readonly record: DeployedRecord
  readonly market: Market
  readonly chain: Chain
  /** Amounts of the borrow asset and of the collateral token, as answers show them. */
  readonly cash: (raw: bigint) => string
  readonly tokens: (raw: bigint) => string
}

export function marketSubject({ chains }: LendingParts, record: DeployedRecord): MarketSubject {
  const { market, marketId } = record
  return {
    ...{ marketId, record, market, chain: chains.get(market.chainId) },
    cash: (raw) => formatUnits(raw, market.borrowDecimals),
    tokens: (raw) => formatUnits(raw, market.collateralDecimals),
  }
}

/** The contracts of a market, by kind, and the factory that made it. */
export const marketTargets = {
  market: ({ market }: MarketSubject) => market.address,
  router: ({ market }: MarketSubject) => market.router,
  rateModel: ({ market }: MarketSubject) => market.rateModel,
  oracle: ({ market }: MarketSubject) => market.oracle,
  factory: ({ market }: MarketSubject) => market.factory,
}

/** An operation on the market that its path names. */
interface MarketOperation extends TwoLegged {
  readonly params: NonNullable<TwoLegged['params']>
}

/**
 * A write on the market that the path names; one on a contract that only the market itself can name; and each leg by itself, where it is an
 * operation of its own.
 */
export const {
  of: marketWrite,
  provenBy: provenMarketWrite,
  building: marketBuild,
  confirming: marketConfirmation,
} = writesOf<MarketOperation, LendingParts, MarketSubject>({
  find: async (parts, asked: Asked) =>
    marketSubject(parts, await findDeployedMarket(asked, asked.params.marketId ?? '')),
  targets: marketTargets,
  path: ({ marketId }) => ({ marketId }),
  explain: explainLending,
})
