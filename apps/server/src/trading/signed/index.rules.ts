export {
  chainFeeDown,
  exactChainAmount,
  isFillTooSmall,
  quoteAmountDown,
  stepOf,
  unitsDown,
} from './chain-units.rules.ts'
export type { Hindrance } from './delivery.rules.ts'
export { deathOf } from './order-state.rules.ts'
export { fitsPrefix, isUnreadable, type SaltPrefix, saltPrefixOf } from './salt-prefix.rules.ts'
export {
  bytes32OfUuid,
  isSignedByKey,
  isVaultClass,
  ORDER_TYPES,
  orderDomain,
  type SignedOrder,
} from './signed-order.rules.ts'
export type { SignedRow } from './signed-orders.store.ts'
