import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { BookCreation } from './create-books.service.ts'

export const createCommodityBookRoute = (service: BookCreation) =>
  route(tradingOperations.createCommodityBook, async ({ tenant, caller, body }) => ({
    data: await service.createCommodity(tenant, caller, body),
  }))
