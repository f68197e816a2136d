import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OffchainBooksService } from './offchain-books.service.ts'

export const listOffchainCandlesRoute = (service: OffchainBooksService) =>
  route(tradingOperations.listOffchainCandles, async ({ tenant, params, query }) => ({
    data: await service.candles(tenant, params.orderBookId, query),
  }))
