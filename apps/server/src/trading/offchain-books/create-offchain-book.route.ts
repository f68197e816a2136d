import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OffchainBooksService } from './offchain-books.service.ts'

export const createOffchainBookRoute = (service: OffchainBooksService) =>
  route(tradingOperations.createOffchainBook, async ({ tenant, caller, body }) => ({
    data: await service.create(tenant, caller, body),
  }))
