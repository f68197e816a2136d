export type { NumberedTrade } from './tape.store.ts'
export { asTrade } from './trade.rules.ts'
