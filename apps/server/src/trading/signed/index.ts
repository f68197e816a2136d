import type { Route } from '../../platform/http/route.ts'
import { amendOrderRoute } from './amend-order.route.ts'
import { cancelOrderRoute } from './cancel-order.route.ts'
import { cancelOrdersOnChainRoute } from './cancel-orders-on-chain.route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'
import { getOrderRoute } from './get-order.route.ts'
import { listUserOrdersRoute } from './list-user-orders.route.ts'
import { listUserTradesRoute } from './list-user-trades.route.ts'
import { massCancelOrdersRoute } from './mass-cancel-orders.route.ts'
import { prepareOrderRoute } from './prepare-order.route.ts'
import { raiseNonceFloorRoute } from './raise-nonce-floor.route.ts'
import { submitOrderRoute } from './submit-order.route.ts'
import { submitOrdersRoute } from './submit-orders.route.ts'
import { submitPriorityOrderRoute } from './submit-priority-order.route.ts'

export { createClassOrdersService } from './class-orders.service.ts'
export { hashOnBook, orderToSign } from './draft.ts'
export { createInquiry } from './inquiry.ts'
export { asOnchainBook, type OnchainBook, sizeOnChain } from './onchain-book.ts'
export { askOrderState } from './order-state.ts'
export { requireExpiry, requireNonce, requireSalt } from './order-terms.ts'
export { type OwnerOf, stagedIn } from './placed-signed.ts'
export { columnsOf, refuseDelivery, requireLive } from './placing-signed.ts'
export { createPrepareService } from './prepare.service.ts'
export { explainSettlement, refusalOf, settlementReverts } from './refusals.ts'
export { findUsed, readSigned } from './signed-orders.store.ts'
export { createSignedRows, type SignedRows } from './signed-rows.ts'
export { startSplitJob } from './split-watch.job.ts'
export { createSplitWatch } from './split-watch.service.ts'
export { type Custodies, createCustodies } from './token-terms.service.ts'

export const signedOrderRoutes = (service: ClassOrdersService): Route[] => [
  prepareOrderRoute(service),
  submitOrderRoute(service),
  submitOrdersRoute(service),
  submitPriorityOrderRoute(service),
  cancelOrderRoute(service),
  amendOrderRoute(service),
  massCancelOrdersRoute(service),
  cancelOrdersOnChainRoute(service),
  raiseNonceFloorRoute(service),
  getOrderRoute(service),
  listUserOrdersRoute(service),
  listUserTradesRoute(service),
]
