import type { Route } from '../../platform/http/route.ts'
import { amendOffchainOrderRoute } from './amend-offchain-order.route.ts'
import { cancelOffchainOrderRoute } from './cancel-offchain-order.route.ts'
import { getOffchainOrderRoute } from './get-offchain-order.route.ts'
import { listCustomerOrdersRoute } from './list-customer-orders.route.ts'
import { listCustomerTradesRoute } from './list-customer-trades.route.ts'
import { massCancelOffchainOrdersRoute } from './mass-cancel-offchain-orders.route.ts'
import type { OrdersService } from './orders.service.ts'
import { submitOffchainOrderRoute } from './submit-offchain-order.route.ts'
import { submitOffchainOrdersRoute } from './submit-offchain-orders.route.ts'

export { createOrdersService } from './orders.service.ts'
export { asRefusal, isStale, requireFreshPrice, requireNewName, requirePermitted } from './placing.ts'

export const orderRoutes = (orders: OrdersService): Route[] => [
  amendOffchainOrderRoute(orders),
  cancelOffchainOrderRoute(orders),
  getOffchainOrderRoute(orders),
  listCustomerOrdersRoute(orders),
  listCustomerTradesRoute(orders),
  massCancelOffchainOrdersRoute(orders),
  submitOffchainOrderRoute(orders),
  submitOffchainOrdersRoute(orders),
]
