export { ensureMarkets } from './ensure-markets.ts'
export { createMarketKeeper } from './keeper.ts'
