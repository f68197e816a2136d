export { type EncodedReason, encodeReason, readReason } from './reason.rules.ts'
export type { Stock, StockRecord } from './stocks.store.ts'
