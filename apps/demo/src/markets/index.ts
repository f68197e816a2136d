export { ensureOldMarkets } from './deploy-markets.ts'
export { ensureMarkets } from './ensure-markets.ts'
export { ensureBorrower } from './fund-borrower.ts'
export { createMarketKeeper } from './keeper.ts'
