import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OffchainBooksService } from './offchain-books.service.ts'

export const getOffchainSnapshotRoute = (service: OffchainBooksService) =>
  route(tradingOperations.getOffchainSnapshot, async ({ tenant, params, query }) => ({
    data: await service.snapshot(tenant, params.orderBookId, query.levels),
  }))
