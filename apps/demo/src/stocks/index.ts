export { ensureStocks } from './ensure-stocks.ts'
