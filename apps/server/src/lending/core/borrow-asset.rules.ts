import type { Market } from './market.store.ts'

/** What a market lends, as answers name it. */
export const assetOf = (market: Market) => ({
  address: market.borrowAsset,
  symbol: market.borrowSymbol,
  decimals: market.borrowDecimals,
})
