export { createTradingBots } from './bots.ts'
export { ensureTrading } from './ensure-trading.ts'
export { createTradingKeeper } from './keeper.ts'
