import type { TwoLegged } from '../../platform/http/legs.ts'
import { type Asked, writesOf } from '../../writes/index.ts'
import { type MarketSubject, marketSubject, marketTargets } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { createLookup, type LiquidationCall, type Located, type LocatedOnRouter } from './lookup.ts'

/** An operation on the liquidation that its path names. */
export interface LiquidationOperation extends TwoLegged {
  readonly params: NonNullable<TwoLegged['params']>
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The market may stand in the body or in the query. */
export const liquidationCall = ({ tenant, mountedAt, params, query, body }: Asked): LiquidationCall => ({
  ...{ tenant, mountedAt, liquidationId: params.liquidationId ?? '' },
  marketId: { inBody: textOf(body.marketId), inQuery: textOf(query.marketId) },
})

/** A liquidation that a router holds, with its market. */
export type RoutedSubject = MarketSubject & LocatedOnRouter

const shared = {
  targets: marketTargets,
  path: ({ liquidationId }: Located) => ({ liquidationId }),
  explain: explainLending,
}

const inItsMarket = <L extends Located>(parts: LendingParts, located: L) => ({
  ...marketSubject(parts, located.record),
  ...located,
})

export const onRouter = {
  ...shared,
  find: async (parts: LendingParts, asked: Asked): Promise<RoutedSubject> =>
    inItsMarket(parts, await createLookup(parts).onRouter(liquidationCall(asked))),
}

/** A write about what a router holds. */
export const liquidationWrite = writesOf<LiquidationOperation, LendingParts, RoutedSubject>(onRouter).of

/** A write about the market's record of a liquidation, whoever holds the collateral. */
export const realizationWrite = writesOf<LiquidationOperation, LendingParts, MarketSubject & Located>({
  ...shared,
  find: async (parts, asked) => inItsMarket(parts, await createLookup(parts).inMarket(liquidationCall(asked))),
}).of

/** What every answer about a liquidation names. */
export const named = ({ liquidationId, marketId }: Pick<Located & MarketSubject, 'liquidationId' | 'marketId'>) => ({
  liquidationId,
  marketId,
})

/** What every build about a liquidation says alike. */
export const builtFor = (subject: Parameters<typeof named>[0]) => ({ ...named(subject), success: true as const })
