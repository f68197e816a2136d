import { at } from '../core/calls.ts'

/** One transaction that creates a market with all its parts. */
export const deployMarketCall = at('factory', 'deployMarket', 'MarketDeployed')
