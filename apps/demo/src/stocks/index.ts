export { ensureStocks, ensureStockTokens } from './ensure-stocks.ts'
export { createStocksKeeper } from './keeper.ts'
