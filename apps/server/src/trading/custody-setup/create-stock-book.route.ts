import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { BookCreation } from './create-books.service.ts'

export const createStockBookRoute = (service: BookCreation) =>
  route(tradingOperations.createStockBook, async ({ tenant, caller, body }) => ({
    data: await service.createStock(tenant, caller, body),
  }))
