import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { shownConfig } from './market-config.rules.ts'
import { configRead } from './settings.reads.ts'

/** The risk and auction settings of a market. */
export function createConfig({ chains }: LendingParts) {
  return {
    async get(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const { block, results } = await chains.get(market.chainId).read([configRead(market)])
      const [config] = results
      if (!config.ok) throw new ChainUnavailableError('the market did not answer')
      return { data: shownConfig(config.value, market), block }
    },
  }
}

export type Config = ReturnType<typeof createConfig>
