import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OffchainBooksService } from './offchain-books.service.ts'

export const listOffchainBooksRoute = (service: OffchainBooksService) =>
  route(tradingOperations.listOffchainBooks, async ({ tenant, query }) => ({
    data: await service.list(tenant, query.status),
  }))
