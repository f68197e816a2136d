export { type Amount, exact, MAX_AMOUNT, minus, notionalDown, plus } from './amounts.ts'
export type * from './commands.ts'
export { createEngine, type Engine, restoreEngine } from './engine.ts'
export type * from './events.ts'
export { canonicalText, readCanonicalText } from './journal/canonical-text.ts'
export {
  appendEntry,
  emptyHead,
  type Head,
  JOURNAL_VERSION,
  JournalBroken,
  type JournalEntry,
  readEntry,
  replay,
  verifyEntries,
} from './journal/journal.ts'
export { feeDown } from './orders/fees.ts'
export type { MakerView } from './orders/makers.ts'
export type { Reservation } from './orders/reservation-for.ts'
export * from './rfq/index.ts'
export type * from './terms.ts'
export type { BookView } from './unit/book-view.ts'
export type { Depth, DepthLevel } from './unit/depth.ts'
export type { OrderView } from './unit/order-view.ts'
export { POOL } from './unit/unit.ts'
