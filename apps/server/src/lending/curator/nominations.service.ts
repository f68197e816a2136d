import { refuse } from '../../platform/app-error.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { readNominations } from './nominations.ts'

/** Who may adopt a market without a claim. */
export function createNominations({ chains }: LendingParts) {
  return {
    async list(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const now = await readNominations(chains.get(market.chainId), market, refuse)
      const { block, candidates, curator, realizationMode } = now
      return { data: { candidates, curator, seekingCurator: curator === null, realizationMode }, block }
    },
  }
}

export type Nominations = ReturnType<typeof createNominations>
