export {
  acceptQuote,
  cancelRfq,
  type OpenRfq,
  openRfq,
  RFQ_LIFETIME_MS,
  type SubmitQuote,
  submitQuote,
  withdrawQuote,
} from './rfq.ts'
export type * from './rfq-events.ts'
export { type Lock, providerLock, requesterLock } from './rfq-locks.ts'
export type * from './rfq-state.ts'
export { expireRfq } from './rfq-time.ts'
