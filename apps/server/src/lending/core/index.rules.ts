export { FINEST, LARGEST_BOOKED } from './amount.rules.ts'
export { assetOf } from './borrow-asset.rules.ts'
export type { CollateralMode, Market, MarketRecord, PriceSource } from './market.store.ts'
export { requireOperator } from './operator.rules.ts'
export {
  accrualUp,
  type PoolBooks,
  partBps,
  payableSharesDown,
  poolForDeposit,
  poolSharePrice,
  poolValueDown,
  sharesForDown,
  shownShares,
} from './pool.rules.ts'
export type { SignerBlock } from './signer.reads.ts'
