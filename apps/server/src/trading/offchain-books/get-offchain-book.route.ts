import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OffchainBooksService } from './offchain-books.service.ts'

export const getOffchainBookRoute = (service: OffchainBooksService) =>
  route(tradingOperations.getOffchainBook, async ({ tenant, params }) => ({
    data: await service.get(tenant, params.orderBookId),
  }))
