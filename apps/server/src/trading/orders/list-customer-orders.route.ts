import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OrdersService } from './orders.service.ts'

export const listCustomerOrdersRoute = (service: OrdersService) =>
  route(tradingOperations.listCustomerOrders, async ({ tenant, params, query }) => ({
    data: await service.listOfCustomer(tenant, params.customerRef, query),
  }))
