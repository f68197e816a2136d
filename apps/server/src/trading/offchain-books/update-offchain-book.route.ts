import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OffchainBooksService } from './offchain-books.service.ts'

export const updateOffchainBookRoute = (service: OffchainBooksService) =>
  route(tradingOperations.updateOffchainBook, async ({ tenant, caller, params, body }) => ({
    data: await service.update(tenant, caller, params.orderBookId, body),
  }))
