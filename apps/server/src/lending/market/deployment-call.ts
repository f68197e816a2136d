import { at } from '../core/index.ts'

/** One transaction that creates a market with all its parts. */
export const deployMarketCall = at('factory', 'deployMarket', 'MarketDeployed')
