import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OffchainBooksService } from './offchain-books.service.ts'

export const listOffchainTradesRoute = (service: OffchainBooksService) =>
  route(tradingOperations.listOffchainTrades, async ({ tenant, params, query }) => ({
    data: await service.trades(tenant, params.orderBookId, query),
  }))
