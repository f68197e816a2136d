export type { Hold } from './agreed-order.ts'
export { type AgreedTrades, createAgreedTrades } from './agreed-trades.service.ts'
