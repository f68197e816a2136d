import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OrdersService } from './orders.service.ts'

export const listCustomerTradesRoute = (service: OrdersService) =>
  route(tradingOperations.listCustomerTrades, async ({ tenant, params, query }) => ({
    data: await service.tradesOfCustomer(tenant, params.customerRef, query),
  }))
