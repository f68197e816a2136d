export { roundedOff } from './custody-money.rules.ts'
export type { Folded } from './fold.rules.ts'
export { accountOf, customerHolder, customerOf, type Party, partyOf } from './party.rules.ts'
export type { OrderRow, SignedOrder, TradeRow } from './unit-rows.rules.ts'
